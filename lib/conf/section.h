/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * section: the values of the keys in a section, and functions that add a closed section
 * to the configuration. Only lib/conf uses it.
 */
#ifndef EQT_SECTION_H
#define EQT_SECTION_H

#include "conf/conf.h"
#include "conf/source.h"
#include "conf/value.h"

/* The keys of one section. A plain value. Only the members for the kind of the section
 * are used. */
struct eqt_section {
	/* The text, whose current line errors name. */
	struct eqt_source *source;
	struct eqt_conf *conf; /* the configuration that was read so far */
	struct eqt_bundle bundle;
	/* The resources of a bundle or of a partition. */
	struct eqt_conf_part part[EQT_RESOURCES];
	uint32_t terms; /* the number of terms that were closed so far */
	char nodes[EQT_NODES_SIZE];
	char features[EQT_NODES_SIZE];
	struct eqt_rule rule;
	char suffix[EQT_NAME_SIZE];
	struct eqt_unit unit; /* the unit of a bundle or of a pool */
	struct eqt_grant_rule grant;
	struct eqt_conf_reservation reservation;
	struct eqt_conf_priority priority;
	struct eqt_conf_budget budget;
	struct eqt_conf_charges charges;
};

/* Begin a term. Return 0, or -1 with an error in the source if the section has
 * resources outside of terms. */
int eqt_section_open_term(struct eqt_section *section);

/* Close a term. Its resources are those that are in no earlier term. Return 0, or -1
 * with an error in the source if the term has no resources. */
int eqt_section_close_term(struct eqt_section *section);

/* Add a closed section of a kind with names to section->conf. Return 0, or -1 with an
 * error in the source, which names the section. */
int eqt_section_add_bundle(struct eqt_section *section, const char *name);
int eqt_section_add_partition(struct eqt_section *section, const char *name);
int eqt_section_add_qos(struct eqt_section *section, const char *name);
int eqt_section_add_pool(struct eqt_section *section, const char *name);
int eqt_section_add_grant(struct eqt_section *section, const char *name);
int eqt_section_add_reservation(struct eqt_section *section, const char *name);
/* Add a closed section of a kind without names to section->conf. The argument name is
 * ignored. */
int eqt_section_add_priority(struct eqt_section *section, const char *name);
int eqt_section_add_budget(struct eqt_section *section, const char *name);
int eqt_section_add_charges(struct eqt_section *section, const char *name);

#endif
