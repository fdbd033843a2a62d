/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes of a job begin with a bit for each field that differs from the previous
 * job. The differences follow, with seven bits in each byte. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sim/stored_jobs.h"
#include "sim/workload.h"

#define CHUNK 16384 /* number of jobs that are sorted together */
#define FIELDS 16
#define JOB_BYTES_MAX (2 + FIELDS * 10)

/* A chunk of sorted jobs. */
struct chunk {
	int64_t at; /* arrival of the first job */
	uint32_t id;
	/* Number of the chunk, which decides the order of equal jobs. */
	size_t number;
	unsigned char *bytes; /* the jobs as bytes, which the chunk owns */
	size_t size;
};

struct eqt_stored_jobs {
	struct chunk *chunks;
	size_t chunk_count, count;
	int64_t last;
	struct eqt_simulation_job
		*open; /* jobs of the chunk that is not full yet */
	size_t open_count;
	unsigned char *scratch;
};

/* ---- A job as numbers ------------------------------------------------------- */

static void fields_of_job(uint64_t to[FIELDS],
			  const struct eqt_simulation_job *job)
{
	const uint64_t fields[FIELDS] = {
		(uint64_t) job->at,
		job->id,
		job->user,
		job->person,
		job->run_s,
		job->limit_s,
		job->nodes,
		job->all.cpus,
		job->all.mem_mib,
		job->all.gpus,
		(uint64_t) (uintptr_t) job->qos,
		(uint64_t) (uintptr_t) job->needs,
		(uint64_t) (int64_t) job->nice,
		(uint64_t) (int64_t) job->model,
		job->partition,
		job->spread,
	};

	memcpy(to, fields, sizeof(fields));
}

static struct eqt_simulation_job job_of_fields(const uint64_t from[FIELDS])
{
	return (struct eqt_simulation_job){
		.at = (int64_t) from[0],
		.start = EQT_SIMULATION_NEVER,
		.id = (uint32_t) from[1],
		.user = (uint32_t) from[2],
		.person = (uint32_t) from[3],
		.run_s = (uint32_t) from[4],
		.limit_s = (uint32_t) from[5],
		.nodes = (uint32_t) from[6],
		.all = { from[7], from[8], from[9] },
		.qos = (const void *) (uintptr_t) from[10],
		.needs = (const void *) (uintptr_t) from[11],
		.nice = (int32_t) (int64_t) from[12],
		.model = (int16_t) (int64_t) from[13],
		.partition = (uint16_t) from[14],
		.spread = from[15] != 0,
	};
}

/* A small difference of either sign is written as a small number. */
static unsigned char *difference_write(unsigned char *to, uint64_t difference)
{
	uint64_t number = difference << 1 ^ (0 - (difference >> 63));

	for (; number >= 128; number >>= 7)
		*to++ = (unsigned char) (number | 128);
	*to++ = (unsigned char) number;
	return to;
}

static const unsigned char *difference_read(uint64_t *out,
					    const unsigned char *from)
{
	uint64_t number = 0;
	int shift = 0;

	for (; *from & 128; shift += 7)
		number |= (uint64_t) (*from++ & 127) << shift;
	number |= (uint64_t) *from++ << shift;
	*out = number >> 1 ^ (0 - (number & 1));
	return from;
}

static unsigned char *job_write(unsigned char *to, uint64_t before[FIELDS],
				const struct eqt_simulation_job *job)
{
	unsigned char *at = to + 2;
	uint64_t now[FIELDS];
	unsigned int differ = 0;

	fields_of_job(now, job);
	for (int i = 0; i < FIELDS; i++)
		if (now[i] != before[i]) {
			differ |= 1u << i;
			at = difference_write(at, now[i] - before[i]);
		}
	to[0] = (unsigned char) differ;
	to[1] = (unsigned char) (differ >> 8);
	memcpy(before, now, sizeof(now));
	return at;
}

static const unsigned char *job_read(uint64_t fields[FIELDS],
				     const unsigned char *from)
{
	const unsigned int differ = from[0] | (unsigned int) from[1] << 8;
	uint64_t difference;

	from += 2;
	for (int i = 0; i < FIELDS; i++)
		if (differ >> i & 1) {
			from = difference_read(&difference, from);
			fields[i] += difference;
		}
	return from;
}

/* ---- Chunks ----------------------------------------------------------------- */

struct eqt_stored_jobs *eqt_stored_jobs_new(void)
{
	struct eqt_stored_jobs *stored = calloc(1, sizeof(*stored));

	if (!stored)
		return NULL;
	stored->open = calloc(CHUNK, sizeof(*stored->open));
	stored->scratch = malloc((size_t) CHUNK * JOB_BYTES_MAX);
	if (stored->open && stored->scratch)
		return stored;
	eqt_stored_jobs_free(stored);
	return NULL;
}

void eqt_stored_jobs_free(struct eqt_stored_jobs *stored)
{
	if (!stored)
		return;
	for (size_t i = 0; i < stored->chunk_count; i++)
		free(stored->chunks[i].bytes);
	free(stored->chunks);
	free(stored->open);
	free(stored->scratch);
	free(stored);
}

/* Sort the open jobs. Most traces are in order, so the order is checked before a sort,
 * which would copy the jobs. */
static void open_sort(struct eqt_stored_jobs *stored)
{
	for (size_t i = 1; i < stored->open_count; i++)
		if (eqt_workload_compare(&stored->open[i - 1],
					 &stored->open[i]) > 0) {
			qsort(stored->open, stored->open_count,
			      sizeof(*stored->open), eqt_workload_compare);
			return;
		}
}

/* Make a chunk of the open jobs. */
static int open_close(struct eqt_stored_jobs *stored)
{
	uint64_t before[FIELDS] = { 0 };
	unsigned char *end = stored->scratch;
	struct chunk *chunk;

	if (!stored->open_count)
		return 0;
	if (EQT_ARRAY_ROOM(stored->chunks, stored->chunk_count) < 0)
		return -1;
	open_sort(stored);
	for (size_t i = 0; i < stored->open_count; i++)
		end = job_write(end, before, &stored->open[i]);
	chunk = &stored->chunks[stored->chunk_count];
	*chunk = (struct chunk){
		.at = stored->open[0].at,
		.id = stored->open[0].id,
		.number = stored->chunk_count,
		.size = (size_t) (end - stored->scratch),
	};
	chunk->bytes = malloc(chunk->size);
	if (!chunk->bytes)
		return -1;
	memcpy(chunk->bytes, stored->scratch, chunk->size);
	stored->chunk_count++;
	stored->open_count = 0;
	return 0;
}

int eqt_stored_jobs_add(struct eqt_stored_jobs *stored,
			const struct eqt_simulation_job *job)
{
	if (stored->open_count == CHUNK && open_close(stored) < 0)
		return -1;
	stored->open[stored->open_count++] = *job;
	if (!stored->count++ || job->at > stored->last)
		stored->last = job->at;
	return 0;
}

/* Sort chunks by their first jobs, and then by number. */
static int chunk_compare(const void *a, const void *b)
{
	const struct chunk *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

int eqt_stored_jobs_settle(struct eqt_stored_jobs *stored)
{
	if (open_close(stored) < 0)
		return -1;
	if (stored->chunk_count)
		qsort(stored->chunks, stored->chunk_count,
		      sizeof(*stored->chunks), chunk_compare);
	free(stored->open);
	free(stored->scratch);
	stored->open = NULL;
	stored->scratch = NULL;
	return 0;
}

size_t eqt_stored_jobs_count(const struct eqt_stored_jobs *stored)
{
	return stored->count;
}

int64_t eqt_stored_jobs_first(const struct eqt_stored_jobs *stored)
{
	return stored->chunk_count ? stored->chunks[0].at : 0;
}

int64_t eqt_stored_jobs_last(const struct eqt_stored_jobs *stored)
{
	return stored->last;
}

/* ---- Cursor ----------------------------------------------------------------- */

/* The state of reading a chunk. */
struct reader {
	const struct chunk *chunk;
	const unsigned char *next;
	uint64_t fields[FIELDS];
	struct eqt_simulation_job job;
};

/* The state of reading all jobs. A cursor opens a chunk when all jobs before the first
 * one of the chunk were read. If the trace was nearly in order, one or two chunks are
 * open at a time. */
struct eqt_stored_cursor {
	const struct eqt_stored_jobs *of;
	struct reader *readers; /* an array with one reader for each chunk */
	/* Readers of open chunks, sorted by their next jobs. */
	struct reader **open;
	size_t opened, open_count;
	bool begun;
};

struct eqt_stored_cursor *eqt_stored_cursor_new(
	const struct eqt_stored_jobs *stored)
{
	struct eqt_stored_cursor *cursor = calloc(1, sizeof(*cursor));

	if (!cursor)
		return NULL;
	cursor->of = stored;
	cursor->readers =
		calloc(stored->chunk_count + 1, sizeof(*cursor->readers));
	cursor->open = calloc(stored->chunk_count + 1, sizeof(*cursor->open));
	if (cursor->readers && cursor->open)
		return cursor;
	eqt_stored_cursor_free(cursor);
	return NULL;
}

void eqt_stored_cursor_free(struct eqt_stored_cursor *cursor)
{
	if (!cursor)
		return;
	free(cursor->readers);
	free(cursor->open);
	free(cursor);
}

static bool reader_comes_after(const struct reader *a, const struct reader *b)
{
	const int order = eqt_workload_compare(&a->job, &b->job);

	return order > 0 || (order == 0 && a->chunk->number > b->chunk->number);
}

/* Read the next job of a chunk, and insert its reader by this job among the open
 * readers. The first place is free. */
static void reader_advance(struct eqt_stored_cursor *cursor,
			   struct reader *reader)
{
	size_t at = 1;

	reader->next = job_read(reader->fields, reader->next);
	reader->job = job_of_fields(reader->fields);
	for (; at < cursor->open_count &&
	       reader_comes_after(reader, cursor->open[at]);
	     at++)
		cursor->open[at - 1] = cursor->open[at];
	cursor->open[at - 1] = reader;
}

/* Advance the reader of the job that was returned last. If its chunk ends, remove the
 * reader. */
static void cursor_leave_first(struct eqt_stored_cursor *cursor)
{
	struct reader *first = cursor->open[0];

	if (first->next < first->chunk->bytes + first->chunk->size) {
		reader_advance(cursor, first);
		return;
	}
	cursor->open_count--;
	memmove(cursor->open, cursor->open + 1,
		cursor->open_count * sizeof(struct reader *));
}

/* Open the next chunk if its first job may be the next one. */
static bool cursor_open_next(struct eqt_stored_cursor *cursor)
{
	const struct chunk *chunk;
	struct reader *reader;

	if (cursor->opened == cursor->of->chunk_count)
		return false;
	chunk = &cursor->of->chunks[cursor->opened];
	reader = &cursor->readers[cursor->opened];
	if (cursor->open_count && cursor->open[0]->job.at < chunk->at)
		return false;
	*reader = (struct reader){ .chunk = chunk, .next = chunk->bytes };
	memmove(cursor->open + 1, cursor->open,
		cursor->open_count * sizeof(struct reader *));
	cursor->opened++;
	cursor->open_count++;
	reader_advance(cursor, reader);
	return true;
}

struct eqt_simulation_job *eqt_stored_cursor_next(
	struct eqt_stored_cursor *cursor)
{
	if (cursor->begun && cursor->open_count)
		cursor_leave_first(cursor);
	cursor->begun = true;
	while (cursor_open_next(cursor))
		;
	return cursor->open_count ? &cursor->open[0]->job : NULL;
}
