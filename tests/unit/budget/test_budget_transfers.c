/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of a grant on two clusters: a transfer between them counts once, whichever of its
 * steps is repeated, late, or lost with a kill, also in files that begin anew.
 */
#include "../../property/random.h"
#include "budget_jobs.h"

#define JOINT 77

static struct eqt_book *part_new(uint64_t hours)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry = grant_of(book, "physics", 10);

	(void) snprintf(entry.state.terms.clusters, EQT_BUDGET_CLUSTERS, "a,b");
	entry.state.terms.joint = JOINT;
	entry.state.amount_u = hours * HOUR;
	apply(book, &entry);
	return book;
}

static struct eqt_entry step(const struct eqt_book *book,
			     enum eqt_entry_kind kind, const char *cluster,
			     uint64_t number, uint64_t hours)
{
	struct eqt_entry entry = next_entry(book, kind, 500);

	entry.budget = 1;
	entry.number = number;
	entry.amount_u = hours * HOUR;
	(void) snprintf(entry.peer.cluster, EQT_BUDGET_CLUSTER, "%s", cluster);
	return entry;
}

/* A book of a file that begins with this one. */
static struct eqt_book *begin_again(struct eqt_book *book)
{
	struct eqt_book *again = eqt_book_new();
	struct eqt_entry entry, read;
	char line[EQT_ENTRY_TEXT];
	uint32_t crc = 0, sum = 0;
	size_t at = 0;

	while (eqt_book_state(book, &at, &entry)) {
		ck_assert_int_gt(entry_line(&entry, &crc, line, sizeof(line)),
				 0);
		ck_assert_int_eq(eqt_entry_parse(&read, &sum, line, &err), 0);
		ck_assert_msg(eqt_book_apply(again, &read, &err) == 0, "%s",
			      err.text);
	}
	is_balanced(again);
	eqt_book_free(book);
	return again;
}

/* Take a step as slurmctld does: 1 if it was done before, 0 if it is done now, -1 if it is
 * refused. */
static int take(struct eqt_book *book, const struct eqt_entry *entry)
{
	int done = eqt_book_transfers_done(book, entry, &err);

	if (done)
		return done;
	if (eqt_book_apply(book, entry, &err) < 0)
		return -1;
	is_balanced(book);
	return 0;
}

static uint64_t amount(const struct eqt_book *book)
{
	return eqt_book_budget(book, 1)->amount_u / HOUR;
}

START_TEST(a_transfer_counts_once_whatever_is_repeated)
{
	struct eqt_book *a = part_new(10), *b = part_new(0);
	struct eqt_entry entry;

	for (int again = 0; again < 3; again++) {
		entry = step(a, EQT_ENTRY_SEND, "b", 1, 4);
		ck_assert_int_eq(take(a, &entry), again > 0);
		ck_assert_uint_eq(amount(a), 6);
		a = begin_again(a);
	}
	ck_assert_uint_eq(eqt_book_transfers_peer(a, 1, 0)->transit_u, 4 * HOUR);
	/* Slurm compares names of clusters in any case. */
	for (int again = 0; again < 3; again++) {
		entry = step(b, EQT_ENTRY_RECEIVE, again ? "A" : "a", 1, 4);
		ck_assert_int_eq(take(b, &entry), again > 0);
		ck_assert_uint_eq(amount(b), 4);
		b = begin_again(b);
	}
	for (int again = 0; again < 3; again++) {
		entry = step(a, EQT_ENTRY_ARRIVED, "b", 1, 4);
		ck_assert_int_eq(take(a, &entry), again > 0);
		a = begin_again(a);
	}
	ck_assert_uint_eq(eqt_book_transfers_peer(a, 1, 0)->transit_u, 0);
	ck_assert_uint_eq(eqt_book_transfers_peer(a, 1, 0)->sent, 1);
	ck_assert_ptr_null(eqt_book_transfers_peer(a, 1, 1));
	/* A late one of a command that was stopped meanwhile. */
	entry = step(b, EQT_ENTRY_RECEIVE, "a", 1, 4);
	ck_assert_int_eq(take(b, &entry), 1);
	ck_assert_uint_eq(amount(a) + amount(b), 10);
	eqt_book_free(a);
	eqt_book_free(b);
}
END_TEST

START_TEST(a_grant_has_one_part_on_a_cluster)
{
	struct eqt_book *book = part_new(10);
	struct eqt_entry entry = grant_of(book, "physics", 10);

	entry.state.terms.joint = JOINT;
	ck_assert_int_eq(eqt_book_transfers_done(book, &entry, &err), 1);
	ck_assert_int_eq(eqt_book_apply(book, &entry, &err), -1);
	ck_assert_str_eq(err.text, "entry 2 (grant): the grant has its part here");
	ck_assert_ptr_eq(eqt_book_transfers_joint(book, JOINT), eqt_book_budget(book, 1));
	ck_assert_ptr_null(eqt_book_transfers_joint(book, JOINT + 1));
	ck_assert_ptr_null(eqt_book_transfers_joint(book, 0));
	eqt_book_free(book);
}
END_TEST

/* Part 1 has sent transfer 5 to b, and received transfer 3, of 2 hours, from there: 7 are
 * left. */
static const struct refused {
	enum eqt_entry_kind kind;
	const char *cluster;
	uint64_t number, hours;
	const char *reason;
} refused[] = {
	{ EQT_ENTRY_SEND, "b", 6, 1,
	  "entry 4 (send): another one is in transit" },
	{ EQT_ENTRY_SEND, "a", 6, 8, "entry 4 (send): so much is not left" },
	{ EQT_ENTRY_SEND, "a", 6, 0,
	  "entry 4 (send): the amount is too large, or 0" },
	{ EQT_ENTRY_SEND, "a", 0, 1, "entry 4 (send): its number was used" },
	{ EQT_ENTRY_SEND, "c", 6, 1,
	  "entry 4 (send): the cluster has no part of its grant" },
	{ EQT_ENTRY_RECEIVE, "b", 3, 1,
	  "entry 4 (receive): its number was used" },
	{ EQT_ENTRY_RECEIVE, "b", 4, EQT_BUDGET_MOST_U / HOUR + 1,
	  "entry 4 (receive): the amount is too large, or 0" },
	{ EQT_ENTRY_RECEIVE, "", 4, 1,
	  "entry 4 (receive): the cluster has no part of its grant" },
	{ EQT_ENTRY_ARRIVED, "b", 6, 5,
	  "entry 4 (arrived): no such transfer" },
	{ EQT_ENTRY_ARRIVED, "a", 5, 5,
	  "entry 4 (arrived): no such transfer" },
};

START_TEST(a_step_that_does_not_fit_is_refused)
{
	const struct refused *row = &refused[_i];
	struct eqt_book *book = part_new(10);
	struct eqt_entry entry = step(book, EQT_ENTRY_SEND, "b", 5, 5);

	ck_assert_int_eq(take(book, &entry), 0);
	entry = step(book, EQT_ENTRY_RECEIVE, "b", 3, 2);
	ck_assert_int_eq(take(book, &entry), 0);
	entry = step(book, row->kind, row->cluster, row->number, row->hours);
	ck_assert_int_eq(take(book, &entry), -1);
	ck_assert_str_eq(err.text, row->reason);
	ck_assert_uint_eq(amount(book), 7);
	ck_assert_uint_eq(eqt_book_seq(book), 3);
	eqt_book_free(book);
}
END_TEST

START_TEST(what_was_sent_before_a_refill_lapses_after_it)
{
	static const struct {
		uint64_t next, carry, hours;
	} rows[] = {
		{ 90000000, 0, 0 }, { 90000000, 1, 3 }, { 1000, 0, 3 },
		/* In another time zone. */
		{ 1000 + 86400, 0, 3 },
	};
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry = grant_of(book, "physics", 10);

	(void) snprintf(entry.state.terms.clusters, EQT_BUDGET_CLUSTERS, "a,b");
	entry.state.terms.joint = JOINT;
	entry.state.terms.carry = rows[_i].carry;
	entry.state.next = rows[_i].next;
	apply(book, &entry);
	entry = step(book, EQT_ENTRY_RECEIVE, "b", 1, 3);
	entry.next = 1000;
	ck_assert_int_eq(take(book, &entry), 0);
	ck_assert_uint_eq(amount(book), rows[_i].hours);
	ck_assert_int_eq(take(book, &entry), 1);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_job_waits_for_the_parts_on_other_clusters)
{
	struct eqt_book *book = part_new(2);

	ck_assert(commit_job(book, 1, 2) == EQT_BOOK_FITS);
	ck_assert(commit_job(book, 2, 10) == EQT_BOOK_LACKS);
	ck_assert(commit_job(book, 3, 11) == EQT_BOOK_NEVER);
	/* A part says nothing of the whole. */
	ck_assert_uint_eq(eqt_budget_percent(eqt_book_budget(book, 1)), 0);
	eqt_book_free(book);
}
END_TEST

/* Two books, and steps of transfers that any command may repeat at any time. */
START_TEST(no_order_of_steps_makes_or_loses_hours)
{
	struct eqt_random random = { (uint64_t) _i + 1 };
	struct eqt_book *book[2] = { part_new(10), part_new(0) };
	struct eqt_entry sent[40];
	size_t count = 0;

	for (int i = 0; i < 400; i++) {
		const size_t at = eqt_random_below(&random, 2);
		const struct eqt_budget_peer *peer =
			eqt_book_transfers_peer(book[at], 1, 0);
		struct eqt_entry entry;
		uint64_t sum = amount(book[0]) + amount(book[1]);

		switch (eqt_random_below(&random, 4)) {
		case 0: /* a new one, unless one is in transit */
			entry = step(book[at], EQT_ENTRY_SEND, at ? "a" : "b",
				     peer ? peer->sent + 1 : 1,
				     eqt_random_below(&random, 4));
			if (take(book[at], &entry) == 0)
				sent[count++ % 40] = entry;
			break;
		case 1: /* any one is received, also late */
			if (!count)
				continue;
			entry = sent[eqt_random_below(
				&random, count < 40 ? count : 40)];
			entry.kind = EQT_ENTRY_RECEIVE;
			entry.seq = eqt_book_seq(book[at]) + 1;
			/* From the other one alone. */
			if ((entry.peer.cluster[0] == 'b') != (at == 1))
				continue;
			(void) snprintf(entry.peer.cluster, 2, "%s",
					at ? "a" : "b");
			ck_assert_int_ge(take(book[at], &entry), 0);
			break;
		case 2: /* what has arrived is confirmed */
			if (!peer || !eqt_book_transfers_peer(book[!at], 1, 0) ||
			    eqt_book_transfers_peer(book[!at], 1, 0)->received <
				    peer->sent)
				continue;
			entry = step(book[at], EQT_ENTRY_ARRIVED,
				     at ? "a" : "b", peer->sent, 1);
			ck_assert_int_ge(take(book[at], &entry), 0);
			break;
		default:
			book[at] = begin_again(book[at]);
			break;
		}
		sum = amount(book[0]) + amount(book[1]);
		for (size_t from = 0; from < 2; from++) {
			const struct eqt_budget_peer *to =
				eqt_book_transfers_peer(book[!from], 1, 0);

			peer = eqt_book_transfers_peer(book[from], 1, 0);
			if (peer && (!to || to->received < peer->sent))
				sum += peer->transit_u / HOUR;
		}
		ck_assert_uint_eq(sum, 10);
	}
	ck_assert_uint_gt(count, 4);
	eqt_book_free(book[0]);
	eqt_book_free(book[1]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("budget_transfers");
	TCase *tests = tcase_create("budget transfers");

	tcase_add_test(tests, a_transfer_counts_once_whatever_is_repeated);
	tcase_add_test(tests, a_grant_has_one_part_on_a_cluster);
	tcase_add_loop_test(tests, a_step_that_does_not_fit_is_refused, 0,
			    (int) (sizeof(refused) / sizeof(*refused)));
	tcase_add_loop_test(tests, what_was_sent_before_a_refill_lapses_after_it,
			    0, 4);
	tcase_add_test(tests, a_job_waits_for_the_parts_on_other_clusters);
	tcase_add_loop_test(tests, no_order_of_steps_makes_or_loses_hours, 0,
			    40);
	suite_add_tcase(suite, tests);
	return eqt_unit_main(suite);
}
