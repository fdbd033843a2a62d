/* SPDX-License-Identifier: GPL-2.0-or-later */
/* csv: comma-separated values, as people and portals write them. */
#ifndef EQT_CSV_H
#define EQT_CSV_H

/*
 * Cut a line into its fields in place, without its newline; quotes around a field are
 * removed, and a quote within them is doubled. Returns the number of fields, or -1: more than
 * most, or a quote is out of place.
 */
int eqt_csv_cut(char *line, char **field, int most);

#endif
