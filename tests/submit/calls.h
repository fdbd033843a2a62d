/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls: submissions as a large site has them, one kind at a time, for a count of
 * their instructions. */
#ifndef EQT_SUBMIT_CALLS_H
#define EQT_SUBMIT_CALLS_H

#include "desc.h"

/*
 * Submit one kind of request so many times: "plain", "gpu" (of a model), "any" (a GPU
 * of any model), "feature", "nodes" (named ones), "parts" (20 partitions that share all
 * nodes), each with "-lines" behind it for 50 NodeName lines in place of 4. There are a
 * thousand nodes. Ends the program if one is refused or has no price.
 */
void calls_run(int (*submit)(job_desc_msg_t *, uint32_t, char **),
	       const char *kind, long count);

/* Print the results of random descriptions, to compare two builds. */
void calls_tell(int (*submit)(job_desc_msg_t *, uint32_t, char **), long count,
		uint64_t seed);

/* Submit random requests in three partitions each, of all sizes: what is told must be the
 * same whichever comes first. Ends the program if it is not; prints what was told. */
void calls_turned(int (*submit)(job_desc_msg_t *, uint32_t, char **),
		  long count, uint64_t seed);

#endif
