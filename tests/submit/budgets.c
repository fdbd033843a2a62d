/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../compat/stand_in.h"
#include "../host/cluster.h"
#include "../host/fail.h"
#include "budgets.h"
#include "budget/entry.h"
#include "crowd.h"
#include "slurm/budget_link.h"

#define BUDGETS 100
#define HOUR_U EQT_BUDGET_HOUR_U
#define LISTS 50
#define SEEN 17 /* budgets of the crowd's user */
#define PAUSE_US 10000
#define PATIENCE 1000 /* pauses */

/* slurmctld's, for the priority plugin. */
bitstr_t *avail_node_bitmap, *idle_node_bitmap;
list_t *resv_list;
time_t last_resv_update;

job_record_t *find_job_record(uint32_t id)
{
	(void) id;
	return NULL;
}

static struct {
	const struct eqt_budget_link *link;
	EQT_FINI_TYPE (*fini)(void);
	uint64_t requests;
} budgets;

static void symbol_take(void *handle, void *to, const char *name)
{
	void *symbol = dlsym(handle, name);

	if (!symbol)
		fail("the priority plugin has no %s", name);
	memcpy(to, &symbol, sizeof(symbol));
}

static void plugin_load(const char *submit_plugin)
{
	char path[PATH_MAX], real[PATH_MAX];
	const char *slash = strrchr(submit_plugin, '/');
	int (*init)(void);
	void *handle;

	(void) snprintf(path, sizeof(path),
			"%.*s/../../priority/.libs/priority_equitree.so",
			slash ? (int) (slash - submit_plugin) : 1,
			slash ? submit_plugin : ".");
	handle = realpath(path, real) ? dlopen(real, RTLD_LAZY) : NULL;
	if (!handle)
		fail("%s cannot be loaded", path);
	symbol_take(handle, &init, "init");
	symbol_take(handle, &budgets.fini, "fini");
	symbol_take(handle, &budgets.link, EQT_BUDGET_LINK_SYMBOL);
	if (init() != SLURM_SUCCESS)
		fail("%s refuses to start", path);
}

static bool operates(uid_t uid)
{
	return uid == 0;
}

/* Send a request until it is carried out. */
static void request(const char *text)
{
	const struct eqt_budget_caller root = { .operates = operates };
	char status[64], *answer = budgets.link->request(text, &root);

	(void) snprintf(status, sizeof(status), "status %llu",
			(unsigned long long) budgets.requests);
	for (int i = 0; answer && strncmp(answer, "wait", 4) == 0; i++) {
		free(answer);
		(void) usleep(PAUSE_US);
		if (i > PATIENCE)
			fail("the budgets do not answer");
		answer = budgets.link->request(status, &root);
	}
	if (!answer || strncmp(answer, "ok", 2) != 0)
		fail("no budget: %s", answer ? answer : "out of memory");
	free(answer);
}

/* Each third budget is of the last account, which is the one of the crowd's user, and has
 * hardly an hour. */
static void grant(int number)
{
	const bool scarce = number % 3 == 0;
	struct eqt_entry entry = { .kind = EQT_ENTRY_GRANT,
				   .request = ++budgets.requests,
				   .why = "crowd" };
	struct eqt_budget_terms *terms = &entry.state.terms;
	char text[EQT_ENTRY_TEXT];
	uint32_t crc = 0;
	int length;

	(void) snprintf(terms->account, sizeof(terms->account), "def-a%d_%s",
			scarce ? 499 : number, number % 2 ? "gpu" : "cpu");
	if (number % 9 == 0)
		(void) snprintf(terms->user, sizeof(terms->user), "u49999");
	terms->amount_u = scarce ? HOUR_U : 1000000 * HOUR_U;
	terms->way = (enum eqt_budget_way) (number / 3 % EQT_BUDGET_WAYS);
	if (terms->way == EQT_BUDGET_BONUS)
		(void) snprintf(terms->bonus, sizeof(terms->bonus), "half");
	length = eqt_entry_body(&entry, text, sizeof(text));
	if (length < 0 || eqt_entry_seal(0, &crc, text, (size_t) length,
					 sizeof(text)) < 0)
		fail("the request is too long");
	request(text);
}

void budgets_set(const char *submit_plugin)
{
	char state[PATH_MAX];

	/* StateSaveLocation */
	(void) snprintf(state, sizeof(state), "%s/state",
			cluster_folder_name());
	if (mkdir(state, 0700) != 0)
		fail("no folder %s can be made", state);
	if (!job_list)
		job_list = list_create(NULL);
	plugin_load(submit_plugin);
	for (int i = 0; i < BUDGETS; i++)
		grant(i);
	if (!budgets.link->active())
		fail("there are no budgets");
}

static double cpu_us(void)
{
	struct timespec time;

	(void) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double) time.tv_sec * 1e6 + (double) time.tv_nsec / 1e3;
}

/* One answer of a list, from an id on; returns the next id, or 0. */
static unsigned long list_ask(budgets_submit_t *submit, unsigned long from,
			      size_t *rows, double *took)
{
	char comment[64], *answer = NULL;
	unsigned long next;
	job_desc_msg_t desc;

	(void) snprintf(comment, sizeof(comment), EQT_BUDGET_COMMENT "list %lu",
			from);
	slurm_init_job_desc_msg(&desc);
	desc.user_id = crowd_uid();
	desc.comment = comment;
	*took = -cpu_us();
	(void) submit(&desc, desc.user_id, &answer);
	*took += cpu_us();
	if (!answer || sscanf(answer, "ok %lu", &next) != 1)
		fail("no list: %s", answer);
	for (const char *c = strchr(answer, '\n') + 1; *c; c++)
		*rows += *c == '\n';
	xfree(answer);
	return next;
}

double budgets_list(budgets_submit_t *submit)
{
	double least[BUDGETS], worst = 0, took;
	size_t answers = 0;

	for (int i = 0; i < LISTS; i++) {
		size_t rows = 0, answer = 0;

		for (unsigned long from = 1; from; answer++) {
			from = list_ask(submit, from, &rows, &took);
			if (i == 0 || took < least[answer])
				least[answer] = took;
		}
		if (rows != SEEN)
			fail("a list has %zu rows", rows);
		answers = answer;
	}
	for (size_t i = 0; i < answers; i++)
		worst = least[i] > worst ? least[i] : worst;
	printf("%d budgets in %zu answers\n", BUDGETS, answers);
	return worst;
}

void budgets_clear(void)
{
	if (budgets.fini)
		(void) budgets.fini();
}
