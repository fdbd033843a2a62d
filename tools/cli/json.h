/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json: values for programs, printed on stdout. */
#ifndef EQT_CLI_JSON_H
#define EQT_CLI_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/fraction.h"

/* A value of JSON, by the type of a value of C: texts (NULL is null), integers, flags,
 * numbers and fractions as below, and values of JSON as they are. A comparison is an int,
 * not a flag. */
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

/* What EQT_JSON() calls; the caller owns what they return. */
json_object *eqt_json_value(json_object *value);
json_object *eqt_json_flag(bool value);
json_object *eqt_json_text(const char *value);
json_object *eqt_json_int(int64_t value);
json_object *eqt_json_count(uint64_t value);

/* A number; null for NaN, and "inf" for infinity, for which JSON has no word. */
json_object *eqt_json_number(long double value);

/* The nearest number; as the decimal fraction where that is the same number. */
json_object *eqt_json_frac(struct eqt_frac value);

/* Print the value on stdout and release it. */
void eqt_json_print(json_object *value);

#endif
