/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "slurm/text/listing.h"
#include "slurm/sdiag.h"

int eqt_sdiag_unsent_records(uint64_t *out, struct eqt_error *err)
{
	static const char key[] = "DBD Agent queue size:";
	struct eqt_listing text;
	const char *at;
	int found;

	if (eqt_listing_read(&text, NULL, "sdiag", err) < 0)
		return -1;
	at = strstr(text.text, key);
	found = at ? sscanf(at + sizeof(key) - 1, " %" SCNu64, out) : 0;
	eqt_listing_free(&text);
	return found == 1 ? 0 : eqt_error_set(err, "sdiag: no \"%s\"", key);
}
