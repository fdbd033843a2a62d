/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "../compat/stand_in.h"
#include "../host/assocs.h"
#include "../host/cluster.h"
#include "../host/fail.h"
#include "../host/jobs.h"
#include "stage.h"

#define NODES 3

part_record_t *default_part_loc;

static node_record_t nodes[NODES] = {
	{ .cpus_efctv = 32, .real_memory = 128000, .tpc = 1 },
	{ .cpus_efctv = 24,
	  .real_memory = 128000,
	  .tpc = 1,
	  .gres = (char *) (uintptr_t) "gpu:p100:4" },
	{ .cpus_efctv = 64,
	  .real_memory = 192000,
	  .tpc = 2,
	  .gres = (char *) (uintptr_t) "gpu:v100:4" },
};

/* The prices of memory differ, and so do those of desc_plain(): 2.5 and 5. */
#define REST                                                                   \
	"bundle \"gpu:p100\" { cores = 6  memory = 32000M }\n"                 \
	"bundle \"gpu:v100\" { cores = 3.5  memory = 22500M  weight = 4 }\n"   \
	"bundle \"gpu:v100\" { cores = 8  features = big,new }\n" \
	"grant \"def-*\" { spent = bonus  scarce = bonus  bonus = half }\n" \
	"partition \"strict\" { require = time,memory,cores  max = 3 }\n"      \
	"qos \"half\" { factor = 0.5 }\n"                                      \
	"pool \"gpu\" { suffix = _gpu }\n"                                     \
	"pool \"cpu\" { suffix = _cpu }\n"

static const char *const confs[STAGE_CONFS] = {
	[STAGE_CONF_A] = "message = brief  bundle cores { cores = 1  memory = 4000M }\n" REST,
	[STAGE_CONF_B] = "message = brief  bundle cores { cores = 1  memory = 2000M }\n" REST,
	[STAGE_CONF_BAD] = "bundle cores { cores = 1  memory = 1000M\n",
};

static uint32_t uids[STAGE_USERS];

uint32_t stage_uid(enum stage_user user)
{
	return uids[user];
}

/* libslurmfull finds this function first. assoc_mgr gives an association the
 * number of its user, and these users are in no file of this machine. */
int getpwnam_r(const char *name, struct passwd *entry, char *buf, size_t size,
	       struct passwd **result)
{
	*entry = (struct passwd){ .pw_uid = assocs_uid(name) };
	*result = entry;
	(void) buf;
	(void) size;
	return 0;
}

/* Only root may see the jobs of others. */
bool validate_operator(uid_t uid)
{
	return uid == 0;
}

/* assocs.c calls this for users with jobs. */
void jobs_assoc_removed(const slurmdb_assoc_rec_t *assoc)
{
	(void) assoc;
}

void fail(const char *format, ...)
{
	va_list args;

	fputs("submit: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	_exit(2);
}

static void event(void (*act)(const struct words *words), const char *line)
{
	char copy[128];
	struct words words;

	(void) snprintf(copy, sizeof(copy), "%s", line);
	words_cut(&words, copy);
	act(&words);
}

static void add_partition(const char *line, const char *range)
{
	char name[64], *text = (char *) (uintptr_t) range;
	part_record_t *part;

	event(cluster_partition, line);
	(void) sscanf(line, "partition %63s", name);
	part = find_part_record(name);
	part->node_bitmap = bit_alloc(NODES);
	if (bit_unfmt(part->node_bitmap, text) != 0)
		fail("nodes %s are none", range);
	part->max_share = 1;
	part->def_mem_per_cpu = 4000 | MEM_PER_CPU;
}

static void add_nodes(void)
{
	node_record_table_ptr = xcalloc(NODES, sizeof(*node_record_table_ptr));
	for (int i = 0; i < NODES; i++)
		node_record_table_ptr[i] = &nodes[i];
	eqt_slurm_node_count_set(NODES);
}

/* Numbers are assigned once, before threads start. */
static void number_users(void)
{
	static const char *const names[STAGE_USERS] = { "eve", "fay", "hal",
							"nobody" };

	for (int i = 0; i < STAGE_USERS; i++)
		uids[i] = assocs_uid(names[i]);
}

static void add_users(void)
{
	static const char *const accounts[] = {
		"account def-x_cpu", "account def-x_gpu", "account def-y_cpu",
		"account def-y_gpu", "account staff",
	};
	static const char *const users[] = {
		"user eve account=def-x_cpu",
		"user eve account=def-x_gpu",
		"user fay account=def-y_gpu",
		"user hal account=staff",
	};

	event(assocs_add_qos, "qos half");
	for (size_t i = 0; i < sizeof(accounts) / sizeof(*accounts); i++)
		event(assocs_add_account, accounts[i]);
	assocs_flush();
	for (size_t i = 0; i < sizeof(users) / sizeof(*users); i++)
		event(assocs_add_user, users[i]);
	assocs_flush();
}

static void write_conf(enum stage_conf conf)
{
	char path[PATH_MAX];
	FILE *file;

	(void) snprintf(path, sizeof(path), "%s/equitree.conf",
			cluster_folder_name());
	file = fopen(path, "w");
	if (!file || fputs(confs[conf], file) < 0 || fclose(file) != 0)
		fail("%s cannot be written", path);
}

void stage_set(const char *folder)
{
	cluster_folder(folder);
	cluster_conf("SelectType=select/cons_tres");
	cluster_conf("SelectTypeParameters=CR_Core_Memory");
	cluster_ready();
	write_conf(STAGE_CONF_A);
	add_nodes();
	add_partition("partition cpu", "0");
	add_partition("partition gpu", "1-2");
	add_partition("partition strict", "0");
	add_partition("partition whole", "0-2");
	find_part_record((char *) (uintptr_t) "whole")->max_share = 0;
	default_part_loc = find_part_record((char *) (uintptr_t) "cpu");
	add_users();
	number_users();
}

void stage_reconfigure_at(enum stage_conf conf, time_t second)
{
	slurmctld_lock_t locks = {
		.conf = WRITE_LOCK,
		.job = WRITE_LOCK,
		.node = WRITE_LOCK,
		.part = WRITE_LOCK,
	};

	lock_slurmctld(locks);
	write_conf(conf);
	slurm_conf.last_update = second;
	unlock_slurmctld(locks);
}

void stage_reconfigure(enum stage_conf conf)
{
	stage_reconfigure_at(conf, slurm_conf.last_update + 1);
}

void stage_clear(void)
{
	static const char *const names[] = { "cpu", "gpu", "strict", "whole" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		FREE_NULL_BITMAP(
			find_part_record((char *) (uintptr_t) names[i])
				->node_bitmap);
	xfree(node_record_table_ptr);
	assocs_free();
	cluster_free();
}
