/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of chunks of text. A chunk never moves, so the writer can read it
 * without the lock while lines are added after it. */
#include <stdlib.h>
#include <string.h>

#include "usage/journal/line_queue.h"

/* About 400 lines fit into a chunk, and 100,000 into the queue. */
#define CHUNK_TEXT ((size_t) 65000)
#define CHUNKS_MAX 256

struct eqt_line_chunk {
	struct eqt_line_chunk *next;
	size_t used; /* The bytes of text. */
	size_t taken; /* The bytes of text that were taken off. */
	bool rotate; /* No more lines are added: a rotation follows. */
	char text[CHUNK_TEXT];
};

void eqt_line_queue_prepare(struct eqt_line_queue *queue)
{
	if (!queue->spare)
		queue->spare = malloc(sizeof(*queue->spare));
}

static struct eqt_line_chunk *line_chunk_new(struct eqt_line_queue *queue)
{
	struct eqt_line_chunk *chunk;

	if (queue->chunk_count >= CHUNKS_MAX)
		return NULL;
	eqt_line_queue_prepare(queue);
	chunk = queue->spare;
	if (!chunk)
		return NULL;
	queue->spare = NULL;
	queue->chunk_count++;
	chunk->next = NULL;
	chunk->used = chunk->taken = 0;
	chunk->rotate = false;
	if (queue->last)
		queue->last->next = chunk;
	else
		queue->first = chunk;
	queue->last = chunk;
	return chunk;
}

/* Return a chunk with room for this number of bytes, or NULL if the queue is
 * full or memory is short. */
static struct eqt_line_chunk *line_chunk_for(struct eqt_line_queue *queue,
					     size_t length)
{
	struct eqt_line_chunk *last = queue->last;

	if (last && !last->rotate && CHUNK_TEXT - last->used >= length)
		return last;
	return line_chunk_new(queue);
}

char *eqt_line_queue_add(struct eqt_line_queue *queue, size_t length)
{
	struct eqt_line_chunk *chunk = line_chunk_for(queue, length);
	char *line;

	if (!chunk || length > CHUNK_TEXT)
		return NULL;
	line = chunk->text + chunk->used;
	chunk->used += length;
	queue->put += length;
	return line;
}

int eqt_line_queue_put(struct eqt_line_queue *queue, const char *line,
		       size_t length)
{
	char *place = eqt_line_queue_add(queue, length);

	if (!place)
		return -1;
	memcpy(place, line, length);
	return 0;
}

int eqt_line_queue_put_rotation(struct eqt_line_queue *queue)
{
	struct eqt_line_chunk *chunk = line_chunk_for(queue, 0);

	if (!chunk)
		return -1;
	chunk->rotate = true;
	return 0;
}

struct eqt_line_piece eqt_line_queue_next(const struct eqt_line_queue *queue)
{
	const struct eqt_line_chunk *chunk = queue->first;

	if (!chunk)
		return (struct eqt_line_piece){ 0 };
	return (struct eqt_line_piece){
		.text = chunk->text + chunk->taken,
		.length = chunk->used - chunk->taken,
		.rotate = chunk->rotate && chunk->used == chunk->taken,
	};
}

static void line_chunk_drop_first(struct eqt_line_queue *queue)
{
	struct eqt_line_chunk *chunk = queue->first;

	queue->first = chunk->next;
	if (!queue->first)
		queue->last = NULL;
	queue->chunk_count--;
	/* Keep one chunk, so that a journal with few lines does not
	   allocate. */
	if (queue->spare)
		free(chunk);
	else
		queue->spare = chunk;
}

void eqt_line_queue_take(struct eqt_line_queue *queue, size_t length)
{
	struct eqt_line_chunk *chunk = queue->first;

	chunk->taken += length;
	queue->taken += length;
	if (chunk->taken == chunk->used && !chunk->rotate)
		line_chunk_drop_first(queue);
}

void eqt_line_queue_take_rotation(struct eqt_line_queue *queue)
{
	line_chunk_drop_first(queue);
}

void eqt_line_queue_clear(struct eqt_line_queue *queue)
{
	while (queue->first)
		line_chunk_drop_first(queue);
	free(queue->spare);
	*queue = (struct eqt_line_queue){ 0 };
}
