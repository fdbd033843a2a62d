/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a grant on several clusters, and transfers between them
 * (docs/design/0097). A transfer is taken off the book of one cluster, added to that of
 * another, and confirmed to the first one. Between two parts, numbers of transfers in
 * one direction ascend, and a transfer is not begun before the previous one is
 * confirmed. So the number of the last transfer is enough for a book to recognise a
 * step that was taken before.
 */
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/text.h"
#include "budget/book_impl.h"

#define DAY_S 86400

/* Return the transfers between a budget and a cluster, or NULL if there were none. */
static struct book_peer *peer_find(const struct eqt_book *book,
				   const struct book_budget *budget,
				   const char *cluster)
{
	for (uint64_t at = budget->peer; at; at = book->peer[at - 1].next) {
		struct book_peer *peer = &book->peer[at - 1];

		/* The case of cluster names is ignored, as in Slurm. */
		if (strcasecmp(peer->is.cluster, cluster) == 0)
			return peer;
	}
	return NULL;
}

/* Return the transfers between a budget and a cluster. If there are none, add an empty
 * record of transfers. Return NULL if there is no memory. */
static struct book_peer *peer_get(struct eqt_book *book,
				  struct book_budget *budget,
				  const char *cluster)
{
	struct book_peer *peer = peer_find(book, budget, cluster);

	if (peer)
		return peer;
	if (EQT_ARRAY_ROOM(book->peer, book->peers) < 0)
		return NULL;
	peer = &book->peer[book->peers++];
	*peer = (struct book_peer){ .is = { .budget = budget->is.id },
				    .next = budget->peer };
	memcpy(peer->is.cluster, cluster, strlen(cluster) + 1);
	budget->peer = book->peers;
	return peer;
}

const struct eqt_budget *eqt_book_transfers_joint(const struct eqt_book *book,
						  uint64_t joint)
{
	for (uint64_t i = 0; joint && i < book->budgets; i++) {
		if (book->budget[i].is.terms.joint == joint)
			return &book->budget[i].is;
	}
	return NULL;
}

const struct eqt_budget_peer *eqt_book_transfers_peer(
	const struct eqt_book *book, uint64_t budget, size_t n)
{
	const struct book_budget *found = book_find(book, budget);
	uint64_t at = found ? found->peer : 0;

	while (at && n-- > 0)
		at = book->peer[at - 1].next;
	return at ? &book->peer[at - 1].is : NULL;
}

/* Find the budget of an entry and its transfers with the other cluster, which are NULL
 * if there were none. Return -1 with err filled if there is no such budget or the
 * cluster has no part of its grant. */
static int part_find(struct book_budget **budget, struct book_peer **peer,
		     const struct eqt_book *book, const struct eqt_entry *entry,
		     struct eqt_error *err)
{
	*budget = book_find(book, entry->kind == EQT_ENTRY_PEER
					  ? entry->peer.budget
					  : entry->budget);
	if (!*budget || !eqt_text_list_has((*budget)->is.terms.clusters,
					   entry->peer.cluster))
		return book_refuse(err, entry,
				   "the cluster has no part of its grant");
	*peer = peer_find(book, *budget, entry->peer.cluster);
	return 0;
}

/* Check whether a step of a transfer can be taken. Whether enough is left is not
 * checked here. */
static int step_check(struct book_budget **budget, struct book_peer **peer,
		      const struct eqt_book *book,
		      const struct eqt_entry *entry, struct eqt_error *err)
{
	const struct eqt_budget_peer *is;

	if (part_find(budget, peer, book, entry, err) < 0)
		return -1;
	is = *peer ? &(*peer)->is : NULL;
	if (entry->kind == EQT_ENTRY_ARRIVED)
		return is && is->transit_u && is->sent == entry->number
			       ? 0
			       : book_refuse(err, entry, "no such transfer");
	if (!entry->amount_u || entry->amount_u > EQT_BUDGET_MOST_U ||
	    (entry->kind == EQT_ENTRY_RECEIVE &&
	     (*budget)->is.amount_u > EQT_BUDGET_MOST_U))
		return book_refuse(err, entry, "the amount is too large, or 0");
	if (entry->kind == EQT_ENTRY_SEND && is && is->transit_u)
		return book_refuse(err, entry, "another one is in transit");
	if (!entry->number ||
	    (is &&
	     entry->number <=
		     (entry->kind == EQT_ENTRY_SEND ? is->sent : is->received)))
		return book_refuse(err, entry, "its number was used");
	return 0;
}

/* Add the transfers with one cluster from the beginning of a file. */
int book_apply_peer(struct eqt_book *book, const struct eqt_entry *entry,
		    struct eqt_error *err)
{
	struct book_budget *budget;
	struct book_peer *peer;

	if (part_find(&budget, &peer, book, entry, err) < 0)
		return -1;
	peer = peer_get(book, budget, entry->peer.cluster);
	if (!peer)
		return book_refuse(err, entry, "out of memory");
	peer->is = entry->peer;
	return 0;
}

int book_apply_send(struct eqt_book *book, const struct eqt_entry *entry,
		    struct eqt_error *err)
{
	struct book_budget *budget;
	struct book_peer *peer;

	if (step_check(&budget, &peer, book, entry, err) < 0)
		return -1;
	if (eqt_budget_left(&budget->is) < entry->amount_u)
		return book_refuse(err, entry, "so much is not left");
	peer = peer_get(book, budget, entry->peer.cluster);
	if (!peer)
		return book_refuse(err, entry, "out of memory");
	budget->is.amount_u -= entry->amount_u;
	peer->is.sent = entry->number;
	peer->is.transit_u = entry->amount_u;
	peer->is.next = entry->next;
	return 0;
}

/* Has the period in which the amount was sent ended here? The amount then lapses, as it
 * would have done without the transfer. A difference of up to a day is ignored, because
 * clusters in other time zones are refilled at other hours. */
static bool receipt_lapses(const struct eqt_budget *budget,
			   const struct eqt_entry *entry)
{
	return entry->next && !budget->terms.carry &&
	       budget->next > entry->next && budget->next - entry->next > DAY_S;
}

/* A closed budget can receive an amount, so that nothing in transit is lost. The amount
 * can be sent on from there. */
int book_apply_receive(struct eqt_book *book, const struct eqt_entry *entry,
		       struct eqt_error *err)
{
	struct book_budget *budget;
	struct book_peer *peer;

	if (step_check(&budget, &peer, book, entry, err) < 0)
		return -1;
	peer = peer_get(book, budget, entry->peer.cluster);
	if (!peer)
		return book_refuse(err, entry, "out of memory");
	peer->is.received = entry->number;
	peer->is.received_u = entry->amount_u;
	if (!receipt_lapses(&budget->is, entry))
		budget->is.amount_u += entry->amount_u;
	return 0;
}

int book_apply_arrived(struct eqt_book *book, const struct eqt_entry *entry,
		       struct eqt_error *err)
{
	struct book_budget *budget;
	struct book_peer *peer;

	if (step_check(&budget, &peer, book, entry, err) < 0)
		return -1;
	peer->is.transit_u = peer->is.next = 0;
	return 0;
}

/* Was this step of a transfer taken before? A command that was killed repeats the step,
 * or another command has taken it meanwhile. */
static bool step_is_done(const struct eqt_budget_peer *peer,
			 const struct eqt_entry *entry)
{
	switch (entry->kind) {
	case EQT_ENTRY_SEND:
		return peer->sent == entry->number &&
		       peer->transit_u == entry->amount_u;
	case EQT_ENTRY_RECEIVE:
		/* The book has only the amount of the last transfer. */
		return entry->number < peer->received ||
		       (entry->number == peer->received &&
			entry->amount_u == peer->received_u);
	default:
		return entry->number < peer->sent ||
		       (entry->number == peer->sent && !peer->transit_u);
	}
}

int eqt_book_transfers_done(const struct eqt_book *book,
			    const struct eqt_entry *entry,
			    struct eqt_error *err)
{
	struct book_budget *budget;
	struct book_peer *peer;

	if (entry->kind == EQT_ENTRY_GRANT)
		return eqt_book_transfers_joint(book, entry->state.terms.joint)
			       ? 1
			       : 0;
	if (entry->kind != EQT_ENTRY_SEND && entry->kind != EQT_ENTRY_RECEIVE &&
	    entry->kind != EQT_ENTRY_ARRIVED)
		return 0;
	if (part_find(&budget, &peer, book, entry, err) < 0)
		return -1;
	if (peer && step_is_done(&peer->is, entry))
		return 1;
	return step_check(&budget, &peer, book, entry, err);
}
