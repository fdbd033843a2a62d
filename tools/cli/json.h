/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json: values for programs, printed on stdout. */
#ifndef EQT_CLI_JSON_H
#define EQT_CLI_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/fraction.h"

/* Convert a value of C to one of JSON by its type, with the functions below; a NULL text
 * is null. A comparison has the type int, so it becomes a number and no flag. */
#define EQT_JSON(value) \
	_Generic((value), bool                  \
		 : eqt_json_flag, char *        \
		 : eqt_json_text, const char *  \
		 : eqt_json_text, void *        \
		 : eqt_json_value, json_object *\
		 : eqt_json_value, double       \
		 : eqt_json_number, long double \
		 : eqt_json_number, uint64_t    \
		 : eqt_json_count, struct eqt_frac \
		 : eqt_json_frac, default       \
		 : eqt_json_int)(value)

/* Add a member to an object, or a value to the end of an array, which own it. */
#define eqt_json_add(object, key, value) \
	((void) json_object_object_add(object, key, EQT_JSON(value)))
#define eqt_json_append(array, value) \
	((void) json_object_array_add(array, EQT_JSON(value)))

/* The functions behind EQT_JSON(); the caller owns their results. */
json_object *eqt_json_value(json_object *value);
json_object *eqt_json_flag(bool value);
json_object *eqt_json_text(const char *value);
json_object *eqt_json_int(int64_t value);
json_object *eqt_json_count(uint64_t value);

/* A number; null for NaN, and the text "inf" for infinity, which JSON does not have. */
json_object *eqt_json_number(long double value);

/* The nearest double; printed as the decimal fraction where both are equal. */
json_object *eqt_json_frac(struct eqt_frac value);

/* Print the value on stdout and release it. */
void eqt_json_print(json_object *value);

#endif
