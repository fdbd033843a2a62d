/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json: values for programs, printed on stdout. */
#ifndef EQT_CLI_JSON_H
#define EQT_CLI_JSON_H

#include <json-c/json.h>

/* Add the value to the object, which owns it afterwards. */
void eqt_json_add(json_object *object, const char *key, json_object *value);

/*
 * A number; null for NaN, and "inf" for infinity, for which JSON has no word.
 */
json_object *eqt_json_number(long double value);

/* Print the value on stdout and release it. */
void eqt_json_print(json_object *value);

#endif
