/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../host/fail.h"
#include "crowd.h"
#include "desc.h"
#include "worst.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define REPEATS 3 /* of a description that is not known to be worse */
#define CONFIRM 20 /* of one that seems to be */
#define AGAIN 300 /* of the worst, at the end */
#define TEXT_MOST 8192 /* of a changed text; attacks have longer ones */
#define SHOWN 60
#define GPUS_OF_NO_MODEL 14 /* of pieces[] */

/* ---- Texts ------------------------------------------------------------------ */

/* Repeat a piece, with a counter in the place of %d, up to size bytes; number
 * is the number of different pieces. */
static char *repeated(const char *piece, int numbers, size_t size)
{
	char *text = xmalloc(size + 64);
	size_t length = 0;

	for (int i = 0;; i++) {
		char one[64];
		int written;

		(void) snprintf(one, sizeof(one), "%s", piece);
		if (strstr(piece, "%d")) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			(void) snprintf(one, sizeof(one), piece,
					numbers ? i % numbers : i);
#pragma GCC diagnostic pop
		}
		written = (int) strlen(one);
		if (length + (size_t) written > size)
			return text;
		memcpy(text + length, one, (size_t) written + 1);
		length += (size_t) written;
	}
}

/* The pieces of texts, and how many different ones there are of each. */
static const struct {
	const char *piece;
	int numbers;
} pieces[] = {
	{ "p%d,", 200 },
	{ "p%d,", 20 },
	{ "cpu,", 0 },
	{ "nosuch,", 0 },
	{ "0-4000000,", 0 },
	{ "0-4000000:%d,", 900 },
	{ "%d-4000000:64,", 64 },
	{ "%d,", 0 },
	{ "gres:gpu:t%d:1,", 64 },
	{ "gres:gpu:t%d:1,", 900 },
	{ "gpu:t%d,", 64 },
	{ "gpu:v100:1,", 0 },
	{ "gres:gpu:a100:1,", 0 },
	{ "gpu:%d,", 0 },
	{ "gres:gpu:8,", 0 },
	{ "x:0,", 0 },
	{ "rack%d|", 0 },
	{ "r%d|", 0 },
	{ "%d&", 0 },
	{ "new&", 0 },
	{ "n%d,", CROWD_NODES },
	{ "n%d,", 7 },
	{ "n[0-4999],", 0 },
	{ "n[0-999][0-9],", 0 },
	{ "n[%d],", CROWD_NODES },
	{ ",", 0 },
	{ "def-a499_cpu", 0 },
	{ "q%d,", 16 },
};

/* As many QOS as a job may name. */
#define QOS_NAMES \
	"half,q1,q2,q3,q4,q5,q6,q7,q8,q9,q10,q11,q12,q13,q14,q15"

/* ---- Attacks ---------------------------------------------------------------- */

/*
 * The fields of a description: numbers of pieces[], and lengths; -1: not set.
 */
static const struct attack {
	const char *name;
	int partition, array, gres, features, nodes, without;
	size_t size;
	uint16_t shared;
	bool no_memory; /* --mem=0 */
	const char *account; /* NULL: the default one */
	const char *qos; /* NULL: the default one */
	size_t nodes_size; /* of `nodes`; 0: 4 * size */
	bool whole_only; /* `gres` is not for tasks, CPUs, and memory. */
} attacks[] = {
	{ "one partition", -1, -1, -1, -1, -1, -1, 0, 1, false, NULL, NULL, 0, false },
	{ "one partition two hundred times, and an array", 2, 4, -1, -1, -1,
	  -1, 1000, 1, false, NULL, NULL, 0, false },
	{ "an array of many steps", 0, 5, -1, -1, -1, -1, 1000, 1, false, NULL, NULL, 0, false },
	{ "a million partition names", 2, -1, -1, -1, -1, -1, 4000000, 1,
	  false, NULL, NULL, 0, false },
	{ "a long list of resources", 0, -1, 8, -1, -1, -1, 16000000, 1,
	  false, NULL, NULL, 0, false },
	{ "all partitions, whole nodes, a long list of nodes", 0, -1, -1, -1,
	  -1, 20, 1000, 0, true, NULL, NULL, 0, false },
	{ "whole nodes, and lists of nodes in brackets", 0, -1, -1, -1, 22, 23,
	  1000, 0, true, NULL, NULL, 0, false },
	{ "lists of resources within the limits", 0, -1, 8, -1, -1, -1, 1000,
	  1, false, NULL, NULL, 0, false },
	{ "features within the limits", 0, -1, 12, 16, -1, -1, 500, 0, true, NULL, NULL, 0, false },
	{ "features that all must be there", 0, -1, 12, 18, -1, -1, 500, 0,
	  true, NULL, NULL, 0, false },
	{ "GPUs without a model", 0, -1, GPUS_OF_NO_MODEL, -1, -1, -1, 1000, 1,
	  false, NULL, NULL, 0, false },
	{ "names that no node has", 0, -1, -1, -1, 3, 22, 1000, 0, true, NULL, NULL, 0, false },
	{ "GPUs in all partitions on an account of the other pool", 0, -1, 12,
	  -1, -1, -1, 1000, 1, false, "def-a499_cpu",
	  NULL, 0, false },
	{ "all of it at once", 0, 5, 8, 16, 22, 20, 1000, 0, true, NULL, NULL, 0, false },
	{ "as many QOS as one can name", 0, 5, 8, 16, 22, 20, 1000, 0, true, NULL,
	  QOS_NAMES, 0, false },
	{ .name = "whole nodes in many partitions, and as many nodes and GPUs "
		  "as one can name",
	  .partition = 0, .array = -1, .gres = 12, .features = -1, .nodes = 20,
	  .without = -1, .size = 500, .shared = 0, .no_memory = true,
	  .nodes_size = 8190, .whole_only = true },
};

static char *piece_text(int piece, size_t size)
{
	return piece < 0 ? NULL
			 : repeated(pieces[piece].piece, pieces[piece].numbers,
				    size);
}

static void desc_attack(job_desc_msg_t *desc, const struct attack *attack)
{
	const size_t size = attack->size;

	slurm_init_job_desc_msg(desc);
	desc->user_id = crowd_uid();
	desc->num_tasks = 4;
	desc->partition = piece_text(attack->partition, size);
	desc->array_inx = piece_text(attack->array, size);
	desc->tres_per_node = piece_text(attack->gres, size);
	desc->tres_per_job = piece_text(attack->gres, size);
	if (!attack->whole_only) {
		desc->tres_per_task = piece_text(attack->gres, size);
		desc->mem_per_tres = piece_text(attack->gres, size);
		desc->cpus_per_tres = piece_text(attack->gres, size);
	}
	desc->features = piece_text(attack->features, size);
	desc->req_nodes = piece_text(attack->nodes, attack->nodes_size
							    ? attack->nodes_size
							    : 4 * size);
	desc->exc_nodes = piece_text(attack->without, 4 * size);
	desc->shared = attack->shared;
	desc->account = xstrdup(attack->account);
	desc->qos = xstrdup(attack->qos);
	if (attack->no_memory)
		desc->pn_min_memory = 0;
}

/* ---- Changes ---------------------------------------------------------------- */

static const struct {
	const char *name;
	size_t offset;
	size_t most; /* that Slurm accepts, or a change produces */
} texts[] = {
#define TEXT(field, most)                                \
	{                                                \
		#field, offsetof(job_desc_msg_t, field), most \
	}
	TEXT(account, 64),	   TEXT(array_inx, 4096),
	TEXT(cpus_per_tres, 1024), TEXT(exc_nodes, TEXT_MOST),
	TEXT(features, 1024),	   TEXT(mem_per_tres, 1024),
	TEXT(partition, 1024),	   TEXT(qos, 1024),
	TEXT(req_nodes, TEXT_MOST), TEXT(tres_per_job, 1024),
	TEXT(tres_per_node, 1024), TEXT(tres_per_socket, 1024),
	TEXT(tres_per_task, 1024),
#undef TEXT
};

static char **text_at(job_desc_msg_t *desc, size_t field)
{
	return (char **) (void *) ((char *) desc + texts[field].offset);
}

static void desc_copy(job_desc_msg_t *to, const job_desc_msg_t *from)
{
	*to = *from;
	for (size_t i = 0; i < COUNT(texts); i++)
		*text_at(to, i) =
			xstrdup(*text_at((job_desc_msg_t *) (uintptr_t) from,
					 i));
}

static uint64_t below(uint64_t *seed, uint64_t limit)
{
	return (random_next(seed) >> 11) % limit;
}

static void change_text(job_desc_msg_t *desc, uint64_t *seed)
{
	const size_t field = below(seed, COUNT(texts));
	char **text = text_at(desc, field), *more;
	const size_t piece = below(seed, COUNT(pieces));
	size_t size = texts[field].most >> below(seed, 3);

	if (below(seed, 6) == 0) {
		xfree(*text);
		return;
	}
	/* Replace the text, or half of it. */
	if (*text && below(seed, 2)) {
		size_t keep = strlen(*text);

		keep = keep > size / 2 ? size / 2 : keep;
		(*text)[keep] = '\0';
		size -= keep;
	} else {
		xfree(*text);
		*text = xstrdup("");
	}
	more = repeated(pieces[piece].piece, pieces[piece].numbers, size);
	xstrcat(*text, more);
	xfree(more);
}

static void change_number(job_desc_msg_t *desc, uint64_t *seed)
{
	const uint32_t number = (uint32_t) below(seed, 300);

	switch (below(seed, 12)) {
	case 0:
		desc->num_tasks = number;
		break;
	case 1:
		desc->min_nodes = number;
		break;
	case 2:
		desc->max_nodes = number * 20;
		break;
	case 3:
		desc->pn_min_memory = number * (uint64_t) 1000;
		break;
	case 4:
		desc->shared = (uint16_t) below(seed, 3);
		break;
	case 5:
		desc->cpus_per_task = (uint16_t) number;
		break;
	case 6:
		desc->ntasks_per_tres = (uint16_t) below(seed, 4);
		break;
	case 7:
		desc->time_limit = number;
		break;
	case 8:
		desc->ntasks_per_node = (uint16_t) below(seed, 9);
		break;
	case 9:
		desc->threads_per_core = (uint16_t) below(seed, 3);
		break;
	default:
		desc->pn_min_memory = below(seed, 2) ? 0 : NO_VAL64;
	}
}

/* ---- The search -------------------------------------------------------------- */

/* Microseconds of the processor, and of a clock on the wall. */
struct took {
	double cpu, wall;
};

static double clock_us(clockid_t clock)
{
	struct timespec time;

	(void) clock_gettime(clock, &time);
	return (double) time.tv_sec * 1e6 + (double) time.tv_nsec / 1e3;
}

/* One description, of which the plugin may change the account and the QOS. */
static struct took once(worst_call_t *call, const job_desc_msg_t *desc,
			bool is_change)
{
	job_desc_msg_t copy;
	struct took took;

	desc_copy(&copy, desc);
	took.wall = -clock_us(CLOCK_MONOTONIC);
	took.cpu = -clock_us(CLOCK_THREAD_CPUTIME_ID);
	call(&copy, is_change);
	took.cpu += clock_us(CLOCK_THREAD_CPUTIME_ID);
	took.wall += clock_us(CLOCK_MONOTONIC);
	desc_free(&copy);
	return took;
}

/* The least of some measurements, which stop when one is below what counts. */
static struct took measure(worst_call_t *call, const job_desc_msg_t *desc,
			   bool is_change, double enough, int repeats)
{
	struct took least = once(call, desc, is_change);

	for (int i = 1; i < repeats && least.cpu > enough; i++) {
		const struct took next = once(call, desc, is_change);

		least.cpu = next.cpu < least.cpu ? next.cpu : least.cpu;
		least.wall = next.wall < least.wall ? next.wall : least.wall;
	}
	return least;
}

static void print_desc(job_desc_msg_t *desc)
{
	for (size_t i = 0; i < COUNT(texts); i++) {
		const char *text = *text_at(desc, i);

		if (text)
			printf("  %s: %zu bytes: %.*s\n", texts[i].name,
			       strlen(text), SHOWN, text);
	}
	printf("  tasks %u, nodes %u-%u, memory %ju, shared %u, tasks a GPU "
	       "%u\n",
	       desc->num_tasks, desc->min_nodes, desc->max_nodes,
	       (uintmax_t) desc->pn_min_memory, desc->shared,
	       desc->ntasks_per_tres);
}

/* The worst one so far; it owns its strings. */
struct worst {
	job_desc_msg_t desc;
	bool is_change;
	struct took us;
};

static void try_desc(struct worst *worst, worst_call_t *call,
		     job_desc_msg_t *desc, bool is_change)
{
	struct took us = measure(call, desc, is_change, worst->us.cpu, REPEATS);

	/* Other work on the machine makes any description look bad. */
	if (us.cpu > worst->us.cpu)
		us = measure(call, desc, is_change, worst->us.cpu, CONFIRM);

	if (us.cpu <= worst->us.cpu) {
		desc_free(desc);
		return;
	}
	desc_free(&worst->desc);
	*worst = (struct worst){ *desc, is_change, us };
}

static void try_attacks(struct worst *worst, worst_call_t *call)
{
	for (size_t i = 0; i < COUNT(attacks); i++) {
		job_desc_msg_t desc;
		struct took submit, change;

		desc_attack(&desc, &attacks[i]);
		submit = measure(call, &desc, false, 0, REPEATS);
		change = measure(call, &desc, true, 0, REPEATS);
		printf("%8.1f us submitted, %8.1f us changed: %s\n",
		       submit.cpu, change.cpu, attacks[i].name);
		/* Too long to be changed a thousand times. */
		if (attacks[i].size > TEXT_MOST) {
			desc_free(&desc);
			continue;
		}
		try_desc(worst, call, &desc, change.cpu > submit.cpu);
	}
}

double worst_search(worst_call_t *call, long rounds, uint64_t seed)
{
	struct worst worst = { .us = { 0, 0 } };

	slurm_init_job_desc_msg(&worst.desc);
	try_attacks(&worst, call);
	for (long i = 0; i < rounds; i++) {
		job_desc_msg_t desc;
		const size_t from = below(&seed, 4 * COUNT(attacks));

		/* Mostly change the worst one, otherwise an attack. */
		if (from < COUNT(attacks) &&
		    attacks[from].size <= TEXT_MOST)
			desc_attack(&desc, &attacks[from]);
		else
			desc_copy(&desc, &worst.desc);
		for (uint64_t j = below(&seed, 4); j < 4; j++) {
			change_text(&desc, &seed);
			change_number(&desc, &seed);
		}
		desc.user_id = crowd_uid();
		try_desc(&worst, call, &desc, below(&seed, 2) == 0);
	}
	worst.us = measure(call, &worst.desc, worst.is_change, 0, AGAIN);
	printf("worst: %.1f us of processor time, %.1f us on the wall, %s\n",
	       worst.us.cpu, worst.us.wall,
	       worst.is_change ? "changed" : "submitted");
	print_desc(&worst.desc);
	desc_free(&worst.desc);
	return worst.us.cpu;
}
