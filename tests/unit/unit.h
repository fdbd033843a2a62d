/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit: what every Check program of this folder ends with.
 */
#ifndef EQT_TESTS_UNIT_H
#define EQT_TESTS_UNIT_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

/*
 * Run a suite, which this frees, print Check's usual report and return what
 * main() returns. Each test runs in a process of its own unless the
 * environment says CK_FORK=no or has CK_NOFORK set (to anything but "no"),
 * as a debugger or valgrind likes it.
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
