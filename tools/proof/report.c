/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The differences that are found, as lines of text or as a list in JSON. */
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "proof/proof_impl.h"

void eqt_proof_report(struct eqt_proof *proof, const char *format, ...)
{
	char text[2 * EQT_ERROR_SIZE];
	va_list list;

	va_start(list, format);
	(void) vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	proof->differences++;
	if (proof->list)
		eqt_json_append(proof->list, text);
	else
		puts(text);
}
