/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit: calls the submission plugin as slurmctld does, from one thread or
 * from many, and checks how it changes a description. README.md has the checks.
 */
#include <dlfcn.h>
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../compat/stand_in.h"
#include "../host/fail.h"
#include "between.h"
#include "bits.h"
#include "budgets.h"
#include "calls.h"
#include "components.h"
#include "crowd.h"
#include "dearest.h"
#include "desc.h"
#include "nodes.h"
#include "reread.h"
#include "stack.h"
#include "stage.h"
#include "worst.h"

#define THREADS_MAX 64
#define STRANGER 54321 /* a user id that nobody has */
#define RECONFIGURES 12
#define CALLS_A_ROUND 25
#define BITMAPS 20000
#define WORST_US 2000 /* the bound for judging any description */
#define LIST_US 200 /* for a user's list of a hundred budgets */

static struct {
	int (*init)(void);
	int (*fini)(void);
	int (*job_submit)(job_desc_msg_t *desc, uint32_t uid, char **err_msg);
	eqt_job_modify_t *job_modify;
} plugin;

static struct {
	unsigned long taken, refused, priced; /* atomic */
} done;

static char folder[] = "/tmp/eqt-submit.XXXXXX";
static const char *plugin_path;

/* ISO C has no way from an object pointer to a function's. */
static void hook(void *handle, void *to, const char *name)
{
	void *symbol = dlsym(handle, name);

	if (!symbol)
		fail("the plugin has no %s", name);
	memcpy(to, &symbol, sizeof(symbol));
}

static void load(const char *path)
{
	void *handle = dlopen(path, RTLD_LAZY);

	if (!handle)
		fail("%s", dlerror());
	hook(handle, &plugin.init, "init");
	hook(handle, &plugin.fini, "fini");
	hook(handle, &plugin.job_submit, "job_submit");
	hook(handle, &plugin.job_modify, "job_modify");
	if (plugin.init() != SLURM_SUCCESS)
		fail("%s refuses to start", path);
}

/* ---- What must hold ------------------------------------------------------- */

static void check_message(int rc, const char *message)
{
	const char *line = message, *c;

	/* Slurm has words of its own for a name that it does not know. */
	if (rc != SLURM_SUCCESS && rc != ESLURM_INVALID_ACCOUNT &&
	    rc != ESLURM_INVALID_QOS && !message)
		fail("a refusal (%d) has no words", rc);
	for (c = message; c && *c; c++) {
		if (((unsigned char) *c < ' ' && *c != '\n') || *c == 0x7f)
			fail("a message has byte 0x%02x", (unsigned char) *c);
	}
	while (line) {
		if (strncmp(line, "equitree: ", 10) != 0)
			fail("a line is not ours: %s", line);
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
}

/* One account for all users who did not request one. */
static void check_account(const job_desc_msg_t *desc, const char *before)
{
	static const struct {
		enum stage_user user;
		const char *account;
	} has[] = {
		{ STAGE_EVE, "def-x_cpu" },
		{ STAGE_EVE, "def-x_gpu" },
		{ STAGE_FAY, "def-y_gpu" },
		{ STAGE_HAL, "staff" },
	};

	if (!desc->account && !before)
		return;
	if (desc->account && before && !strcmp(desc->account, before))
		return;
	for (size_t i = 0; desc->account && i < sizeof(has) / sizeof(*has); i++)
		if (stage_uid(has[i].user) == desc->user_id &&
		    !strcmp(has[i].account, desc->account))
			return;
	fail("account %s was made %s", before, desc->account);
}

/* All fields that the rules must not change: they may set the account, and the
 * QOS of a grant. */
static void check_rest(const job_desc_msg_t *desc, const job_desc_msg_t *was)
{
	job_desc_msg_t copy = *was;

	copy.account = desc->account;
	if (desc->qos && !strcmp(desc->qos, "half"))
		copy.qos = desc->qos;
	if (memcmp(&copy, desc, sizeof(copy)) != 0)
		fail("a description was changed");
}

/* ---- Calls ---------------------------------------------------------------- */

/* The price in a message must be that of one of the two files. */
static void check_price(const char *message)
{
	static const char *const prices[] = { "equitree: cost 2.5 core-equivalents ",
					      "equitree: cost 5 core-equivalents " };

	if (!message || (strncmp(message, prices[0], strlen(prices[0])) &&
			 strncmp(message, prices[1], strlen(prices[1]))))
		fail("the price is none of the two: %s", message);
	__atomic_add_fetch(&done.priced, 1, __ATOMIC_RELAXED);
}

/* What slurmctld holds meanwhile. */
static const slurmctld_lock_t submit_locks = {
	.conf = READ_LOCK, .job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK
};

static void call_submit(job_desc_msg_t *desc, bool plain)
{
	const job_desc_msg_t was = *desc;
	char *account = xstrdup(desc->account), *message = NULL;
	int rc;

	lock_slurmctld(submit_locks);
	rc = plugin.job_submit(desc, desc->user_id, &message);
	unlock_slurmctld(submit_locks);
	check_message(rc, message);
	check_account(desc, account);
	check_rest(desc, &was);
	if (plain)
		check_price(message);
	__atomic_add_fetch(rc == SLURM_SUCCESS ? &done.taken : &done.refused, 1,
			   __ATOMIC_RELAXED);
	xfree(message);
	xfree(account);
}

/*
 * The change of a pending job, by its owner or by another user. 22.05 checks
 * only afterwards who that is, so a change by another user must have no effect.
 */
static void call_modify(job_desc_msg_t *desc, uint64_t *seed)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK,
		.job = WRITE_LOCK,
		.node = WRITE_LOCK,
		.part = READ_LOCK,
	};
	job_details_t details = { .magic = DETAILS_MAGIC,
				       .orig_min_cpus = 1,
				       .min_nodes = 1,
				       .orig_cpus_per_task = NO_VAL16 };
	job_record_t job = { .magic = JOB_MAGIC,
			     .details = &details,
			     .job_state = JOB_PENDING,
			     .user_id = desc->user_id,
			     .account = (char *) (uintptr_t) "def-x_cpu",
			     .partition = (char *) (uintptr_t) "cpu" };
	bool stranger = random_next(seed) >> 63;
	char *account = xstrdup(desc->account), *message = NULL;
	const job_desc_msg_t was = *desc;
	int rc;

	lock_slurmctld(locks);
	rc = eqt_job_modify_call(plugin.job_modify, desc, &job,
				 stranger ? STRANGER : desc->user_id, &message);
	unlock_slurmctld(locks);
	if (stranger && (rc || message || memcmp(&was, desc, sizeof(was)) != 0))
		fail("a stranger's update has an effect");
	if (EQT_JOB_MODIFY_HAS_TEXT)
		check_message(rc, message);
	xfree(message);
	check_account(desc, account);
	check_rest(desc, &was);
	xfree(account);
}

static void call_one(uint64_t *seed)
{
	job_desc_msg_t desc;

	desc_random(&desc, seed);
	call_modify(&desc, seed);
	call_submit(&desc, false);
	desc_free(&desc);
}

/* ---- Modes ---------------------------------------------------------------- */

struct caller {
	pthread_t id;
	uint64_t seed;
	long count;
};

static void *run_caller(void *arg)
{
	struct caller *caller = arg;
	job_desc_msg_t desc;

	for (long i = 0; i < caller->count; i++) {
		call_one(&caller->seed);
		desc_plain(&desc);
		call_submit(&desc, true);
		desc_free(&desc);
	}
	return NULL;
}

/* Valid and invalid files in turns; the last one is valid. */
static void *run_reconfigures(void *last)
{
	for (int i = 0; i < RECONFIGURES; i++)
		stage_reconfigure((enum stage_conf) (i % STAGE_CONFS));
	stage_reconfigure(*(enum stage_conf *) last);
	return NULL;
}

static void hammer_once(int threads, uint64_t seed)
{
	enum stage_conf last = seed % 2 ? STAGE_CONF_A : STAGE_CONF_B;
	struct caller callers[THREADS_MAX];
	pthread_t reconfigures;

	pthread_create(&reconfigures, NULL, run_reconfigures, &last);
	for (int i = 0; i < threads; i++) {
		callers[i].seed = (seed + (uint64_t) i * 7919) * 2 + 1;
		callers[i].count = CALLS_A_ROUND;
		pthread_create(&callers[i].id, NULL, run_caller, &callers[i]);
	}
	for (int i = 0; i < threads; i++)
		pthread_join(callers[i].id, NULL);
	pthread_join(reconfigures, NULL);
	reread_check_last(plugin.job_submit, last);
}

static void hammer(int threads, long rounds, uint64_t seed)
{
	if (threads < 1 || threads > THREADS_MAX)
		fail("wanted are 1 to %d threads", THREADS_MAX);
	for (long i = 0; i < rounds; i++)
		hammer_once(threads, seed + (uint64_t) i);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void) st;
	(void) type;
	(void) ftw;
	return remove(path);
}

static void remove_folder(void)
{
	(void) nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void begin(void)
{
	log_options_t quiet = LOG_OPTS_INITIALIZER;
	char name[] = "slurmctld";

	if (!mkdtemp(folder))
		fail("no folder can be made");
	(void) atexit(remove_folder);
	quiet.stderr_level = LOG_LEVEL_QUIET;
	(void) log_init(name, quiet, SYSLOG_FACILITY_DAEMON, NULL);
	stage_set(folder);
	load(plugin_path);
}

/* The program's status: each kind of result must have occurred. */
static int tell_done(void)
{
	printf("%lu taken, %lu refused, %lu prices looked at\n", done.taken,
	       done.refused, done.priced);
	return done.taken && done.refused ? 0 : 1;
}

static int run_random(char **words, uint64_t seed)
{
	long count = strtol(words[0], NULL, 10);

	for (long i = 0; i < count; i++)
		call_one(&seed);
	return tell_done();
}

static int run_hammer(char **words, uint64_t seed)
{
	hammer(atoi(words[0]), strtol(words[1], NULL, 10), seed);
	return tell_done();
}

static int run_between(char **words, uint64_t seed)
{
	unsigned long stops;

	lock_slurmctld(submit_locks);
	stops = between_run(plugin.job_submit, strtol(words[0], NULL, 10),
			    seed);
	unlock_slurmctld(submit_locks);
	printf("%lu submissions in the middle of another\n", stops);
	return stops ? 0 : 1;
}

static int run_nodes(char **words, uint64_t seed)
{
	(void) words;
	bits_check(BITMAPS, seed);
	printf("%zu changes of nodes seen\n", nodes_check(plugin.job_submit));
	return 0;
}

static int run_second(char **words, uint64_t seed)
{
	(void) words;
	(void) seed;
	reread_check(plugin.job_submit);
	return 0;
}

static int run_components(char **words, uint64_t seed)
{
	(void) words;
	(void) seed;
	printf("%d jobs of several components\n",
	       components_check(plugin.job_submit));
	return 0;
}

static int run_dearest(char **words, uint64_t seed)
{
	unsigned long compared;

	crowd_set();
	compared = dearest_check(plugin.job_submit, strtol(words[0], NULL, 10),
				 seed);
	printf("%lu prices compared with those of all partitions\n", compared);
	return compared ? 0 : 1;
}

static int run_tell(char **words, uint64_t seed)
{
	calls_tell(plugin.job_submit, strtol(words[0], NULL, 10), seed);
	return 0;
}

static int run_turned(char **words, uint64_t seed)
{
	calls_turned(plugin.job_submit, strtol(words[0], NULL, 10), seed);
	return 0;
}

/* A call as slurmctld makes it, without the checks of call_submit(): they read
 * more than the plugin needs to. */
static void call_worst(job_desc_msg_t *desc, bool is_change)
{
	job_details_t details = { .magic = DETAILS_MAGIC,
				  .orig_min_cpus = 1,
				  .min_nodes = 1,
				  .orig_cpus_per_task = NO_VAL16,
				  .features = desc->features,
				  .req_nodes = desc->req_nodes,
				  .exc_nodes = desc->exc_nodes };
	/* The job has all of it already: where the change is refused, that is
	   judged as well. */
	job_record_t job = { .magic = JOB_MAGIC,
			     .details = &details,
			     .job_state = JOB_PENDING,
			     .user_id = desc->user_id,
			     .account = (char *) (uintptr_t) "def-a499_cpu",
			     .partition = desc->partition
						  ? desc->partition
						  : (char *) (uintptr_t) "cpu",
			     .tres_per_job = desc->tres_per_job,
			     .tres_per_node = desc->tres_per_node,
			     .tres_per_socket = desc->tres_per_socket,
			     .tres_per_task = desc->tres_per_task,
			     .cpus_per_tres = desc->cpus_per_tres,
			     .mem_per_tres = desc->mem_per_tres };
	char *message = NULL;

	if (is_change)
		(void) eqt_job_modify_call(plugin.job_modify, desc, &job,
					   desc->user_id, &message);
	else
		(void) plugin.job_submit(desc, desc->user_id, &message);
	xfree(message);
}

/* The program's status says whether the bound holds. */
static int search(double bound_us, const char *rounds, uint64_t seed)
{
	crowd_set();
	budgets_set(plugin_path);
	return worst_search(call_worst, strtol(rounds, NULL, 10), seed) <=
			       bound_us
		       ? 0
		       : 1;
}

static int run_worst(char **words, uint64_t seed)
{
	return search(WORST_US, words[0], seed);
}

/* The same with a bound of the caller's, for machines that have other work. */
static int run_bound(char **words, uint64_t seed)
{
	return search(strtod(words[0], NULL), words[1], seed);
}

/* Budgets that a user lists. The bound is that of bench/README.md. */
static int run_list(char **words, uint64_t seed)
{
	double us;

	(void) words;
	(void) seed;
	crowd_set();
	budgets_set(plugin_path);
	us = budgets_list(plugin.job_submit);
	printf("%.1f us for the longest answer\n", us);
	return us <= LIST_US ? 0 : 1;
}

static int run_calls(char **words, uint64_t seed)
{
	(void) seed;
	calls_run(plugin.job_submit, words[0], strtol(words[1], NULL, 10));
	return 0;
}

/* Of several calls, the first also reads the configuration. */
static int run_stack(char **words, uint64_t seed)
{
	(void) seed;
	stack_set(plugin.job_submit);
	calls_run(stack_submit, words[0], 3);
	printf("%zu\n", stack_depth());
	return 0;
}

static const struct mode {
	const char *name;
	int words; /* after the name, without the seed */
	int (*run)(char **words, uint64_t seed);
	const char *shape; /* what comes after the name */
} modes[] = {
	{ "random", 1, run_random, "COUNT [SEED]" },
	{ "between", 1, run_between, "PAIRS [SEED]" },
	{ "nodes", 0, run_nodes, "" },
	{ "second", 0, run_second, "" },
	{ "components", 0, run_components, "" },
	{ "dearest", 1, run_dearest, "COUNT [SEED]" },
	{ "tell", 1, run_tell, "COUNT [SEED]" },
	{ "turned", 1, run_turned, "COUNT [SEED]" },
	{ "calls", 2, run_calls, "KIND COUNT" },
	{ "stack", 1, run_stack, "KIND" },
	{ "worst", 1, run_worst, "ROUNDS [SEED]" },
	{ "bound", 2, run_bound, "US ROUNDS [SEED]" },
	{ "list", 0, run_list, "" },
	{ "hammer", 2, run_hammer, "THREADS ROUNDS [SEED]" },
};

static _Noreturn void usage(void)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		fprintf(stderr, "usage: submit PLUGIN.so %s %s\n",
			modes[i].name, modes[i].shape);
	exit(2);
}

static const struct mode *mode_of(int argc, char **argv)
{
	for (size_t i = 0; argc > 2 && i < sizeof(modes) / sizeof(*modes); i++)
		if (!strcmp(argv[2], modes[i].name) &&
		    (argc == 3 + modes[i].words || argc == 4 + modes[i].words))
			return &modes[i];
	usage();
}

int main(int argc, char **argv)
{
	const struct mode *mode = mode_of(argc, argv);
	uint64_t seed = 1;
	int status;

	if (argc > 3 + mode->words)
		seed = strtoull(argv[3 + mode->words], NULL, 10);
	seed = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
	plugin_path = argv[1];
	begin();
	status = mode->run(argv + 3, seed);
	(void) plugin.fini();
	budgets_clear();
	stage_clear();
	log_fini();
	return status;
}
