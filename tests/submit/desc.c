/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <string.h>

#include "desc.h"
#include "stage.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LONG_TEXT 70000
#define ENVIRONMENT_MAX 4

uint64_t random_next(uint64_t *seed)
{
	/* xorshift64: any sequence that depends on the seed alone */
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static uint64_t below(uint64_t *seed, uint64_t limit)
{
	return (random_next(seed) >> 11) % limit;
}

static const size_t texts[] = {
	offsetof(job_desc_msg_t, account),
	offsetof(job_desc_msg_t, array_inx),
	offsetof(job_desc_msg_t, comment),
	offsetof(job_desc_msg_t, cpus_per_tres),
	offsetof(job_desc_msg_t, exc_nodes),
	offsetof(job_desc_msg_t, features),
	offsetof(job_desc_msg_t, licenses),
	offsetof(job_desc_msg_t, mem_per_tres),
	offsetof(job_desc_msg_t, partition),
	offsetof(job_desc_msg_t, qos),
	offsetof(job_desc_msg_t, req_nodes),
	offsetof(job_desc_msg_t, tres_per_job),
	offsetof(job_desc_msg_t, tres_per_node),
	offsetof(job_desc_msg_t, tres_per_socket),
	offsetof(job_desc_msg_t, tres_per_task),
};

/* Words and parts of words: in a row they are nearly valid. */
static const char *const pieces[] = {
	"gres:gpu",
	"gres/gpu",
	":p100",
	":v100",
	":1",
	":3K",
	":18446744073709551615",
	":9223372036854775808M",
	"=2",
	":-1",
	",",
	",,",
	"cpu",
	"gpu",
	"strict",
	"whole",
	"nosuch",
	"normal",
	"HALF",
	"def-x",
	"DEF-X_GPU",
	"def-y_gpu",
	"_cpu",
	"_gpu",
	"0-9",
	"1-4000000:3",
	"%5",
	"4294967295",
	"\033[31m",
	"\n",
	"\r\nequitree: not ours",
	"\001\177\200\377",
	"%s%n",
	" ",
	"mem",
	"n1",
};

static char *random_text(uint64_t *seed)
{
	uint64_t parts = below(seed, 6);
	char *text = xstrdup("");

	if (below(seed, 200) == 0) {
		xfree(text);
		text = xmalloc(LONG_TEXT + 1);
		memset(text, (int) (1 + below(seed, 255)), LONG_TEXT);
		return text;
	}
	for (uint64_t i = 0; i < parts; i++)
		xstrcat(text, pieces[below(seed, COUNT(pieces))]);
	return text;
}

#define NUMBER(field)                                                          \
	{                                                                      \
		offsetof(job_desc_msg_t, field),                               \
			sizeof(((job_desc_msg_t *) 0)->field)                  \
	}
static const struct {
	size_t offset, size;
} numbers[] = {
	NUMBER(num_tasks),	  NUMBER(cpus_per_task),
	NUMBER(min_cpus),	  NUMBER(min_nodes),
	NUMBER(max_nodes),	  NUMBER(pn_min_cpus),
	NUMBER(pn_min_memory),	  NUMBER(ntasks_per_node),
	NUMBER(ntasks_per_tres),  NUMBER(ntasks_per_core),
	NUMBER(sockets_per_node), NUMBER(threads_per_core),
	NUMBER(time_limit),	  NUMBER(shared),
	NUMBER(overcommit),	  NUMBER(site_factor),
};

/* Small numbers, numbers at the limits of a width, or any number. */
static uint64_t random_number(uint64_t *seed)
{
	static const uint64_t edges[] = {
		0,
		0x7f,
		0xff,
		0xfffd,
		0xfffe,
		0xffff,
		0x7fffffff,
		0xfffffffd,
		0xfffffffe,
		0xffffffff,
		UINT64_C(0x7fffffffffffffff),
		UINT64_C(0x8000000000000000),
		UINT64_C(0x8000000000000fa0),
		UINT64_C(0xfffffffffffffffe),
		UINT64_C(0xffffffffffffffff),
	};

	switch (below(seed, 4)) {
	case 0:
		return random_next(seed);
	case 1:
		return edges[below(seed, COUNT(edges))];
	default:
		return below(seed, 40);
	}
}

/* Values that the client plugin sends, values that it never sends, and gaps. */
static void random_spank(job_desc_msg_t *desc, uint64_t *seed)
{
	static const char *const entries[] = {
		"_SLURM_SPANK_OPTION_equitree_bill=full",
		"_SLURM_SPANK_OPTION_equitree_bill=off",
		"_SLURM_SPANK_OPTION_equitree_bill=",
		"_SLURM_SPANK_OPTION_equitree_bill",
		"_SLURM_SPANK_OPTION_equitree_bill=\033",
		"EQUITREE_PRICE=0",
		"",
		NULL,
	};

	desc->spank_job_env_size = (uint32_t) below(seed, ENVIRONMENT_MAX);
	desc->spank_job_env = xcalloc(ENVIRONMENT_MAX, sizeof(char *));
	for (uint32_t i = 0; i < desc->spank_job_env_size; i++)
		desc->spank_job_env[i] =
			xstrdup(entries[below(seed, COUNT(entries))]);
}

void desc_random(job_desc_msg_t *desc, uint64_t *seed)
{
	slurm_init_job_desc_msg(desc);
	desc->user_id = stage_uid((enum stage_user) below(seed, STAGE_USERS));
	for (size_t i = 0; i < COUNT(texts); i++) {
		char *text = below(seed, 4) ? NULL : random_text(seed);

		memcpy((char *) desc + texts[i], &text, sizeof(text));
	}
	for (size_t i = 0; i < COUNT(numbers); i++) {
		uint64_t number = random_number(seed);

		if (below(seed, 3) == 0)
			memcpy((char *) desc + numbers[i].offset, &number,
			       numbers[i].size);
	}
	random_spank(desc, seed);
}

void desc_plain(job_desc_msg_t *desc)
{
	slurm_init_job_desc_msg(desc);
	desc->het_job_offset = NO_VAL; /* as slurmctld does */
	desc->user_id = stage_uid(STAGE_HAL);
	desc->num_tasks = 2;
	desc->min_cpus = 2;
	desc->pn_min_memory = 10000;
}

void desc_free(job_desc_msg_t *desc)
{
	for (size_t i = 0; i < COUNT(texts); i++) {
		char *text;

		memcpy(&text, (char *) desc + texts[i], sizeof(text));
		xfree(text);
	}
	for (uint32_t i = 0; i < desc->spank_job_env_size; i++)
		xfree(desc->spank_job_env[i]);
	xfree(desc->spank_job_env);
}
