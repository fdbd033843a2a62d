/* SPDX-License-Identifier: GPL-2.0-or-later */
/* csv: comma-separated values, as people and web portals write them. */
#ifndef EQT_CSV_H
#define EQT_CSV_H

/*
 * Cut a line without its newline into fields, in place. Quotes around a field are
 * removed, and a doubled quote within them becomes one quote. Returns the number of
 * fields, or -1 if there are more than "most" or if a quote is misplaced.
 */
int eqt_csv_cut(char *line, char **field, int most);

#endif
