/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON has no infinity and no NaN: a Level FS without usage is the text "inf",
 * a missing value is null. Slashes in names of accounts and files are not
 * escaped.
 */
#include <math.h>
#include <stdio.h>

#include "cli/json.h"

void eqt_json_add(json_object *object, const char *key, json_object *value)
{
	(void) json_object_object_add(object, key, value);
}

json_object *eqt_json_number(long double value)
{
	if (isnan(value))
		return NULL;
	if (isinf(value))
		return json_object_new_string("inf");
	return json_object_new_double((double) value);
}

void eqt_json_print(json_object *value)
{
	puts(json_object_to_json_string_ext(
		value, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
			       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(value);
}
