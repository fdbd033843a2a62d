/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fail: end the program with an error. */
#ifndef EQT_HOST_FAIL_H
#define EQT_HOST_FAIL_H

/* Print the reason and the line of the history to standard error, and end the
 * program with status 2. */
void fail(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

#endif
