/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "slurm/text/csv.h"

/* Remove the quotes of a field in place. Returns the end of the field, or NULL if the
 * closing quote is missing. */
static char *field_unquote(char *field)
{
	char *to = field, *from = field + 1;

	for (;; from++) {
		if (*from == '\0')
			return NULL;
		if (*from == '"' && from[1] != '"')
			break;
		from += *from == '"';
		*to++ = *from;
	}
	*to = '\0';
	return from + 1;
}

int eqt_csv_cut(char *line, char **field, int most)
{
	int count = 0;
	char *end;

	line[strcspn(line, "\r\n")] = '\0';
	for (;; line = end + 1) {
		if (count == most)
			return -1;
		field[count++] = line;
		end = *line == '"' ? field_unquote(line)
				   : line + strcspn(line, ",");
		if (!end || (*end != ',' && *end != '\0'))
			return -1;
		if (*end == '\0')
			return count;
		*end = '\0';
	}
}
