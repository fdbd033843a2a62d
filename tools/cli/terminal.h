/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terminal: keeps text from users from steering a terminal. */
#ifndef EQT_CLI_TERMINAL_H
#define EQT_CLI_TERMINAL_H

/*
 * From now on, stdout and stderr escape what could steer or deceive a terminal,
 * if they are one: C1 controls (U+009B begins a sequence like ESC [), marks that
 * change the direction of text, and bytes that are not UTF-8. Colours, which
 * begin with ESC, still work: names with ESC are escaped where they are printed.
 */
void eqt_terminal_guard(void);

#endif
