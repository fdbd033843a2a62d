/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fail: the program cannot go on. */
#ifndef EQT_HOST_FAIL_H
#define EQT_HOST_FAIL_H

/* Say why on standard error, with the line of the history that is being read,
 * and end the program with status 2. */
void fail(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

#endif
