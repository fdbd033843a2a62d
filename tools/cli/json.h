/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json: JSON values, printed on stdout for other programs. */
#ifndef EQT_CLI_JSON_H
#define EQT_CLI_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/fraction.h"

/* Convert a C value to a JSON value by its type. A NULL text becomes null. A comparison
 * has the type int in C, so it becomes a number; cast it to bool for true or false. */
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

/* Add a value to an object or to the end of an array. The object or array then owns the
 * value. */
#define eqt_json_add(object, key, value) \
	((void) json_object_object_add(object, key, EQT_JSON(value)))
#define eqt_json_append(array, value) \
	((void) json_object_array_add(array, EQT_JSON(value)))

/* The functions that EQT_JSON() calls. The caller owns the results. */
json_object *eqt_json_value(json_object *value);
json_object *eqt_json_flag(bool value);
json_object *eqt_json_text(const char *value);
json_object *eqt_json_int(int64_t value);
json_object *eqt_json_count(uint64_t value);

/* A number. JSON has no NaN and no infinity: NaN becomes null, and infinity the text
 * "inf". */
json_object *eqt_json_number(long double value);

/* The double nearest to a fraction. If both are equal, the fraction is printed as a
 * decimal fraction. */
json_object *eqt_json_frac(struct eqt_frac value);

/* Print the value on stdout and release it. */
void eqt_json_print(json_object *value);

#endif
