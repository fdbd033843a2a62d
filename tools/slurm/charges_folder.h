/* SPDX-License-Identifier: GPL-2.0-or-later */
/* charges_folder: where the record of charges is. */
#ifndef EQT_SLURM_CHARGES_FOLDER_H
#define EQT_SLURM_CHARGES_FOLDER_H

#include "conf/conf.h"
#include "slurm/charges.h"

#define EQT_CHARGES_FOLDER 512

/*
 * The folder of the record: the named one; else, with a configuration, that of its key or
 * the one in StateSaveLocation, if the caller may read it. "" otherwise.
 */
void eqt_charges_folder(char folder[EQT_CHARGES_FOLDER], const char *named,
			const struct eqt_conf *conf);

#endif
