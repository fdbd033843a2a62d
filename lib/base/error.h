/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * error: how functions of lib/ report an error to their caller.
 *
 * A function that can fail takes a struct eqt_error as its last argument. When it
 * fails, it returns -1 (or NULL) and writes a text that is meant for an operator and
 * names what is wrong. A failed call changes nothing else that the caller can see.
 */
#ifndef EQT_ERROR_H
#define EQT_ERROR_H

#include <stdarg.h>

#define EQT_ERROR_SIZE 512

/* A plain value. {0} means that there is no error. */
struct eqt_error {
	char text[EQT_ERROR_SIZE];
};

/*
 * Write a text in the format of printf(), cut at EQT_ERROR_SIZE - 1 bytes. Control
 * characters become '?', so that a string of a user cannot forge a line of the log. err
 * may be NULL. The function always returns -1, so that a caller can write "return
 * eqt_error_set(err, ...)".
 */
int eqt_error_set(struct eqt_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Like eqt_error_set(), with the values of the format in a list. */
int eqt_error_set_list(struct eqt_error *err, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

#endif
