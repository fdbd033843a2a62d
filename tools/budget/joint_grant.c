/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "balance/budget_request.h"
#include "base/fraction.h"
#include "base/text.h"
#include "base/whole.h"
#include "budget/hours.h"
#include "budget/joint_grant.h"
#include "cli/alloc.h"
#include "cli/print.h"
#include "cli/remote.h"
#include "slurm/conf/cluster.h"
#include "slurm/sshare.h"

/* A transfer moves at least a twentieth of what is left, unless a job waits for it. */
#define WORTH 20

/* What is left is divided in units of a hundredth of an hour. */
#define GRAIN_U (EQT_BUDGET_HOUR_U / 100)

/* One of the clusters. */
struct side {
	char name[EQT_BUDGET_CLUSTER];
	struct eqt_balances rows;
	struct eqt_sshare shares; /* empty until the shares are needed */
	bool shares_asked;
	/* the cluster does not answer; this was reported */
	bool away, reported;
};

struct joint {
	const struct eqt_joint_grant_how *how;
	struct side *side;
	size_t sides;
	size_t failures;
	struct eqt_error why; /* the last failure */
};

static void joint_free(struct joint *joint)
{
	for (size_t i = 0; i < joint->sides; i++) {
		eqt_balances_free(&joint->side[i].rows);
		eqt_sshare_free(&joint->side[i].shares);
	}
	free(joint->side);
}

/* Print and count a failure. The next run repeats the step. */
static void joint_fail(struct joint *joint, const char *cluster,
		       const struct eqt_error *why)
{
	joint->failures++;
	(void) eqt_error_set(&joint->why, "%s: %.400s", cluster, why->text);
	(void) eqt_print_failure("budget", &joint->why);
}

/* The result of a run. Its failures were already printed. */
static int joint_end(const struct joint *joint, struct eqt_error *err)
{
	return joint->failures ? eqt_error_set(err,
					       "%zu steps were not taken; the "
					       "next balance repeats them",
					       joint->failures)
			       : 0;
}

static struct side *side_find(const struct joint *joint, const char *name)
{
	for (size_t i = 0; i < joint->sides; i++) {
		if (strcasecmp(joint->side[i].name, name) == 0)
			return &joint->side[i];
	}
	return NULL;
}

/* Make Slurm's commands ask this cluster from now on. */
static int side_choose(const struct side *side, struct eqt_error *err)
{
	return eqt_remote_choose(side->name) < 0
		       ? eqt_error_set(err, "no such cluster")
		       : 0;
}

/* Read the balances of a cluster. A cluster that does not answer counts as away until it
 * is read again. */
static int side_read(struct side *side, struct eqt_error *err)
{
	struct eqt_error why;

	eqt_balances_free(&side->rows);
	side->away = side_choose(side, &why) < 0 ||
		     eqt_balances_read(&side->rows, &why) < 0;
	return side->away
		       ? eqt_error_set(err, "%s: %.400s", side->name, why.text)
		       : 0;
}

/* Add the clusters of a list. They are read later. */
static void joint_add(struct joint *joint, const char *list)
{
	char name[EQT_BUDGET_CLUSTER];

	while (eqt_text_next_name(name, sizeof(name), &list)) {
		if (side_find(joint, name))
			continue;
		EQT_ALLOC_ROOM(joint->side, joint->sides);
		joint->side[joint->sides] = (struct side){ .away = true };
		memcpy(joint->side[joint->sides++].name, name, sizeof(name));
	}
}

/* The part of a grant on this cluster. NULL if none is known. */
static struct eqt_budget *part_of(const struct side *side, uint64_t grant)
{
	for (size_t i = 0; side && grant && i < side->rows.count; i++) {
		if (side->rows.row[i].terms.joint == grant)
			return &side->rows.row[i];
	}
	return NULL;
}

/* The transfers between a part and another cluster. All are zero if there were none. */
static struct eqt_budget_peer peer_of(const struct side *side, uint64_t part,
				      const char *cluster)
{
	for (size_t i = 0; i < side->rows.peers; i++) {
		const struct eqt_budget_peer *peer = &side->rows.peer[i];

		if (peer->budget == part &&
		    strcasecmp(peer->cluster, cluster) == 0)
			return *peer;
	}
	return (struct eqt_budget_peer){ .budget = part };
}

/* ---- Steps ------------------------------------------------------------------ */

/* A transfer between two parts of a grant. */
struct move {
	const struct side *from, *to;
	const struct eqt_budget *off, *on; /* the parts that give and receive */
	uint64_t number, amount_u, next;
};

/* Send one step of a transfer. Returns 0, or -1 after a message. */
static int move_step(struct joint *joint, const struct move *move,
		     enum eqt_entry_kind kind)
{
	const bool receives = kind == EQT_ENTRY_RECEIVE;
	const struct side *at = receives ? move->to : move->from;
	struct eqt_entry entry = {
		.kind = kind,
		.request = eqt_budget_request_id(),
		.budget = receives ? move->on->id : move->off->id,
		.number = move->number,
		.amount_u = move->amount_u,
		.next = move->next,
	};
	char amount[EQT_HOURS_TEXT], *answer = NULL;
	struct eqt_error why;

	(void) snprintf(entry.peer.cluster, sizeof(entry.peer.cluster), "%s",
			receives ? move->from->name : move->to->name);
	(void) snprintf(entry.why, sizeof(entry.why),
			"%s from %s to %s, transfer %" PRIu64 "%s%.60s",
			eqt_hours_text(move->amount_u, amount),
			move->from->name, move->to->name, move->number,
			joint->how->why ? ": " : "",
			joint->how->why ? joint->how->why : "");
	if (side_choose(at, &why) == 0)
		answer = eqt_budget_request_entry(&entry, &why);
	if (!answer)
		joint_fail(joint, at->name, &why);
	free(answer);
	return answer ? 0 : -1;
}

/* Take the steps of a transfer. If the hours are already in transit, skip the first
 * step. */
static int move_take(struct joint *joint, const struct move *move,
		     bool in_transit)
{
	char amount[EQT_HOURS_TEXT], unit[EQT_HOURS_UNIT];

	printf("%s%s%s%s: %s %ss from %s to %s\n",
	       joint->how->dry_run ? "would move " : "",
	       move->off->terms.account, move->off->terms.user[0] ? "/" : "",
	       move->off->terms.user, eqt_hours_text(move->amount_u, amount),
	       eqt_hours_unit(joint->how->prices, move->off->terms.pool, unit),
	       move->from->name, move->to->name);
	(void) fflush(stdout);
	if (joint->how->dry_run)
		return 0;
	if (!in_transit && move_step(joint, move, EQT_ENTRY_SEND) < 0)
		return -1;
	if (move_step(joint, move, EQT_ENTRY_RECEIVE) < 0)
		return -1;
	return move_step(joint, move, EQT_ENTRY_ARRIVED);
}

/* Finish the transfers that have left this cluster but have not arrived. Returns how many
 * there are. */
static size_t side_finish(struct joint *joint, const struct side *from)
{
	size_t finished = 0;

	for (size_t i = 0; i < from->rows.peers; i++) {
		const struct eqt_budget_peer *peer = &from->rows.peer[i];
		struct move move = {
			.from = from,
			.to = side_find(joint, peer->cluster),
			.off = eqt_balances_find(&from->rows, peer->budget),
			.number = peer->sent,
			.amount_u = peer->transit_u,
			.next = peer->next,
		};

		if (!peer->transit_u || !move.to || move.to->away || !move.off)
			continue;
		move.on = part_of(move.to, move.off->terms.joint);
		if (move.on && move_take(joint, &move, true) == 0)
			finished++;
	}
	return finished;
}

/* Grant a part on a cluster. Only the first part has an amount and refills. Hours are
 * moved to the other parts afterwards. */
static int part_grant(struct joint *joint, const struct side *to,
		      const struct eqt_budget_terms *terms, uint64_t amount_u,
		      struct eqt_error *err)
{
	struct eqt_entry entry =
		eqt_budget_request_new(EQT_ENTRY_GRANT, joint->how->why);
	char *answer;

	entry.state.terms = *terms;
	entry.state.amount_u = amount_u;
	if (!amount_u)
		entry.state.terms.refill_u = 0;
	if (side_choose(to, err) < 0)
		return -1;
	answer = eqt_budget_request_entry(&entry, err);
	free(answer);
	return answer ? 0 : -1;
}

/* Grant the parts that grants of this cluster lack on other clusters. Returns how many
 * there are. */
static size_t side_grant(struct joint *joint, const struct side *from)
{
	size_t granted = 0;

	for (size_t i = 0; i < from->rows.count; i++) {
		const struct eqt_budget *part = &from->rows.row[i];
		const char *list = part->terms.clusters;
		char name[EQT_BUDGET_CLUSTER];

		while (part->terms.joint && !part->closed &&
		       eqt_text_next_name(name, sizeof(name), &list)) {
			const struct side *to = side_find(joint, name);
			struct eqt_error why;

			if (!to || to->away || part_of(to, part->terms.joint))
				continue;
			printf("%s%s: a part on %s\n",
			       joint->how->dry_run ? "would grant " : "",
			       part->terms.account, to->name);
			if (joint->how->dry_run)
				continue;
			if (part_grant(joint, to, &part->terms, 0, &why) < 0)
				joint_fail(joint, to->name, &why);
			else
				granted++;
		}
	}
	return granted;
}

/* ---- Where hours are wanted ------------------------------------------------- */

/* A part of a grant, on a cluster that answers. */
struct portion {
	const struct side *side;
	const struct eqt_budget *part;
	uint64_t left_u, target_u, need_u, use;
};

/* The parts of one grant. */
struct split {
	struct portion *of;
	size_t count, open;
	uint64_t all_u; /* hours left in all parts together */
};

static bool budgets_have_one_owner(const struct eqt_budget *a,
				   const struct eqt_budget *b)
{
	return strcmp(a->terms.account, b->terms.account) == 0 &&
	       strcmp(a->terms.user, b->terms.user) == 0;
}

/* The hours that the n-th waiting job of a part's owner needs. 0 if there is no such job.
 * slurmctld lists a job together with the last budget of its owner. */
static uint64_t part_want(const struct side *side,
			  const struct eqt_budget *part, size_t n)
{
	for (size_t i = 0; i < side->rows.wants; i++) {
		const struct eqt_budget *budget = eqt_balances_find(
			&side->rows, side->rows.want[i].budget);

		if (budget && budgets_have_one_owner(budget, part) && n-- == 0)
			return side->rows.want[i].taken_u;
	}
	return 0;
}

/* The decayed usage of the owner on a cluster. 0 if the cluster does not know the owner
 * or does not answer. */
static uint64_t part_use(struct joint *joint, struct side *side,
			 const struct eqt_budget *part)
{
	const struct eqt_sshare_options how = { .any_norms = true };
	struct eqt_error why;
	char owner[2 * EQT_BUDGET_NAME];
	uint32_t at;

	if (!side->shares_asked &&
	    (side_choose(side, &why) < 0 ||
	     eqt_sshare_read(&side->shares, &how, &why) < 0))
		joint_fail(joint, side->name, &why);
	side->shares_asked = true;
	(void) snprintf(owner, sizeof(owner), "%s%s%s", part->terms.account,
			part->terms.user[0] ? "/" : "", part->terms.user);
	at = eqt_sshare_find(&side->shares, owner, strlen(owner), 0);
	return at == EQT_TREE_NONE
		       ? 0
		       : eqt_whole_min(side->shares.assocs[at].usage,
				       EQT_BUDGET_MOST_U / EQT_BUDGET_CLUSTERS);
}

/* Divide what is left among waiting jobs, taking one job from each cluster in turn. A job
 * that needs more than the rest gets nothing, and the next job is considered. Returns the
 * rest. */
static uint64_t split_needs(struct split *split)
{
	uint64_t rest = split->all_u;
	bool more = true;

	for (size_t n = 0; more; n++) {
		more = false;
		for (size_t i = 0; i < split->count; i++) {
			struct portion *of = &split->of[i];
			const uint64_t need =
				of->part->closed
					? 0
					: part_want(of->side, of->part, n);

			more |= need > 0;
			if (need > rest)
				continue;
			rest -= need;
			of->need_u += need;
		}
	}
	return rest;
}

/* Divide the rest. One half is divided evenly, so that jobs can begin on each cluster,
 * and the other half by recent usage. The first open part gets the remainder. */
static void split_rest(struct split *split, uint64_t rest)
{
	struct portion *first = NULL;
	uint64_t uses = 0, given = 0;

	for (size_t i = 0; i < split->count; i++)
		uses += split->of[i].use;
	for (size_t i = split->count; i-- > 0;) {
		struct portion *of = &split->of[i];
		uint64_t share = rest / 2 / split->open;

		if (of->part->closed)
			continue;
		share += uses ? (uint64_t) ((eqt_u128) (rest / 2) * of->use /
					    uses)
			      : share;
		share -= share % GRAIN_U;
		of->target_u = of->need_u + share;
		given += share;
		first = of;
	}
	if (first)
		first->target_u += rest - given;
}

/* Transfer hours to a part that has too little, from the part with the largest surplus.
 * Returns false if no transfer is worthwhile, or if it failed. */
static bool split_move(struct joint *joint, struct split *split,
		       struct portion *to)
{
	struct portion *from = NULL;
	uint64_t most = 0;
	struct move move;

	for (size_t i = 0; i < split->count; i++) {
		struct portion *of = &split->of[i];

		if (of->left_u > of->target_u &&
		    of->left_u - of->target_u > most) {
			most = of->left_u - of->target_u;
			from = of;
		}
	}
	most = eqt_whole_min(most, to->target_u - to->left_u);
	if (!most || (to->left_u >= to->need_u && !from->part->closed &&
		      most < split->all_u / WORTH))
		return false;
	move = (struct move){ .from = from->side,
			      .to = to->side,
			      .off = from->part,
			      .on = to->part,
			      .amount_u = most };
	move.next = move.off->terms.carry ? 0 : move.off->next;
	move.number =
		1 +
		eqt_whole_max(
			peer_of(move.from, move.off->id, move.to->name).sent,
			peer_of(move.to, move.on->id, move.from->name)
				.received);
	/* Do not repeat a failed transfer in this run. */
	from->left_u -= most;
	to->left_u += most;
	return move_take(joint, &move, false) == 0;
}

/* Collect the parts of a grant. */
static void split_fill(struct joint *joint, struct split *split, uint64_t grant)
{
	split->of = eqt_alloc(joint->sides, sizeof(*split->of));
	for (size_t i = 0; i < joint->sides; i++) {
		struct side *side = &joint->side[i];
		const struct eqt_budget *part = part_of(side, grant);
		struct portion *of = &split->of[split->count];

		if (side->away || !part)
			continue;
		*of = (struct portion){ .side = side,
					.part = part,
					.left_u = eqt_budget_left(part) };
		if (!part->closed)
			of->use = part_use(joint, side, part);
		split->open += !part->closed;
		split->all_u += of->left_u;
		split->count++;
	}
}

/* A grant that has ended stays as it is. */
static void grant_balance(struct joint *joint, const struct eqt_budget *grant)
{
	const uint64_t end = grant->terms.end;
	struct split split = { .count = 0 };

	if (end && end <= (uint64_t) time(NULL))
		return;
	split_fill(joint, &split, grant->terms.joint);
	if (split.open) {
		split_rest(&split, split_needs(&split));
		for (size_t i = 0; i < split.count; i++) {
			struct portion *to = &split.of[i];
			size_t tries = split.count;

			while (to->left_u < to->target_u && tries-- > 0 &&
			       split_move(joint, &split, to))
				continue;
		}
	}
	free(split.of);
}

/* ---- Balance ---------------------------------------------------------------- */

/* If an account is named, only its grants count as joint grants. */
static void side_keep(struct side *side, const char *account)
{
	for (size_t i = 0; i < side->rows.count; i++) {
		struct eqt_budget_terms *terms = &side->rows.row[i].terms;

		if (account && strcmp(terms->account, account) != 0)
			terms->joint = 0;
	}
}

/* Read all clusters, and add the clusters with which they share grants. */
static void joint_read(struct joint *joint)
{
	struct eqt_error why;

	for (size_t i = 0; i < joint->sides; i++) {
		struct side *side = &joint->side[i];

		if (side_read(side, &why) < 0) {
			if (!side->reported) {
				joint->failures++;
				(void) eqt_print_failure("budget", &why);
			}
			side->reported = true;
			continue;
		}
		side_keep(side, joint->how->account);
		for (size_t j = 0; j < joint->side[i].rows.count; j++) {
			const struct eqt_budget *row =
				&joint->side[i].rows.row[j];

			if (row->terms.joint)
				joint_add(joint, row->terms.clusters);
		}
	}
}

/* Is this the first of the clusters that have a part of the grant? */
static bool side_is_first(const struct joint *joint, size_t at, uint64_t grant)
{
	for (size_t i = 0; i < at; i++) {
		if (part_of(&joint->side[i], grant))
			return false;
	}
	return true;
}

/* Take all steps. Grants and arrived hours change what is left, so all clusters are read
 * again after them. */
static void joint_run(struct joint *joint)
{
	size_t changed = 0;

	joint_read(joint);
	for (size_t i = 0; i < joint->sides; i++)
		changed += side_grant(joint, &joint->side[i]);
	if (changed)
		joint_read(joint);
	changed = 0;
	for (size_t i = 0; i < joint->sides; i++)
		changed += side_finish(joint, &joint->side[i]);
	if (changed)
		joint_read(joint);
	for (size_t i = 0; i < joint->sides; i++) {
		for (size_t j = 0; j < joint->side[i].rows.count; j++) {
			const struct eqt_budget *row =
				&joint->side[i].rows.row[j];

			if (row->terms.joint &&
			    side_is_first(joint, i, row->terms.joint))
				grant_balance(joint, row);
		}
	}
}

int eqt_joint_grant_balance(const struct eqt_joint_grant_how *how,
			    struct eqt_error *err)
{
	struct joint joint = { .how = how };
	char name[EQT_CLUSTER_NAME];
	const char *clusters = how->clusters;
	int rc = 0;

	if (!clusters)
		clusters = eqt_remote_chosen();
	if (!clusters) {
		rc = eqt_cluster_name(name, sizeof(name), err);
		clusters = name;
	}
	if (rc == 0)
		joint_add(&joint, clusters);
	if (rc == 0) {
		joint_run(&joint);
		rc = joint_end(&joint, err);
	}
	joint_free(&joint);
	return rc;
}

/* ---- Grant ------------------------------------------------------------------ */

/* Refuse an owner that one of the clusters does not know, because the owner would have no
 * part there. */
static int owner_is_known(const struct joint *joint,
			  const struct eqt_budget_terms *terms,
			  struct eqt_error *err)
{
	char *list = eqt_balances_owner_clusters(terms, terms->clusters, err);
	int rc = list ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < joint->sides; i++) {
		if (!eqt_text_list_has(list, joint->side[i].name))
			rc = eqt_error_set(err, "%s: %s%s%s does not exist",
					   joint->side[i].name, terms->account,
					   terms->user[0] ? "/" : "",
					   terms->user);
	}
	free(list);
	return rc;
}

int eqt_joint_grant_make(const struct eqt_budget_terms *given,
			 const struct eqt_joint_grant_how *how,
			 struct eqt_error *err)
{
	struct eqt_joint_grant_how how_here = *how;
	struct joint joint = { .how = &how_here };
	struct eqt_budget_terms terms = *given;
	char amount[EQT_HOURS_TEXT], unit[EQT_HOURS_UNIT];
	int rc = 0;

	terms.joint = eqt_budget_request_id();
	if (strlen(how->clusters) >= sizeof(terms.clusters))
		return eqt_error_set(err, "too many clusters");
	memcpy(terms.clusters, how->clusters, strlen(how->clusters) + 1);
	joint_add(&joint, terms.clusters);
	for (size_t i = 0; rc == 0 && i < joint.sides; i++)
		rc = side_read(&joint.side[i], err);
	if (rc == 0)
		rc = owner_is_known(&joint, &terms, err);
	if (rc == 0) {
		printf("%sgrant %s %ss to %s on %s\n",
		       how->dry_run ? "would " : "",
		       eqt_hours_text(terms.amount_u, amount),
		       eqt_hours_unit(how->prices, terms.pool, unit),
		       terms.account, terms.clusters);
		if (!how->dry_run)
			rc = part_grant(&joint, &joint.side[0], &terms,
					terms.amount_u, err);
	}
	if (rc == 0 && !how->dry_run) {
		how_here.account = terms.account;
		joint_run(&joint);
		rc = joint_end(&joint, err);
	}
	joint_free(&joint);
	return rc;
}

/* ---- The sum of several clusters -------------------------------------------- */

/* Do two budgets have the same owner, and pay for the same jobs until the same day? */
static bool budgets_are_alike(const struct eqt_budget *a,
			      const struct eqt_budget *b)
{
	return budgets_have_one_owner(a, b) && a->terms.pool == b->terms.pool &&
	       a->terms.end == b->terms.end && a->closed == b->closed &&
	       a->lifted == b->lifted;
}

/* Do both clusters agree about a transfer? If they do not, the transfer happened between
 * their answers. *transit_u is set to what is in transit. */
static bool peer_agrees(const struct joint *joint, const struct side *from,
			const struct eqt_budget_peer *peer, uint64_t *transit_u)
{
	const struct side *to = side_find(joint, peer->cluster);
	const struct eqt_budget *off =
		eqt_balances_find(&from->rows, peer->budget);
	const struct eqt_budget *on = off ? part_of(to, off->terms.joint)
					  : NULL;
	uint64_t received = on ? peer_of(to, on->id, from->name).received : 0;

	*transit_u = received < peer->sent ? peer->transit_u : 0;
	return !on || received == peer->sent ||
	       (received < peer->sent && peer->transit_u);
}

/* Do all clusters agree about all transfers? */
static bool joint_agrees(const struct joint *joint)
{
	uint64_t transit_u;
	bool agrees = true;

	for (size_t i = 0; i < joint->sides; i++) {
		const struct eqt_balances *rows = &joint->side[i].rows;

		for (size_t j = 0; j < rows->peers; j++)
			agrees &= peer_agrees(joint, &joint->side[i],
					      &rows->peer[j], &transit_u);
	}
	return agrees;
}

/* The hours that have left a part and have not arrived. */
static uint64_t part_transit(const struct joint *joint, const struct side *side,
			     uint64_t part)
{
	uint64_t sum = 0, transit_u;

	for (size_t i = 0; i < side->rows.peers; i++) {
		if (side->rows.peer[i].budget != part)
			continue;
		(void) peer_agrees(joint, side, &side->rows.peer[i],
				   &transit_u);
		sum += eqt_whole_min(transit_u, EQT_BUDGET_MOST_U);
	}
	return sum;
}

/* Add a budget to a sum. */
static int sum_add(struct eqt_budget *sum, const struct eqt_budget *one,
		   struct eqt_error *err)
{
	uint64_t *const to[] = { &sum->amount_u,    &sum->spent_u,
				 &sum->committed_u, &sum->frozen_u,
				 &sum->refunded_u,  &sum->overrun_u };
	const uint64_t from[] = { one->amount_u,    one->spent_u,
				  one->committed_u, one->frozen_u,
				  one->refunded_u,  one->overrun_u };

	for (size_t i = 0; i < sizeof(to) / sizeof(*to); i++) {
		if (__builtin_add_overflow(*to[i], from[i], to[i]))
			return eqt_error_set(err,
					     "the budgets of %s are too large "
					     "for a sum",
					     one->terms.account);
	}
	return 0;
}

static int sum_side(struct eqt_balances *rows, const struct joint *joint,
		    const struct side *side, struct eqt_error *err)
{
	for (size_t i = 0; i < side->rows.count; i++) {
		struct eqt_budget one = side->rows.row[i], *sum = rows->row;
		struct eqt_budget *const end = rows->row + rows->count;

		one.frozen_u = part_transit(joint, side, one.id);
		one.amount_u += one.frozen_u;
		one.id = one.terms.joint = 0;
		while (sum < end && !budgets_are_alike(sum, &one))
			sum++;
		if (sum < end && sum_add(sum, &one, err) < 0)
			return -1;
		if (sum < end)
			continue;
		EQT_ALLOC_ROOM(rows->row, rows->count);
		rows->row[rows->count++] = one;
	}
	return 0;
}

int eqt_joint_grant_rows(struct eqt_balances *rows, const char *clusters,
			 struct eqt_error *err)
{
	const struct eqt_joint_grant_how how = { .clusters = clusters };
	struct joint joint = { .how = &how };
	bool agrees = false;
	int rc = 0;

	joint_add(&joint, clusters);

	for (int tries = 0; rc == 0 && !agrees && tries < 5; tries++) {
		for (size_t i = 0; rc == 0 && i < joint.sides; i++)
			rc = side_read(&joint.side[i], err);
		agrees = joint_agrees(&joint);
	}
	if (rc == 0 && !agrees)
		rc = eqt_error_set(err,
				   "the clusters differ about a transfer: a "
				   "file of budgets is older than it was");
	for (size_t i = 0; rc == 0 && i < joint.sides; i++)
		rc = sum_side(rows, &joint, &joint.side[i], err);
	joint_free(&joint);
	return rc;
}
