/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of jobs: equal access, places, ranks that include running jobs, and tasks
 * of arrays. */
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "prio/job_order.h"
#include "tree/tree_impl.h"

/* Return the id by which jobs of equal rest are sorted: the id of the array, or else
 * the id of the job. */
static uint64_t job_line_id(const struct eqt_ordered_job *job)
{
	return job->array_id ? job->array_id : job->job_id;
}

/* ---- Sorting ------------------------------------------------------------------------
 * A radix sort that begins with the least significant byte. */

#define DIGITS 256
#define DIGIT_BITS 8

int eqt_job_order_sort_begin(struct eqt_job_order_sort *sort,
			     const struct eqt_ordered_job *jobs, size_t count)
{
	*sort = (struct eqt_job_order_sort){
		.jobs = jobs,
		.count = count,
		.room = malloc(2 * count * sizeof(*sort->room)),
	};
	if (!sort->room)
		return -1;
	sort->order = sort->room;
	sort->spare = sort->order + count;
	for (size_t i = 0; i < count; i++)
		sort->order[i].job = (uint32_t) i;
	return 0;
}

void eqt_job_order_sort_end(struct eqt_job_order_sort *sort)
{
	free(sort->room);
	sort->room = sort->order = sort->spare = NULL;
}

/* Distribute the jobs by one byte of their keys. */
static void sort_by_digit(struct eqt_job_order_sort *sort, unsigned int shift)
{
	struct eqt_job_order_key *const from = sort->order;
	size_t at[DIGITS] = { 0 }, before = 0;

	for (size_t i = 0; i < sort->count; i++)
		at[from[i].key >> shift & (DIGITS - 1)]++;
	for (size_t digit = 0; digit < DIGITS; digit++) {
		const size_t jobs = at[digit];

		at[digit] = before;
		before += jobs;
	}
	for (size_t i = 0; i < sort->count; i++)
		sort->spare[at[from[i].key >> shift & (DIGITS - 1)]++] =
			from[i];
	sort->order = sort->spare;
	sort->spare = from;
}

void eqt_job_order_sort_by(struct eqt_job_order_sort *sort,
			   uint64_t (*key)(const struct eqt_ordered_job *job))
{
	uint64_t differ = 0, last = 0;
	bool sorted = true;

	for (size_t i = 0; i < sort->count; i++) {
		struct eqt_job_order_key *place = &sort->order[i];

		place->key = key(&sort->jobs[place->job]);
		sorted = sorted && place->key >= last;
		last = place->key;
		differ |= last ^ sort->order[0].key;
	}
	if (sorted)
		return;
	for (unsigned int shift = 0; shift < 64; shift += DIGIT_BITS) {
		if (differ >> shift & (DIGITS - 1))
			sort_by_digit(sort, shift);
	}
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

uint64_t eqt_job_order_sort_id(const struct eqt_ordered_job *job)
{
	return job->job_id;
}

/* Return a key that keeps the tasks of an array together, with those first that have a
 * record of their own. */
static uint64_t line_place(const struct eqt_ordered_job *job)
{
	return job_line_id(job) << 1 | (job->more_tasks != 0);
}

static uint64_t line_rest(const struct eqt_ordered_job *job)
{
	return ~job_sort_number(job->rest);
}

static uint64_t line_state(const struct eqt_ordered_job *job)
{
	return (uint64_t) !job->running << 1 | !job->eligible;
}

/* Sort jobs in the order of eqt_job_order_compare(). */
static void job_sort_by_line(struct eqt_job_order_sort *sort)
{
	eqt_job_order_sort_by(sort, eqt_job_order_sort_id);
	eqt_job_order_sort_by(sort, line_place);
	eqt_job_order_sort_by(sort, line_rest);
	eqt_job_order_sort_by(sort, line_state);
}

/* ---- Equal access -------------------------------------------------------------------
 * Jobs are sorted by owner, to add up the equivalents before each job, and then by this
 * sum. */

/* Return the equivalents of all tasks of a job. */
static double job_equivalents(const struct eqt_ordered_job *job)
{
	return job->equivalents * (1.0 + job->more_tasks);
}

int eqt_job_order_compare(const struct eqt_ordered_job *a,
			  const struct eqt_ordered_job *b)
{
	if (a->running != b->running)
		return a->running ? -1 : 1;
	if (a->eligible != b->eligible)
		return a->eligible ? -1 : 1;
	if (a->rest > b->rest)
		return -1;
	if (a->rest < b->rest)
		return 1;
	if (job_line_id(a) != job_line_id(b))
		return job_line_id(a) < job_line_id(b) ? -1 : 1;
	if (!a->more_tasks != !b->more_tasks)
		return a->more_tasks ? 1 : -1;
	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

static uint64_t job_owner_key(const struct eqt_ordered_job *job)
{
	return job->owner;
}

static uint64_t job_queue_key(const struct eqt_ordered_job *job)
{
	return job->queue;
}

/* Return a key that sorts running jobs first and waiting jobs by the sum before them.
 * Jobs with equal sums may be in any order, because they get equal factors. */
static uint64_t job_access_key(const struct eqt_ordered_job *job)
{
	return job->running ? 0 : job_sort_number(job->access);
}

/* Set the member access of each job to the equivalents of its owner that come before
 * the job. */
static void access_sum_all(struct eqt_ordered_job *jobs,
			   struct eqt_job_order_sort *sort)
{
	const struct eqt_ordered_job *last = NULL;
	double sum = 0;

	job_sort_by_line(sort);
	eqt_job_order_sort_by(sort, job_owner_key);
	eqt_job_order_sort_by(sort, job_queue_key);
	for (size_t i = 0; i < sort->count; i++) {
		struct eqt_ordered_job *job = &jobs[sort->order[i].job];

		if (last &&
		    (job->queue != last->queue || job->owner != last->owner))
			sum = 0;
		job->access = sum;
		sum += job_equivalents(job);
		last = job;
	}
}

/* Convert sums to factors, for the waiting jobs of one queue in the order of their
 * sums. */
static void access_rank_queue(struct eqt_ordered_job *jobs,
			      const struct eqt_job_order_key *order,
			      size_t count)
{
	size_t lesser = 0;
	double last = 0;

	for (size_t i = 0; i < count; i++) {
		double *access = &jobs[order[i].job].access;

		if (*access > last)
			lesser = i;
		last = *access;
		*access = 1 - (double) lesser / (double) count;
	}
}

int eqt_job_order_access(struct eqt_ordered_job *jobs, size_t count)
{
	struct eqt_job_order_sort sort;
	size_t i = 0;

	if (!count)
		return 0;
	if (eqt_job_order_sort_begin(&sort, jobs, count) < 0)
		return -1;
	access_sum_all(jobs, &sort);
	eqt_job_order_sort_by(&sort, job_access_key);
	eqt_job_order_sort_by(&sort, job_queue_key);
	while (i < count) {
		const uint64_t queue = jobs[sort.order[i].job].queue;
		size_t begin;

		for (; i < count && jobs[sort.order[i].job].running; i++)
			jobs[sort.order[i].job].access = 0;
		begin = i;
		while (i < count && !jobs[sort.order[i].job].running &&
		       jobs[sort.order[i].job].queue == queue)
			i++;
		access_rank_queue(jobs, sort.order + begin, i - begin);
	}
	eqt_job_order_sort_end(&sort);
	return 0;
}

/* ---- Places -------------------------------------------------------------------------
 * Fair queueing over the levels of the share tree. Each node has a heap of its children
 * with waiting jobs, with the child on top that has the lowest usage for its shares. To
 * take a job, follow the tops down to a user. To count it, go the same way up and sift
 * each top down to its new place. */

/* The weight of the newest placing in the running mean of ended equivalents. */
#define NEWEST (1.0 / 8)

struct placing {
	struct eqt_tree *tree;
	struct eqt_ordered_job *jobs;
	struct eqt_job_order_sort sort; /* the order of the jobs by user */
	/* For each job in this order its equivalents, and from when it is taken on its
	 * factor. So jobs are taken from one small array: they lie anywhere in memory. */
	double *taken;
};

static bool job_wants_place(const struct eqt_ordered_job *job)
{
	return job->node != EQT_TREE_NONE && job->eligible && !job->running;
}

/* Return a key that sorts jobs by user, and jobs without a place last. */
static uint64_t job_user_key(const struct eqt_ordered_job *job)
{
	return job_wants_place(job) ? job->node : UINT64_MAX;
}

/* Return the job with this number in the order of users. */
static struct eqt_ordered_job *placing_job(const struct placing *placing,
					   size_t number)
{
	return &placing->jobs[placing->sort.order[number].job];
}

/* Return the job that is taken if a node is taken. It is found by following the tops of
 * the heaps. */
static const struct eqt_ordered_job *user_next_job(
	const struct placing *placing, uint32_t i)
{
	const struct eqt_tree *tree = placing->tree;

	while (!tree->nodes[i].user)
		i = tree->waiting[i].heap[0];
	return placing_job(placing, tree->waiting[i].next);
}

/* Return the class of a node: 0 for Fairshare=parent, which comes first, 1 for nodes
 * with shares, and 2 for nodes without shares. */
static int share_class(const struct eqt_tree_node *node)
{
	if (node->parent_shares)
		return 0;
	return node->shares ? 1 : 2;
}

/* Does sibling a come before sibling b? */
static bool child_goes_before(const struct placing *placing, uint32_t a,
			      uint32_t b)
{
	const struct eqt_tree_node *x = &placing->tree->nodes[a];
	const struct eqt_tree_node *y = &placing->tree->nodes[b];
	long double left, right;

	if (share_class(x) != share_class(y))
		return share_class(x) < share_class(y);
	if (share_class(x) == 1) {
		/* The quotients usage / shares are compared by cross-multiplication. */
		left = x->usage * (long double) y->shares;
		right = y->usage * (long double) x->shares;
		if (left < right || left > right)
			return left < right;
		if (x->shares != y->shares)
			return x->shares > y->shares;
	}
	return eqt_job_order_compare(user_next_job(placing, a),
				     user_next_job(placing, b)) < 0;
}

/* Move the entry at index `at` down to its place, as in any binary heap. */
static void heap_sift_down(const struct placing *placing,
			   struct eqt_tree_waiting *level, uint32_t at)
{
	uint32_t moving = level->heap[at];

	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child >= level->heap_count)
			break;
		if (child + 1 < level->heap_count &&
		    child_goes_before(placing, level->heap[child + 1],
				      level->heap[child]))
			child++;
		if (!child_goes_before(placing, level->heap[child], moving))
			break;
		level->heap[at] = level->heap[child];
		at = child;
	}
	level->heap[at] = moving;
}

/* Build the heaps of a node and of all nodes below it. Children come first, because the
 * tops of their heaps decide ties. The recursion is as deep as the tree, which is at
 * most EQT_TREE_DEPTH_MAX. */
static void heaps_build(const struct placing *placing, uint32_t i)
{
	const struct eqt_tree *tree = placing->tree;
	const struct eqt_tree_node *node = &tree->nodes[i];
	struct eqt_tree_waiting *level = &tree->waiting[i];

	level->heap_count = 0;
	for (uint32_t c = node->first; c < node->first + node->children; c++) {
		if (!tree->waiting[c].jobs)
			continue;
		heaps_build(placing, c);
		level->heap[level->heap_count++] = c;
	}
	for (uint32_t at = level->heap_count / 2; at > 0; at--)
		heap_sift_down(placing, level, at - 1);
}

/* Take the next job of a user, and add its usage to the user and all ancestors. The
 * node that was taken is on top of its heap, so that one sift repairs each level. */
static void heap_count_job(const struct placing *placing, uint32_t user,
			   long double usage)
{
	const struct eqt_tree *tree = placing->tree;
	uint32_t above;

	if (usage > 0)
		eqt_tree_slot_add(placing->tree, user, usage);
	tree->waiting[user].next++;
	tree->waiting[user].jobs--;
	for (uint32_t i = user; i != 0; i = above) {
		struct eqt_tree_waiting *level;

		above = tree->nodes[i].parent;
		level = &tree->waiting[above];
		level->jobs--;
		if (!tree->waiting[i].jobs)
			level->heap[0] = level->heap[--level->heap_count];
		if (level->heap_count)
			heap_sift_down(placing, level, 0);
	}
}

/* Set the first job of each user and the number of jobs of each node. Return the number
 * of jobs that get a place. The jobs are sorted by user. */
static size_t users_find_jobs(const struct placing *placing, size_t count)
{
	const struct eqt_job_order_key *order = placing->sort.order;
	const struct eqt_tree *tree = placing->tree;
	size_t places = 0;

	for (uint32_t i = 0; i < tree->count; i++) {
		tree->waiting[i].jobs = 0;
		tree->waiting[i].heap = &tree->heap[tree->nodes[i].first];
	}
	while (places < count && order[places].key != UINT64_MAX) {
		const uint32_t user = tree->slot[order[places].key];
		const size_t first = places;

		while (places < count && order[places].key == order[first].key)
			places++;
		tree->waiting[user].next = first;
		for (uint32_t i = user; i != EQT_TREE_NONE;
		     i = tree->nodes[i].parent)
			tree->waiting[i].jobs += places - first;
	}
	return places;
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

/* Note the equivalents of the jobs that get a place. Return the mean size of one task of
 * them. count must not be 0. */
static double jobs_note_equivalents(const struct placing *placing, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		const struct eqt_ordered_job *job = placing_job(placing, i);

		placing->taken[i] = job_equivalents(job);
		sum += job->equivalents;
	}
	return sum / (double) count;
}

/* Take all jobs that get a place, one by one. */
static void jobs_take_all(const struct placing *placing, size_t places,
			  double horizon_s)
{
	const struct eqt_tree *tree = placing->tree;

	for (size_t place = 0; place < places; place++) {
		uint32_t user = 0;
		double *taken;
		double equivalents;

		while (!tree->nodes[user].user)
			user = tree->waiting[user].heap[0];
		taken = &placing->taken[tree->waiting[user].next];
		equivalents = *taken;
		*taken = (double) (places - place) / (double) places;
		heap_count_job(placing, user,
			       (long double) equivalents *
				       (long double) horizon_s);
	}
	for (size_t i = 0; i < places; i++)
		placing_job(placing, i)->fairshare = placing->taken[i];
}

int eqt_job_order_place(struct eqt_ordered_job *jobs, size_t count,
			struct eqt_tree *tree, double horizon_s)
{
	struct placing placing = { .tree = tree, .jobs = jobs };
	size_t places;

	if (!count)
		return 0;
	if (eqt_tree_waiting_make(tree) < 0 ||
	    eqt_job_order_sort_begin(&placing.sort, jobs, count) < 0)
		return -1;
	placing.taken = malloc(count * sizeof(*placing.taken));
	if (!placing.taken) {
		eqt_job_order_sort_end(&placing.sort);
		return -1;
	}
	job_sort_by_line(&placing.sort);
	eqt_job_order_sort_by(&placing.sort, job_user_key);
	places = users_find_jobs(&placing, count);
	if (places) {
		ends_take_off(tree, jobs_note_equivalents(&placing, places),
			      horizon_s);
		heaps_build(&placing, 0);
		jobs_take_all(&placing, places, horizon_s);
	}
	free(placing.taken);
	eqt_job_order_sort_end(&placing.sort);
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

/* Find the idle nodes, which are those without usage and without jobs, their own or
 * below them. */
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
