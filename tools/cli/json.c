/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON has no infinity and no NaN. The Level FS of an association without usage is
 * therefore the text "inf", and a missing value is null. Slashes in the names of accounts
 * and files are not escaped.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/json.h"

json_object *eqt_json_value(json_object *value)
{
	return value;
}

json_object *eqt_json_flag(bool value)
{
	return json_object_new_boolean(value);
}

json_object *eqt_json_text(const char *value)
{
	return value ? json_object_new_string(value) : NULL;
}

json_object *eqt_json_int(int64_t value)
{
	return json_object_new_int64(value);
}

json_object *eqt_json_count(uint64_t value)
{
	return json_object_new_uint64(value);
}

json_object *eqt_json_number(long double value)
{
	if (isnan(value))
		return NULL;
	if (isinf(value))
		return json_object_new_string("inf");
	return json_object_new_double((double) value);
}

/* json-c would print 2.5 as 2.5000000000000000, so print the shortest text with the same
 * value. */
json_object *eqt_json_frac(struct eqt_frac value)
{
	char text[EQT_FRAC_TEXT];
	double nearest = eqt_frac_double(value);

	eqt_frac_text(value, text, sizeof(text));
	if (strtod(text, NULL) == nearest)
		return json_object_new_double_s(nearest, text);
	return json_object_new_double(nearest);
}

void eqt_json_print(json_object *value)
{
	puts(json_object_to_json_string_ext(
		value, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
			       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(value);
}
