/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of jobs: equal access, places, ranks that include running jobs, and tasks
 * of arrays. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/whole.h"
#include "prio/job_order.h"
#include "tree/tree_impl.h"

/* ---- Sorting ------------------------------------------------------------------------
 * A radix sort that begins with the least significant byte. Only keys move, because the
 * jobs are large. */

#define DIGITS 256
#define DIGIT_BITS 8

/* The number of jobs between the prefetch of a job and its use. In a sorted order the
 * next job is anywhere in memory. */
#define AHEAD 16

static void job_prefetch(const struct eqt_job_order *order, size_t i)
{
	if (order->count - i > AHEAD)
		__builtin_prefetch(&order->jobs[order->keys[i + AHEAD].job]);
}

/* Make room, and begin with the jobs in the order of the array. */
static int order_begin(struct eqt_job_order *order,
		       struct eqt_ordered_job *jobs, size_t count)
{
	order->jobs = jobs;
	order->count = 0;
	if (!count)
		return 0;
	if (EQT_ARRAY_RESERVE(order->room, order->room_space, 2 * count) < 0 ||
	    EQT_ARRAY_RESERVE(order->lines, order->lines_space, count) < 0)
		return -1;
	order->count = count;
	order->keys = order->room;
	order->spare = order->room + count;
	for (size_t i = 0; i < count; i++)
		order->keys[i].job = (uint32_t) i;
	return 0;
}

/* Distribute the jobs by one byte of their keys. */
static void sort_by_digit(struct eqt_job_order *order, unsigned int shift)
{
	struct eqt_job_order_key *const from = order->keys;
	size_t at[DIGITS] = { 0 }, before = 0;

	for (size_t i = 0; i < order->count; i++)
		at[from[i].key >> shift & (DIGITS - 1)]++;
	for (size_t digit = 0; digit < DIGITS; digit++) {
		const size_t jobs = at[digit];

		at[digit] = before;
		before += jobs;
	}
	for (size_t i = 0; i < order->count; i++)
		order->spare[at[from[i].key >> shift & (DIGITS - 1)]++] =
			from[i];
	order->keys = order->spare;
	order->spare = from;
}

/* Sort by the keys, with the lowest first. Jobs with equal keys keep their order, so that
 * a sort by several keys begins with the last one. */
static void sort_keys(struct eqt_job_order *order)
{
	uint64_t differ = 0, last = 0;
	bool sorted = true;

	for (size_t i = 0; i < order->count; i++) {
		const uint64_t key = order->keys[i].key;

		sorted = sorted && key >= last;
		last = key;
		differ |= key ^ order->keys[0].key;
	}
	for (unsigned int shift = 0; !sorted && shift < 64;
	     shift += DIGIT_BITS) {
		if (differ >> shift & (DIGITS - 1))
			sort_by_digit(order, shift);
	}
}

static void sort_by(struct eqt_job_order *order,
		    uint64_t (*key)(const struct eqt_ordered_job *job))
{
	for (size_t i = 0; i < order->count; i++) {
		job_prefetch(order, i);
		order->keys[i].key = key(&order->jobs[order->keys[i].job]);
	}
	sort_keys(order);
}

/* Return the part of a sorted order that begins at an index and has equal keys. Its jobs
 * can be sorted by further keys, and remain in this part. */
static struct eqt_job_order order_part(const struct eqt_job_order *order,
				       size_t begin)
{
	struct eqt_job_order part = {
		.jobs = order->jobs,
		.keys = order->keys + begin,
		.spare = order->spare + begin,
	};

	while (begin + part.count < order->count &&
	       part.keys[part.count].key == part.keys[0].key)
		part.count++;
	return part;
}

/* Return a key that sorts like a number. The number must not be NaN. */
static uint64_t job_sort_number(double number)
{
	const uint64_t sign = UINT64_C(1) << 63;
	uint64_t bits;

	number += 0.0; /* -0 becomes 0 */
	memcpy(&bits, &number, sizeof(bits));
	return bits & sign ? ~bits : bits | sign;
}

static uint64_t job_id_key(const struct eqt_ordered_job *job)
{
	return job->job_id;
}

/* Return a key that keeps the tasks of an array together, with those first that have a
 * record of their own. */
static uint64_t line_place(const struct eqt_ordered_job *job)
{
	const uint64_t id = job->array_id ? job->array_id : job->job_id;

	return id << 1 | (job->more_tasks != 0);
}

static uint64_t line_rest(const struct eqt_ordered_job *job)
{
	return ~job_sort_number(job->rest);
}

static uint64_t line_state(const struct eqt_ordered_job *job)
{
	return (uint64_t) !job->running << 1 | !job->eligible;
}

/* Return the equivalents of all tasks of a job. */
static double job_equivalents(const struct eqt_ordered_job *job)
{
	return job->equivalents * (1.0 + job->more_tasks);
}

/* Sort jobs of the same state, and write them to their lines. */
static void lines_sort(struct eqt_job_order_line *lines,
		       struct eqt_job_order *part)
{
	sort_by(part, job_id_key);
	sort_by(part, line_place);
	sort_by(part, line_rest);
	for (size_t i = 0; i < part->count; i++) {
		const uint32_t job = part->keys[i].job;

		job_prefetch(part, i);
		lines[i] = (struct eqt_job_order_line){
			.equivalents = job_equivalents(&part->jobs[job]),
			.job = job,
		};
	}
}

int eqt_job_order_by_line(struct eqt_job_order *order,
			  struct eqt_ordered_job *jobs, size_t count)
{
	struct eqt_job_order part;

	if (order_begin(order, jobs, count) < 0)
		return -1;
	/* The few states come first, while jobs are in the order of the array. */
	sort_by(order, line_state);
	for (size_t i = 0; i < order->count; i += part.count) {
		part = order_part(order, i);
		lines_sort(&order->lines[i], &part);
	}
	return 0;
}

int eqt_job_order_by_id(struct eqt_job_order *order,
			struct eqt_ordered_job *jobs, size_t count)
{
	if (order_begin(order, jobs, count) < 0)
		return -1;
	sort_by(order, job_id_key);
	return 0;
}

void eqt_job_order_clear(struct eqt_job_order *order)
{
	free(order->room);
	free(order->lines);
	*order = (struct eqt_job_order){ .count = 0 };
}

/* ---- Equal access -------------------------------------------------------------------
 * Lines are sorted by queue and owner, to add up the equivalents before each job. Then
 * each queue is sorted by this sum. */

static uint64_t job_owner_key(const struct eqt_ordered_job *job)
{
	return job->owner;
}

static uint64_t job_queue_key(const struct eqt_ordered_job *job)
{
	return job->queue;
}

/* Set the key of each job of a queue. The key is the equivalents of the owner's jobs
 * that come before the job. The key of a running job is 0, which is below all sums. */
static void queue_sum(struct eqt_job_order *part)
{
	uint64_t owner = 0;
	double sum = 0;

	for (size_t i = 0; i < part->count; i++) {
		const struct eqt_ordered_job *job =
			&part->jobs[part->keys[i].job];

		job_prefetch(part, i);
		if (job->owner != owner)
			sum = 0;
		owner = job->owner;
		part->keys[i].key = job->running ? 0 : job_sort_number(sum);
		sum += job_equivalents(job);
	}
}

/* Convert the sums of a sorted queue to factors. */
static void queue_rank(const struct eqt_job_order *part)
{
	uint64_t last = 0;
	size_t running = 0, lesser = 0;

	for (size_t i = 0; i < part->count; i++) {
		const uint64_t sum = part->keys[i].key;
		double *access = &part->jobs[part->keys[i].job].access;

		job_prefetch(part, i);
		running += !sum;
		if (sum > last)
			lesser = i - running;
		last = sum;
		*access = sum ? 1 - (double) lesser / (double) (part->count -
								running)
			      : 0;
	}
}

void eqt_job_order_access(struct eqt_job_order *order)
{
	struct eqt_job_order part;

	for (size_t i = 0; i < order->count; i++)
		order->keys[i].job = order->lines[i].job;
	sort_by(order, job_owner_key);
	sort_by(order, job_queue_key);
	for (size_t i = 0; i < order->count; i += part.count) {
		part = order_part(order, i);
		queue_sum(&part);
		sort_keys(&part);
		queue_rank(&part);
	}
}

/* ---- Places -------------------------------------------------------------------------
 * Fair queueing over the levels of the share tree. Each node has a list of the waiting
 * jobs below it, in the order in which they are taken. The list of a user is in the
 * order of lines. That of an account is merged from the lists of its children: the next
 * job is that of the child with the lowest usage for its shares, and is then added to
 * this usage. The order within an account does not depend on when the account itself is
 * taken. So the lists are merged from the bottom up, and the processor's cache needs to
 * hold only the children of one account. */

/* The weight of the newest placing in the running mean of ended equivalents. */
#define NEWEST (1.0 / 8)

struct placing {
	struct eqt_job_order *order;
	struct eqt_tree *tree;
	long double horizon_s;
	size_t places; /* number of jobs that get a place */
	size_t left; /* number of these jobs that have no place yet */
};

/* Keys of children are the bits of usage / shares as a double, which sort like the
 * number. A key differs from the exact number by less than NEAR, if that is between
 * QUOTIENT_MIN and QUOTIENT_MAX. */
#define NEAR 16
#define QUOTIENT_MIN (4 * DBL_MIN)
#define QUOTIENT_MAX (DBL_MAX / 4)
#define NO_JOBS ((uint64_t) INT64_MAX) /* above the bits of all numbers */

/* Return the key of a child with this usage. Children with Fairshare=parent come first,
 * and those without shares last: their numbers are not near others. */
static inline uint64_t child_key(const struct placing *placing, uint32_t slot,
				 double usage)
{
	const struct eqt_tree_node *node = &placing->tree->nodes[slot];
	double quotient = usage / node->shares;
	uint64_t key;

	if (placing->tree->waiting[slot].first == EQT_TREE_NONE)
		return NO_JOBS;
	if (node->parent_shares)
		quotient = 0;
	else if (!node->shares)
		quotient = DBL_MAX;
	else if (!(quotient > QUOTIENT_MIN))
		quotient = QUOTIENT_MIN;
	else if (quotient > QUOTIENT_MAX)
		quotient = QUOTIENT_MAX;
	memcpy(&key, &quotient, sizeof(key));
	return key;
}

/* Does child a come before child b, if their keys are near each other? Quotients are
 * compared by cross-multiplication. The next jobs decide a tie, by their lines. */
static bool child_goes_before(const struct placing *placing, uint32_t a,
			      uint32_t b)
{
	const struct eqt_tree_node *x = &placing->tree->nodes[a];
	const struct eqt_tree_node *y = &placing->tree->nodes[b];
	const struct eqt_tree_waiting *waiting = placing->tree->waiting;
	const long double left = x->usage * (long double) y->shares;
	const long double right = y->usage * (long double) x->shares;

	if (x->shares && y->shares) {
		if (left < right || left > right)
			return left < right;
		if (x->shares != y->shares)
			return x->shares > y->shares;
	}
	return waiting[a].first < waiting[b].first;
}

static bool match_goes_before(const struct placing *placing,
			      const struct eqt_tree_match *a,
			      const struct eqt_tree_match *b)
{
	if (a->key - b->key + NEAR > 2 * NEAR)
		return a->key < b->key;
	return child_goes_before(placing, (uint32_t) a->child,
				 (uint32_t) b->child);
}

/*
 * Find the child whose job is taken first by a tournament of `lists` children. Match `at`
 * is between the winners of the matches 2 at and 2 at + 1; numbers from `lists` on are
 * those of children. The loser of each match is kept. The recursion has log2(lists)
 * levels.
 */
static struct eqt_tree_match match_play(const struct placing *placing,
					uint32_t at, uint32_t lists)
{
	struct eqt_tree *tree = placing->tree;
	struct eqt_tree_match a, b;

	if (at >= lists)
		return tree->matches[tree->count + at - lists];
	a = match_play(placing, 2 * at, lists);
	b = match_play(placing, 2 * at + 1, lists);
	tree->matches[at] = match_goes_before(placing, &a, &b) ? b : a;
	return match_goes_before(placing, &a, &b) ? a : b;
}

/* Play all matches of a child whose key has changed again, and return the new winner.
 * The result of a match is random, so a processor would mispredict half of the
 * branches. So winner and loser change places without a branch. */
static struct eqt_tree_match match_play_again(const struct placing *placing,
					      struct eqt_tree_match child,
					      uint32_t lists)
{
	for (uint64_t at = (lists + (child.child >> 32)) / 2; at > 0; at /= 2) {
		struct eqt_tree_match *loser = &placing->tree->matches[at];
		const uint64_t swap =
			-(uint64_t) match_goes_before(placing, loser, &child);
		const struct eqt_tree_match differ = {
			(child.key ^ loser->key) & swap,
			(child.child ^ loser->child) & swap,
		};

		child.key ^= differ.key;
		child.child ^= differ.child;
		loser->key ^= differ.key;
		loser->child ^= differ.child;
	}
	return child;
}

/* Add a job to the usage of a child, and return the new key. */
static uint64_t child_take_job(const struct placing *placing, uint32_t slot,
			       const struct eqt_job_order_line *job)
{
	long double usage = placing->tree->nodes[slot].usage;

	if (job->equivalents > 0)
		usage += (long double) job->equivalents * placing->horizon_s;
	placing->tree->nodes[slot].usage = usage;
	return child_key(placing, slot, (double) usage);
}

/* Make entries of the children that have waiting jobs. Return their number. */
static uint32_t entries_make(const struct placing *placing,
			     const struct eqt_tree_node *node)
{
	const struct eqt_tree *tree = placing->tree;
	uint32_t lists = 0;

	for (uint32_t c = node->first; c < node->first + node->children; c++) {
		if (tree->waiting[c].first == EQT_TREE_NONE)
			continue;
		tree->matches[tree->count + lists] = (struct eqt_tree_match){
			.key = child_key(placing, c,
					 (double) tree->nodes[c].usage),
			.child = (uint64_t) lists << 32 | c,
		};
		lists++;
	}
	return lists;
}

/* Merge the lists below a node to one. The recursion is as deep as the tree, which is at
 * most EQT_TREE_DEPTH_MAX. */
static void lists_merge(struct placing *placing, uint32_t i)
{
	const struct eqt_tree *tree = placing->tree;
	const struct eqt_tree_node *node = &tree->nodes[i];
	struct eqt_job_order_line *lines = placing->order->lines;
	struct eqt_tree_match best = { .key = NO_JOBS };
	uint32_t *end = &tree->waiting[i].first, lists;

	for (uint32_t c = node->first; c < node->first + node->children; c++)
		if (!tree->nodes[c].user)
			lists_merge(placing, c);
	lists = entries_make(placing, node);
	if (lists)
		best = match_play(placing, 1, lists);
	while (best.key != NO_JOBS) {
		const uint32_t slot = (uint32_t) best.child;
		uint32_t *next = &tree->waiting[slot].first;
		struct eqt_job_order_line *job = &lines[*next];

		*end = *next;
		end = &job->next;
		*next = job->next;
		if (*next != EQT_TREE_NONE)
			__builtin_prefetch(&lines[*next]);
		if (i == 0)
			placing->order->jobs[job->job].fairshare =
				(double) placing->left-- /
				(double) placing->places;
		best.key = child_take_job(placing, slot, job);
		best = match_play_again(placing, best, lists);
	}
	*end = EQT_TREE_NONE;
}

void eqt_job_order_end(struct eqt_tree *tree, uint32_t node, double equivalents)
{
	if (node != EQT_TREE_NONE && eqt_tree_waiting_make(tree) == 0)
		tree->waiting[tree->slot[node]].ended += equivalents;
}

/* Update the running means, and return the equivalents of jobs that are expected to end
 * before the next placing. */
static double ends_expect(const struct eqt_tree *tree)
{
	double all = 0;

	for (uint32_t i = 0; i < tree->count; i++) {
		struct eqt_tree_waiting *user = &tree->waiting[tree->slot[i]];

		user->ending += (user->ended - user->ending) * NEWEST;
		user->ended = 0;
		all += user->ending;
	}
	return all;
}

/* Subtract the jobs that are expected to end from the usage. At least one job of
 * average size is subtracted, because on a full cluster another job ends before one can
 * start. */
static void ends_take_off(struct eqt_tree *tree, double job, double horizon_s)
{
	double all = ends_expect(tree);
	double scale = horizon_s * (all < job ? job / all : 1);

	if (!(all > 0))
		return;
	for (uint32_t i = 0; i < tree->count; i++)
		eqt_tree_usage_sub(tree, i,
				   tree->waiting[tree->slot[i]].ending * scale);
}

/* Make the lists of users, and count their jobs. Return the mean size of one task of
 * these jobs. */
static double users_list_jobs(struct placing *placing)
{
	const struct eqt_job_order *order = placing->order;
	const struct eqt_tree *tree = placing->tree;
	double sum = 0;

	for (uint32_t i = 0; i < tree->count; i++)
		tree->waiting[i].first = EQT_TREE_NONE;
	for (size_t i = order->count; i-- > 0;) {
		struct eqt_job_order_line *line = &order->lines[i];
		const struct eqt_ordered_job *job = &order->jobs[line->job];
		uint32_t *first;

		if (i >= AHEAD)
			__builtin_prefetch(
				&order->jobs[order->lines[i - AHEAD].job]);
		if (job->node == EQT_TREE_NONE || !job->eligible ||
		    job->running)
			continue;
		first = &tree->waiting[tree->slot[job->node]].first;
		line->next = *first;
		*first = (uint32_t) i;
		sum += job->equivalents;
		placing->places++;
	}
	placing->left = placing->places;
	return sum / (double) placing->places;
}

int eqt_job_order_place(struct eqt_job_order *order, struct eqt_tree *tree,
			double horizon_s)
{
	struct placing placing = { order, tree, horizon_s, 0, 0 };
	double mean;

	if (!order->count)
		return 0;
	if (eqt_tree_waiting_make(tree) < 0)
		return -1;
	mean = users_list_jobs(&placing);
	if (placing.places) {
		ends_take_off(tree, mean, horizon_s);
		lists_merge(&placing, 0);
	}
	return 0;
}

/* ---- Ranks --------------------------------------------------------------------------
 * Users are ranked with their running jobs (allocated_now, rank_by) and without idle
 * users (idle_shares = no). */

/* A user with less than one core-equivalent second of usage counts as idle, because
 * decay never reaches 0. */
#define LEAST_USAGE 1.0L

double eqt_job_order_horizon_s(const struct eqt_conf_priority *conf)
{
	return conf->rank_by == EQT_RANK_BY_ALLOCATED
		       ? 1
		       : (double) conf->allocated_now;
}

/* Add equivalents * horizon_s for each running job, as if the job ran for that much
 * longer. With rank_by = allocated, nothing else counts. */
static void usage_add_running(const struct eqt_ordered_job *jobs, size_t count,
			      struct eqt_tree *tree,
			      const struct eqt_conf_priority *conf)
{
	const double horizon_s = eqt_job_order_horizon_s(conf);

	if (conf->rank_by == EQT_RANK_BY_ALLOCATED)
		for (uint32_t i = 0; i < eqt_tree_count(tree); i++)
			eqt_tree_usage_set(tree, i, 0);
	for (size_t i = 0; i < count; i++)
		if (jobs[i].running && jobs[i].node != EQT_TREE_NONE)
			eqt_tree_usage_add(tree, jobs[i].node,
					   (long double) jobs[i].equivalents *
						   (long double) horizon_s);
}

/* Find the idle nodes. A node is idle if it has no usage, and no job of its own or
 * below it. */
static void tree_find_idle(const struct eqt_ordered_job *jobs, size_t count,
			   struct eqt_tree *tree)
{
	eqt_tree_idle_all(tree);
	for (size_t i = 0; i < count; i++)
		eqt_tree_idle_wake(tree, jobs[i].node);
	eqt_tree_idle_end(tree, LEAST_USAGE);
}

uint64_t eqt_job_order_every_ms(const struct eqt_conf_priority *conf,
				uint64_t took_ms)
{
	const uint64_t least_ms = took_ms * 100 / conf->rank_cpu;

	if (!conf->rank_every_ms || conf->rank_every_ms > least_ms)
		return conf->rank_every_ms;
	return least_ms;
}

void eqt_job_order_rank(const struct eqt_ordered_job *jobs, size_t count,
			struct eqt_tree *tree,
			const struct eqt_conf_priority *conf,
			enum eqt_tree_mode mode)
{
	usage_add_running(jobs, count, tree, conf);
	if (conf->idle_shares)
		eqt_tree_idle_none(tree);
	else
		tree_find_idle(jobs, count, tree);
	eqt_tree_rank(tree, mode);
}

/* ---- Tasks of arrays ----------------------------------------------------------------
 * In Slurm, an array of N tasks is one record until its tasks start, so that one place
 * would count for N jobs. Some tasks of arrays near the front get records of their own,
 * so that each of them has its own place. */

/* Return the number of jobs with a place, which are those with a factor above 0. */
static size_t array_places(const struct eqt_ordered_job *jobs, size_t count)
{
	size_t places = 0;

	for (size_t i = 0; i < count; i++)
		places += jobs[i].fairshare > 0;
	return places;
}

/* Is a job among the first `ahead` places? The factor falls evenly from the first place
 * to the last. */
static bool job_is_in_front(const struct eqt_ordered_job *job, size_t places,
			    size_t ahead)
{
	double behind = places > ahead ? (double) (places - ahead) : 0;

	return job->fairshare * (double) places > behind + 0.5;
}

size_t eqt_job_order_tasks_ahead(struct eqt_ordered_job *jobs, size_t count,
				 size_t ahead)
{
	size_t places = array_places(jobs, count), in_front = 0, arrays = 0;
	size_t each, all = 0;

	for (size_t i = 0; i < count; i++) {
		jobs[i].taken_out = 0;
		if (!job_is_in_front(&jobs[i], places, ahead))
			continue;
		in_front++;
		arrays += jobs[i].more_tasks > 0;
	}
	if (!arrays)
		return 0;
	/* At least one task of each array is split off, because otherwise the rest of
	 * the array would never move back. */
	each = (ahead - in_front) / arrays + 1;
	for (size_t i = 0; i < count; i++) {
		if (!jobs[i].more_tasks ||
		    !job_is_in_front(&jobs[i], places, ahead))
			continue;
		jobs[i].taken_out =
			(uint32_t) eqt_whole_min(jobs[i].more_tasks, each);
		all += jobs[i].taken_out;
	}
	return all;
}
