/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * error: the one way in which the core says what went wrong.
 *
 * A call that can fail takes a struct eqt_error as its last argument. When it
 * fails, it returns -1 (or NULL) and fills the text, which is meant for an
 * operator and names the wrong thing. A failed call changes nothing else that
 * the caller can see.
 */
#ifndef EQT_ERROR_H
#define EQT_ERROR_H

#define EQT_ERROR_SIZE 512

/* A plain value; {0} is "no error". */
struct eqt_error {
	char text[EQT_ERROR_SIZE];
};

/*
 * Write a text (printf format, cut at EQT_ERROR_SIZE - 1 bytes; control
 * characters become '?', so that a user's string cannot forge a log line).
 * err may be NULL. Returns -1, always: "return eqt_error_set(err, ...)".
 */
int eqt_error_set(struct eqt_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
