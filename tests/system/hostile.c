/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostile: job descriptions that no client of Slurm's would send, filled by
 * hand and sent through libslurm's public calls.
 *
 *	hostile submit|test|update JOB
 *	hostile stall JOB	descriptions that take long to judge
 *	hostile probe JOB MS	ask for a job that long, print the longest wait
 *	hostile nodes PARTITION LIST MIB MINUTES	one task on one node and on all of a
 *		list, whose number sbatch would have sent; print its id or the error
 *
 * "test" asks whether a job could run, like --test-only. Each field gets each
 * value of its kind, one at a time and some together. The messages of the
 * submission are checked here; libslurm's errors go to standard error. The last
 * line counts. The status is 1 if a message had a control character.
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "slurm/compat.h"
#include "../compat/load_job.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define HUGE_TEXT ((size_t) 1 << 20)
#define MANY 10000
#define FAR_AWAY_S (30 * 24 * 3600)

static struct {
	const char *verb;
	const char *job;
	unsigned long sent, taken, raw;
} run;

#define TEXT(name)                                  \
	{                                           \
		#name, offsetof(job_desc_msg_t, name) \
	}
/* "extra" is left out: Slurm 22.05 itself frees it twice and crashes. */
static const struct {
	const char *name;
	size_t offset;
} texts[] = {
	TEXT(account),	     TEXT(acctg_freq),	    TEXT(admin_comment),
	TEXT(array_inx),     TEXT(batch_features),  TEXT(burst_buffer),
	TEXT(comment),	     TEXT(container),	    TEXT(cpu_bind),
	TEXT(cpus_per_tres), TEXT(dependency),	    TEXT(exc_nodes),
	TEXT(features),	    TEXT(licenses),
	TEXT(mail_user),     TEXT(mcs_label),	    TEXT(mem_bind),
	TEXT(mem_per_tres),  TEXT(name),	    TEXT(network),
	TEXT(partition),     TEXT(prefer),	    TEXT(qos),
	TEXT(req_nodes),     TEXT(reservation),	    TEXT(std_err),
	TEXT(tres_bind),     TEXT(tres_freq),	    TEXT(tres_per_job),
	TEXT(tres_per_node), TEXT(tres_per_socket), TEXT(tres_per_task),
	TEXT(wckey),	     TEXT(work_dir),
};

static const char *const values[] = {
	"",
	" ",
	",",
	"\001\002\003\004\005\006\a\b\t\v\f\016\017\033\177\200\377\376",
	"\033[31mred\033]0;title\a\r\nsecond line\n",
	"def-x_gpu\033[2J",
	"gpu:\033[2J:1",
	"%s%n%n%n%n%s%999999999d",
	"def-y_gpu",
	"DEF-Y",
	"_gpu",
	"../../../../etc/passwd",
	"gres:gpu:18446744073709551615",
	"gres:gpu:18446744073709551616",
	"gres:gpu:9223372036854775808,gres:gpu:9223372036854775808",
	"gres:gpu:p100:4294967297",
	"gres:gpu:p100:18014398509481984K,gres:gpu:v100:1",
	"gres:gpu:-1",
	"gres:gpu:0x7fffffffffffffff",
	"gres:gpu:1:1:1:1:1",
	"gres:gpu:p100:1,gres:gpu:1",
	"gres/gpu=1,gres/gpu:=,gres/=",
	"0-4294967295",
	"0-18446744073709551615:18446744073709551615%18446744073709551615",
	"1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
	"nosuch,nosuch,,,nosuch",
	"NaN",
};

#define NUMBER(name)                                                   \
	{                                                              \
		#name, offsetof(job_desc_msg_t, name),                 \
			sizeof(((job_desc_msg_t *) 0)->name)           \
	}
static const struct {
	const char *name;
	size_t offset, size;
} numbers[] = {
	NUMBER(num_tasks),	   NUMBER(cpus_per_task),
	NUMBER(min_cpus),	   NUMBER(max_cpus),
	NUMBER(min_nodes),	   NUMBER(max_nodes),
	NUMBER(pn_min_cpus),	   NUMBER(pn_min_memory),
	NUMBER(ntasks_per_node),   NUMBER(ntasks_per_tres),
	NUMBER(ntasks_per_socket), NUMBER(ntasks_per_core),
	NUMBER(sockets_per_node),  NUMBER(cores_per_socket),
	NUMBER(threads_per_core),  NUMBER(time_limit),
	NUMBER(time_min),	   NUMBER(shared),
	NUMBER(overcommit),	   NUMBER(core_spec),
	NUMBER(nice),		   NUMBER(site_factor),
	NUMBER(priority),	   NUMBER(user_id),
	NUMBER(het_job_offset),	   NUMBER(bitflags),
	NUMBER(task_dist),	   NUMBER(pn_min_tmp_disk),
};

static const uint64_t edges[] = {
	0,
	1,
	0x7f,
	0xff,
	0x7fff,
	0xfffd,
	0xffff,
	0x7fffffff,
	0x80000000,
	0xfffffffd,
	0xffffffff,
	UINT64_C(0x7fffffffffffffff),
	UINT64_C(0x8000000000000000),
	UINT64_C(0x8000000000000001),
	UINT64_C(0xbfffffffffffffff),
	UINT64_C(0xfffffffffffffffd),
	UINT64_C(0xfffffffffffffffe),
	UINT64_C(0xffffffffffffffff),
};

static char script[] = "#!/bin/sh\nexit 0\n";
static char partition[] = "p100";
static char home[] = "/tmp";
static char path[] = "PATH=/usr/bin:/bin";
static char *environment[] = { path };

/* A valid request, for a time that no test lives to see. */
static void begin(job_desc_msg_t *desc)
{
	slurm_init_job_desc_msg(desc);
	if (run.job) {
		desc->job_id_str = (char *) (uintptr_t) run.job;
		return;
	}
	desc->script = script;
	desc->partition = partition;
	desc->work_dir = home;
	desc->std_out = desc->std_err = (char *) (uintptr_t) "/dev/null";
	desc->environment = environment;
	desc->env_size = 1;
	desc->min_cpus = 1;
	desc->min_nodes = 1;
	desc->user_id = getuid();
	desc->group_id = getgid();
	desc->begin_time = time(NULL) + FAR_AWAY_S;
}

static bool is_raw(const char *text)
{
	for (; text && *text; text++) {
		if (((unsigned char) *text < ' ' && *text != '\n') ||
		    (unsigned char) *text >= 0x7f)
			return true;
	}
	return false;
}

static int submit(job_desc_msg_t *desc)
{
	submit_response_msg_t *response = NULL;
	int rc = slurm_submit_batch_job(desc, &response);

	if (rc == SLURM_SUCCESS && response && response->job_submit_user_msg &&
	    is_raw(response->job_submit_user_msg))
		run.raw++;
	if (rc == SLURM_SUCCESS)
		slurm_free_submit_response_response_msg(response);
	return rc;
}

static int update(job_desc_msg_t *desc)
{
	job_array_resp_msg_t *response = NULL;
	int rc = slurm_update_job2(desc, &response);

	if (response)
		slurm_free_job_array_resp(response);
	return rc;
}

static void send_it(job_desc_msg_t *desc, const char *what)
{
	int rc;

	/* libslurm prints its error after this line. */
	fprintf(stderr, "--- %s\n", what);
	fflush(stderr);
	errno = 0;
	if (strcmp(run.verb, "submit") == 0)
		rc = submit(desc);
	else if (strcmp(run.verb, "test") == 0)
		rc = slurm_job_will_run(desc);
	else
		rc = update(desc);
	run.sent++;
	if (rc == SLURM_SUCCESS)
		run.taken++;
}

static void send_text(size_t field, char *value, const char *what)
{
	job_desc_msg_t desc;

	begin(&desc);
	memcpy((char *) &desc + texts[field].offset, &value, sizeof(value));
	send_it(&desc, what);
}

static void send_texts(void)
{
	char *huge = malloc(HUGE_TEXT + 1), *list = malloc(HUGE_TEXT + 1);
	const char item[] = "gres:gpu:p100:4294967295,";

	if (!huge || !list)
		exit(2);
	memset(huge, 'A', HUGE_TEXT);
	huge[HUGE_TEXT] = '\0';
	for (size_t i = 0; i < HUGE_TEXT; i++)
		list[i] = item[i % (sizeof(item) - 1)];
	list[HUGE_TEXT] = '\0';
	for (size_t field = 0; field < COUNT(texts); field++) {
		for (size_t i = 0; i < COUNT(values); i++)
			send_text(field, (char *) (uintptr_t) values[i],
				  texts[field].name);
		send_text(field, huge, texts[field].name);
		send_text(field, list, texts[field].name);
	}
	free(list);
	free(huge);
}

/* For --test-only, Slurm's scheduler deals tasks out one by one. Billions of them take
 * minutes, in slurmctld itself. */
static bool takes_minutes(size_t field, uint64_t value)
{
	const size_t offset = numbers[field].offset;

	return strcmp(run.verb, "test") == 0 && (uint32_t) value > 0xffff &&
	       (offset == offsetof(job_desc_msg_t, num_tasks) ||
		offset == offsetof(job_desc_msg_t, min_cpus));
}

/* The low bytes of a value come first on this machine. */
static void send_numbers(void)
{
	for (size_t field = 0; field < COUNT(numbers); field++) {
		for (size_t i = 0; i < COUNT(edges); i++) {
			job_desc_msg_t desc;

			if (takes_minutes(field, edges[i]))
				continue;
			begin(&desc);
			memcpy((char *) &desc + numbers[field].offset,
			       &edges[i], numbers[field].size);
			send_it(&desc, numbers[field].name);
		}
	}
}

/* Numbers that fit, but whose products do not. */
static void send_products(void)
{
	static const char *const lists[] = {
		NULL,
		"gres:gpu:4294967295",
		"gres:gpu:p100:18446744073709551615",
		"gres:gpu:p100:6148914691236517206", /* three of them wrap */
	};

	for (size_t i = 0; i < COUNT(lists); i++) {
		for (size_t j = 0; j < COUNT(edges); j++) {
			job_desc_msg_t desc;
			char *list = (char *) (uintptr_t) lists[i];

			begin(&desc);
			desc.num_tasks = 0xfffffffd;
			desc.cpus_per_task = 0xfffd;
			desc.min_nodes = desc.max_nodes = (uint32_t) edges[j];
			desc.pn_min_memory = edges[j];
			desc.tres_per_task = list;
			desc.tres_per_node = list;
			desc.time_limit = 0xfffffffd;
			send_it(&desc, "products");
			desc.num_tasks = 3;
			desc.shared = 0;
			send_it(&desc, "products");
		}
	}
}

/* Values that only our client plugin, or slurmctld, should write. */
static void send_environments(void)
{
	static char *const forged[] = {
		"_SLURM_SPANK_OPTION_equitree_bill=full",
		"_SLURM_SPANK_OPTION_equitree_bill=\033[31m",
		"_SLURM_SPANK_OPTION_equitree_bill=",
		"_SLURM_SPANK_OPTION_equitree_bill",
		"EQUITREE_PRICE=0",
		"EQUITREE_RATE=-1",
		"EQUITREE_BILLING=0",
		"=",
		"",
	};
	char **many = calloc(MANY, sizeof(*many));
	job_desc_msg_t desc;

	if (!many)
		exit(2);
	for (size_t i = 0; i < MANY; i++)
		many[i] = forged[i % COUNT(forged)];
	begin(&desc);
	desc.spank_job_env = many;
	desc.spank_job_env_size = MANY;
	send_it(&desc, "spank_job_env");
	begin(&desc);
	desc.environment = many;
	desc.env_size = MANY;
	send_it(&desc, "environment");
	for (size_t i = 0; i < COUNT(forged); i++) {
		begin(&desc);
		desc.spank_job_env = (char **) (uintptr_t) &forged[i];
		desc.spank_job_env_size = 1;
		send_it(&desc, "spank_job_env");
	}
	free(many);
}

/* ---- What takes long to judge ----------------------------------------------- */

#define STALL_TIMES 3

static long now_ms(void)
{
	struct timespec now;

	(void) clock_gettime(CLOCK_MONOTONIC, &now);
	return (long) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Repeat a whole piece up to size bytes; NULL stays NULL. */
static char *repeated(const char *piece, size_t size)
{
	const size_t length = piece ? strlen(piece) : 0;
	char *text = piece ? malloc(size + 1) : NULL;

	if (!piece)
		return NULL;
	if (!text)
		exit(2);
	size -= size % length;
	for (size_t i = 0; i < size; i++)
		text[i] = piece[i % length];
	text[size] = '\0';
	return text;
}

/* Each is a submission or, with update, a change of the user's own job. */
static const struct stall {
	const char *name;
	const char *partition, *array, *gres, *nodes, *features;
	size_t size; /* the length up to which all strings but the array are repeated */
	bool update;
} stalls[] = {
	{ "an array in one partition, two hundred times", "cpu,",
	  "0-4000000,0-4000000,0-4000000,0-3999995", NULL, NULL, NULL, 800,
	  false },
	{ "an array in one partition, a thousand times", "cpu,",
	  "0-4000000,0-4000000,0-4000000,0-3999995", NULL, NULL, NULL, 4000,
	  false },
	{ "a million partitions", "cpu,", NULL, NULL, NULL, NULL, 4000000,
	  true },
	{ "megabytes of resources", "cpu,", NULL, "gres:gpu:p100:1,", NULL,
	  NULL, 16000000, false },
	{ "brackets", "cpu,", NULL, NULL, "cpu[1-2],", NULL, 900, false },
	{ "thousands of partitions, whole nodes", "cpu,p100,", NULL, NULL,
	  "cpu1,cpu2,", NULL, 100000, false },
	/* Slurm looks up, and logs, each name that is no node's. */
	{ "a million names that no node has", "cpu,", NULL, NULL,
	  "x[1-999][1-999],", NULL, 16, false },
	{ "a million names in a change", "cpu,", NULL, NULL,
	  "x[1-999][1-999],", NULL, 16, true },
	{ "numbers with ten digits", "cpu,", NULL, NULL,
	  "x[0000000001-0000000999][1-999],", NULL, 32, false },
	{ "all strings within the limits", "cpu,p100,", "0-999:2,1-999:3",
	  "gres:gpu:a:1,gres:gpu:b:1,", "cpu1,", "a|b|c|", 1000, false },
};

static void send_stall(const struct stall *stall)
{
	char *text[4];
	job_desc_msg_t desc;

	text[0] = repeated(stall->partition, stall->size);
	text[1] = repeated(stall->gres, stall->size);
	text[2] = repeated(stall->nodes, stall->size);
	text[3] = repeated(stall->features, stall->size);
	run.job = stall->update ? run.job : NULL;
	begin(&desc);
	desc.partition = text[0];
	desc.array_inx = (char *) (uintptr_t) stall->array;
	desc.tres_per_node = desc.tres_per_job = text[1];
	desc.exc_nodes = text[2];
	desc.features = text[3];
	if (stall->nodes)
		desc.shared = 0;
	send_it(&desc, stall->name);
	for (size_t i = 0; i < COUNT(text); i++)
		free(text[i]);
}

static void send_stalls(void)
{
	const char *const job = run.job;

	for (size_t i = 0; i < COUNT(stalls); i++) {
		run.verb = stalls[i].update ? "update" : "submit";
		for (int j = 0; j < STALL_TIMES; j++) {
			const long begun = now_ms();
			run.job = job;
			send_stall(&stalls[i]);
			printf("%ld ms: %s\n", now_ms() - begun,
			       stalls[i].name);
		}
	}
}

/* How long another user waits at most for an answer under slurmctld's job lock. */
static int probe(const char *job, const char *ms)
{
	const uint32_t id = (uint32_t) strtoul(job, NULL, 10);
	const long last = now_ms() + strtol(ms, NULL, 10);
	long longest = 0, begun, totals = 0;

	while ((begun = now_ms()) < last) {
		job_info_msg_t *answer = NULL;
		long waited;

		if (eqt_load_job(&answer, id, 0) == SLURM_SUCCESS)
			slurm_free_job_info_msg(answer);
		waited = now_ms() - begun;
		longest = waited > longest ? waited : longest;
		totals++;
		(void) poll(NULL, 0, 2);
	}
	printf("%ld ms longest of %ld\n", longest, totals);
	return 0;
}

/* How a program submits that fills in a list of nodes alone. */
static int submit_listed(char **words)
{
	submit_response_msg_t *response = NULL;
	job_desc_msg_t desc;

	begin(&desc);
	desc.partition = words[0];
	desc.req_nodes = words[1];
	desc.pn_min_memory = strtoul(words[2], NULL, 10);
	desc.time_limit = (uint32_t) strtoul(words[3], NULL, 10);
	desc.begin_time = 0;
	desc.num_tasks = 1;
	if (slurm_submit_batch_job(&desc, &response) != SLURM_SUCCESS) {
		puts(slurm_strerror(errno));
		return 1;
	}
	printf("%u\n", EQT_DESC_JOB_ID(response));
	slurm_free_submit_response_response_msg(response);
	return 0;
}

int main(int argc, char **argv)
{
	bool updates = argc == 3 && strcmp(argv[1], "update") == 0;

	/* Later releases need it; earlier ones ignore it. */
	slurm_init(NULL);
	if (argc == 4 && strcmp(argv[1], "probe") == 0)
		return probe(argv[2], argv[3]);
	if (argc == 6 && strcmp(argv[1], "nodes") == 0)
		return submit_listed(argv + 2);
	if (argc == 3 && strcmp(argv[1], "stall") == 0) {
		run.job = argv[2];
		send_stalls();
		goto end;
	}
	if (!updates && (argc != 2 || (strcmp(argv[1], "submit") != 0 &&
				       strcmp(argv[1], "test") != 0))) {
		fputs("usage: hostile submit|test|update JOB\n", stderr);
		return 2;
	}
	run.verb = argv[1];
	run.job = argv[2];
	send_texts();
	send_numbers();
	if (strcmp(run.verb, "test") != 0)
		send_products();
	send_environments();
end:
	printf("%lu sent, %lu taken, %lu raw\n", run.sent, run.taken, run.raw);
	return run.raw > 0;
}
