/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check: the files that the checks of a site's configuration read, and the findings that
 * the checks report. Each check is a row of a table: its name, the files that it needs,
 * and a function.
 */
#ifndef EQT_CHECK_CHECK_H
#define EQT_CHECK_CHECK_H

#include <stddef.h>
#include <limits.h>

#include "slurm/conf/cluster_conf.h"
#include "balance/balances.h"
#include "conf/conf.h"
#include "prio/params.h"
#include "price/gres.h"
#include "slurm/text/columns.h"

/* The line of a key in a section with a name. For the key "" it is the first line of the
 * section. The section "" is the top level of the file. */
struct eqt_place {
	char section[16];
	char name[64];
	char key[32];
	unsigned int line;
};

/* Owns its memory; {0} is empty. */
struct eqt_places {
	struct eqt_place *spots;
	size_t count;
};

/* Read the places of a file that eqt_conf_read() has accepted. In any other file some
 * places may be missed. */
void eqt_places_read(struct eqt_places *out, const char *path);

/* Free what *places owns. *places is empty afterwards. */
void eqt_places_free(struct eqt_places *places);

/*
 * The line of a key in the nth section, from 0, with this name. key NULL means the
 * section itself, and section NULL the top level of the file. If the section lacks the
 * key, the result is the line of the section. 0 if there is no such section.
 */
unsigned int eqt_places_find(const struct eqt_places *places,
			     const char *section, const char *name,
			     unsigned int nth, const char *key);

enum eqt_check_level {
	EQT_CHECK_ERROR, /* the setting will not work */
	EQT_CHECK_WARNING, /* the setting is wrong or unwise */
	EQT_CHECK_NOTE, /* explains the finding before it */
	EQT_CHECK_LEVELS
};

/* A place in a file. Line 0 means the file as a whole. */
struct eqt_check_where {
	const char *file;
	unsigned int line;
};

struct eqt_check_finding {
	enum eqt_check_level level;
	struct eqt_check_where where;
	const char *check; /* name of the check */
	char *text;
};

/* The files that a check may need. */
enum {
	EQT_NEEDS_SLURM = 1,
	EQT_NEEDS_GRES = 2,
	EQT_NEEDS_ASSOCS = 4,
	EQT_NEEDS_BUDGETS = 8,
	EQT_NEEDS_LIVE = 16 /* slurmctld answers, and --selftest was given */
};

struct eqt_check {
	const char *conf_path, *slurm_path, *gres_path, *assocs_path;
	const char *budgets_path; /* journal of the budgets; NULL: not read */
	char state_path[PATH_MAX]; /* buffer for the default of budgets_path */
	const struct eqt_conf *conf;
	struct eqt_places places;
	struct eqt_slurmconf slurm, gres;
	struct eqt_cluster cluster;
	struct eqt_columns assocs;
	struct eqt_balances budgets;
	struct eqt_slurmconf live; /* the output of scontrol show config */
	unsigned int have; /* bits of the files that were read */
	bool before; /* Slurm's own priority plugin still runs */
	bool here; /* slurm.conf belongs to this machine */
	/* PriorityParameters; {0} if they are invalid */
	struct eqt_params params;
	char included[PATH_MAX]; /* the included file that has an error */
	const char *running; /* name of the running check */
	struct eqt_check_finding *findings;
	size_t count;
};

struct eqt_check_row {
	const char *name;
	unsigned int needs;
	void (*run)(struct eqt_check *check);
};

/* The tables of checks. A row without a name ends each table. */
extern const struct eqt_check_row eqt_checks_billing[];
extern const struct eqt_check_row eqt_checks_grants[];
extern const struct eqt_check_row eqt_checks_budgets[];
extern const struct eqt_check_row eqt_checks_gres[];
extern const struct eqt_check_row eqt_checks_selftest[];
extern const struct eqt_check_row eqt_checks_migration[];
extern const struct eqt_check_row eqt_checks_names[];
extern const struct eqt_check_row eqt_checks_nodes[];
extern const struct eqt_check_row eqt_checks_priority[];
extern const struct eqt_check_row eqt_checks_setup[];
extern const struct eqt_check_row eqt_checks_unmodelled[];

/* Add a finding of the running check. The text is copied without its control
 * characters. */
void eqt_check_find(struct eqt_check *check, enum eqt_check_level level,
		    struct eqt_check_where where, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Does the running check have a finding at this place already? Many nodes share a line,
 * for which one finding is enough. */
bool eqt_check_has_found(const struct eqt_check *check,
			 struct eqt_check_where where);

/* The place of a line of slurm.conf or gres.conf. NULL means slurm.conf as a whole. */
struct eqt_check_where eqt_check_where_line(
	const struct eqt_check *check, const struct eqt_slurmconf_line *line);

/* The place of the last line of slurm.conf with the key, or the file as a whole. */
struct eqt_check_where eqt_check_where_key(const struct eqt_check *check,
					   const char *key);

/* A place in equitree.conf, found by eqt_places_find(). */
struct eqt_check_where eqt_check_where_conf(const struct eqt_check *check,
					    const char *section,
					    const char *name, const char *key);

/* The place of the bundle gpu[model]. */
struct eqt_check_where eqt_check_where_bundle(const struct eqt_check *check,
					      uint32_t model, const char *key);

/* The place of a row in the file of accounts. */
struct eqt_check_where eqt_check_where_assoc(const struct eqt_check *check,
					     size_t row);

/* Add a warning or an error about a key or a line of slurm.conf, or about a place in
 * equitree.conf. The place is found by the functions above. */
#define eqt_check_warn_key(check, key, ...)      \
	eqt_check_find(check, EQT_CHECK_WARNING, \
		       eqt_check_where_key(check, key), __VA_ARGS__)
#define eqt_check_fail_key(check, key, ...)    \
	eqt_check_find(check, EQT_CHECK_ERROR, \
		       eqt_check_where_key(check, key), __VA_ARGS__)
#define eqt_check_warn_line(check, line, ...)    \
	eqt_check_find(check, EQT_CHECK_WARNING, \
		       eqt_check_where_line(check, line), __VA_ARGS__)
#define eqt_check_warn_conf(check, section, name, key, ...)             \
	eqt_check_find(check, EQT_CHECK_WARNING,                        \
		       eqt_check_where_conf(check, section, name, key), \
		       __VA_ARGS__)

/* The value of the key in slurm.conf, or the default "without". */
const char *eqt_check_value(const struct eqt_check *check, const char *key,
			    const char *without);

/* Like eqt_check_value(), as a number. A text that is not a number counts as 0. */
uint64_t eqt_check_number(const struct eqt_check *check, const char *key,
			  uint64_t without);

/* Call each() for every GPU of a node. A GPU is a GRES named gpu, or a GRES with a
 * bundle. If the node's Gres is invalid, each() is not called. */
void eqt_check_node_gpus(const struct eqt_check *check,
			 const struct eqt_cluster_node *node,
			 void (*each)(const struct eqt_gres *gres, void *with),
			 void *with);

/* Find a file in a list of folders "a:b". Returns 1 with its path, 0 if no folder has it,
 * or -1 if none of the folders exists on this host. */
int eqt_check_find_file(char path[PATH_MAX], const char *folders,
			const char *name);

/* Does a bundle have this GRES name, with any type or without one? */
bool eqt_check_has_gres(const struct eqt_check *check, const char *name);

/* How many units of Slurm's billing, by these TRESBillingWeights, make one equivalent in
 * a line's partition. 0 if weights and bundle disagree, so that there is no such
 * number. */
double eqt_check_billing_unit(const struct eqt_check *check, size_t line,
			      const char *weights);

/* Write the TRESBillingWeights that match the bundles in a line's partition. Returns buf,
 * or NULL with *why set to static text if no weights match. */
const char *eqt_check_billing_line(const struct eqt_check *check, size_t line,
				   char *buf, size_t size, const char **why);

/* Print the meaning of equitree.conf as tables. If slurm.conf was read, also print the
 * matching TRESBillingWeights. */
void eqt_check_show(const struct eqt_check *check, bool headings);

#endif
