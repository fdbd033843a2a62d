/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * section: the values of the keys between the braces of a section, and how a
 * section is added to the configuration when it is closed. Private to lib/conf.
 */
#ifndef EQT_SECTION_H
#define EQT_SECTION_H

#include "conf/conf.h"
#include "conf/source.h"
#include "conf/value.h"

/* A plain value. Only the members for the section's kind are used. */
struct eqt_section {
	struct eqt_source *source; /* for errors: it knows the line */
	struct eqt_conf *conf; /* the configuration read so far */
	struct eqt_bundle bundle;
	struct eqt_conf_part part[EQT_RESOURCES]; /* of it, or of a partition */
	uint32_t terms; /* that were begun */
	char nodes[EQT_NODES_SIZE];
	char features[EQT_NODES_SIZE];
	struct eqt_rule rule;
	char suffix[EQT_NAME_SIZE];
	struct eqt_unit unit; /* of a bundle or a pool */
	struct eqt_grant_rule grant;
	struct eqt_conf_reservation reservation;
	struct eqt_conf_priority priority;
	struct eqt_conf_budget budget;
	struct eqt_conf_charges charges;
};

/* Begin a term. 0, or -1 with the source's error: there are resources before it. */
int eqt_section_open_term(struct eqt_section *section);

/* Close a term: the resources in it are those that are in no term yet. 0, or -1 with the
 * source's error: it has none. */
int eqt_section_close_term(struct eqt_section *section);

/* Add a closed section to section->conf, by its kind. Returns 0, or -1 with the
 * source's error, which names the section. */
int eqt_section_add_bundle(struct eqt_section *section, const char *name);
int eqt_section_add_partition(struct eqt_section *section, const char *name);
int eqt_section_add_qos(struct eqt_section *section, const char *name);
int eqt_section_add_pool(struct eqt_section *section, const char *name);
int eqt_section_add_grant(struct eqt_section *section, const char *name);
int eqt_section_add_reservation(struct eqt_section *section, const char *name);
/* The kinds without a name; the argument is ignored. */
int eqt_section_add_priority(struct eqt_section *section, const char *name);
int eqt_section_add_budget(struct eqt_section *section, const char *name);
int eqt_section_add_charges(struct eqt_section *section, const char *name);

#endif
