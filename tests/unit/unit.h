/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unit: the end of each Check program of this folder. */
#ifndef EQT_TESTS_UNIT_H
#define EQT_TESTS_UNIT_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

/*
 * Run a suite, free it, print Check's usual report, and return the result for
 * main(). Each test runs in a process of its own unless the environment has
 * CK_FORK=no, or has CK_NOFORK (with any value but "no"), for a debugger or
 * valgrind.
 */
static inline int eqt_unit_main(Suite *suite)
{
	const char *nofork = getenv("CK_NOFORK");
	SRunner *runner = srunner_create(suite);
	int failed;

	if (nofork && strcmp(nofork, "no") != 0)
		srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
