/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A site that lets others read the record names a folder outside of StateSaveLocation, which
 * only SlurmUser may enter. */
#include <stdio.h>
#include <unistd.h>

#include "cli/remote.h"
#include "slurm/charges_folder.h"
#include "slurm/conf/config.h"
#include "slurm/text/listing.h"

/* Where slurmctld writes it without a key. */
static void folder_of_state(char folder[EQT_CHARGES_FOLDER])
{
	char state[EQT_CHARGES_FOLDER - 32];
	struct eqt_listing text;
	struct eqt_error err;

	if (eqt_listing_read(&text, NULL, "scontrol show config", &err) < 0)
		return;
	eqt_cluster_config_get(text.text, "StateSaveLocation", state,
			       sizeof(state));
	eqt_listing_free(&text);
	(void) snprintf(folder, EQT_CHARGES_FOLDER, "%s/equitree_charges",
			state);
}

void eqt_charges_folder(char folder[EQT_CHARGES_FOLDER], const char *named,
			const struct eqt_conf *conf)
{
	folder[0] = '\0';
	if (named) {
		(void) snprintf(folder, EQT_CHARGES_FOLDER, "%s", named);
		return;
	}
	/* The same path may hold the record of this host's cluster. */
	if (!conf || !conf->charges.record || eqt_remote_chosen())
		return;
	if (conf->charges.folder[0] != '\0')
		(void) snprintf(folder, EQT_CHARGES_FOLDER, "%s",
				conf->charges.folder);
	else
		folder_of_state(folder);
	if (folder[0] != '\0' && access(folder, R_OK | X_OK) < 0)
		folder[0] = '\0';
}
