/* SPDX-License-Identifier: GPL-2.0-or-later */
/* print: sentences on stdout, wrapped for a terminal. */
#ifndef EQT_CLI_PRINT_H
#define EQT_CLI_PRINT_H

/* Print a text on stdout with lines of 80 columns at most, as far as its words
 * allow; what colours are made of has no width. It is changed. */
void eqt_print_wrapped(char *text);

/* A line that programs read, too: wrapped so on a terminal, otherwise left
 * whole. The end of the line is added. It is changed. */
void eqt_print_line(char *text);

#endif
