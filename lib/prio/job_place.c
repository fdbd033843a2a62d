/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fair queueing over the levels of the share tree. Each node keeps a heap of its
 * children with waiting jobs, the one with the lowest usage for its shares on top.
 * To take a job, follow the tops down to a user; to count it, go the same way up
 * and sift each top down to its new place.
 */
#include <stdlib.h>

#include "prio/job_order.h"
#include "tree/tree_impl.h"

/* Weight of the newest placing in the running mean of ended equivalents. */
#define NEWEST (1.0 / 8)

struct placing {
	struct eqt_tree *tree;
	struct eqt_ordered_job *jobs;
};

static bool job_wants_place(const struct eqt_ordered_job *job)
{
	return job->node != EQT_TREE_NONE && job->eligible && !job->running;
}

/* Order by user; jobs that get no place come last. */
static int job_user_compare(const void *x, const void *y)
{
	const struct eqt_ordered_job *a = x, *b = y;

	if (job_wants_place(a) != job_wants_place(b))
		return job_wants_place(a) ? -1 : 1;
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return eqt_job_order_compare(a, b);
}

/* The job that is taken if the node is: follow the tops of the heaps. */
static const struct eqt_ordered_job *user_next_job(
	const struct placing *placing, uint32_t i)
{
	const struct eqt_tree *tree = placing->tree;

	while (!tree->nodes[i].user)
		i = tree->waiting[i].heap[0];
	return &placing->jobs[tree->waiting[i].next];
}

/* 0: before all that have shares; 1: has shares; 2: has none. */
static int share_class(const struct eqt_tree_node *node)
{
	if (node->parent_shares)
		return 0;
	return node->shares ? 1 : 2;
}

/* Does sibling a go before sibling b? */
static bool child_goes_before(const struct placing *placing, uint32_t a,
			      uint32_t b)
{
	const struct eqt_tree_node *x = &placing->tree->nodes[a];
	const struct eqt_tree_node *y = &placing->tree->nodes[b];
	long double left, right;

	if (share_class(x) != share_class(y))
		return share_class(x) < share_class(y);
	if (share_class(x) == 1) {
		/* usage / shares of both, multiplied crosswise. */
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

/* The usual step of a binary heap: the entry at `at` goes down to its place. */
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

/* Build the heaps of a node and of all below it; children first, since their tops
 * decide ties. The recursion is as deep as the tree, at most
 * EQT_TREE_DEPTH_MAX. */
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

/* Take the next job off a user, and count its usage for the user and all above. The
 * node that was taken is on top of its heap, so one sift repairs each level. */
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

/* Set each user's first job and each node's number of jobs; returns how many jobs
 * get a place. Jobs are sorted by user. */
static size_t users_find_jobs(const struct placing *placing, size_t count)
{
	const struct eqt_tree *tree = placing->tree;
	size_t places = 0;

	for (uint32_t i = 0; i < tree->count; i++) {
		tree->waiting[i].jobs = 0;
		tree->waiting[i].heap = &tree->heap[tree->nodes[i].first];
	}
	while (places < count && job_wants_place(&placing->jobs[places])) {
		uint32_t user = tree->slot[placing->jobs[places].node];

		if (!tree->waiting[user].jobs)
			tree->waiting[user].next = places;
		for (uint32_t i = user; i != EQT_TREE_NONE;
		     i = tree->nodes[i].parent)
			tree->waiting[i].jobs++;
		places++;
	}
	return places;
}

void eqt_job_order_end(struct eqt_tree *tree, uint32_t node, double equivalents)
{
	if (node != EQT_TREE_NONE && eqt_tree_waiting_make(tree) == 0)
		tree->waiting[tree->slot[node]].ended += equivalents;
}

/* Update the running means; returns the equivalents that are expected to end until
 * the next placing. */
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

/* Subtract the jobs that are expected to end from the usage, but at least one job's
 * worth: on a full cluster another job ends before one can start. */
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

/* Mean size of the waiting jobs; count is not 0. */
static double jobs_mean_equivalents(const struct eqt_ordered_job *jobs,
				    size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += jobs[i].equivalents;
	return sum / (double) count;
}

int eqt_job_order_place(struct eqt_ordered_job *jobs, size_t count,
			struct eqt_tree *tree, double horizon_s)
{
	const struct placing placing = { tree, jobs };
	size_t places;

	if (!count)
		return 0;
	if (eqt_tree_waiting_make(tree) < 0)
		return -1;
	qsort(jobs, count, sizeof(*jobs), job_user_compare);
	places = users_find_jobs(&placing, count);
	if (!places)
		return 0;
	ends_take_off(tree, jobs_mean_equivalents(jobs, places), horizon_s);
	heaps_build(&placing, 0);
	for (size_t place = 0; place < places; place++) {
		uint32_t user = 0;
		struct eqt_ordered_job *job;

		while (!tree->nodes[user].user)
			user = tree->waiting[user].heap[0];
		job = &jobs[tree->waiting[user].next];
		job->fairshare = (double) (places - place) / (double) places;
		heap_count_job(&placing, user,
			       (long double) eqt_job_order_equivalents(job) *
				       (long double) horizon_s);
	}
	return 0;
}
