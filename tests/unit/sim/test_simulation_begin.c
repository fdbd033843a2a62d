/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What simulations find when they begin: reservations of many nodes, priorities. */
#include "simulation_now.h"

enum { MANY = 200 };

static uint32_t taken[MANY];

static void note_nodes(void *with, const struct eqt_simulation_job *started,
		       const uint32_t *on)
{
	(void) with;
	for (uint32_t i = 0; i < started->nodes; i++)
		taken[on[i]]++;
}

/* A job on all nodes but one: that is the one of the reservation. */
START_TEST(a_reservation_keeps_each_of_its_nodes)
{
	static struct eqt_simulation_node many[MANY];
	static uint64_t bits[MANY / 64 + 1];
	struct eqt_simulation_job one =
		job(1, ANN, NOW - 1, 4 * (MANY - 1), HOUR);
	struct eqt_simulation in = simulation(&one, 1, MANY);
	struct eqt_simulation_sum sum;

	for (size_t i = 0; i < MANY; i++)
		many[i] = nodes[0];
	in.cluster.nodes = many;
	in.watch.placed = note_nodes;
	in.reservation_count = 1;
	reservations[0] = (struct eqt_simulation_reservation){
		.from = NOW, .to = NOW + HOUR, .nodes = bits
	};
	for (uint32_t kept = 0; kept < MANY; kept++) {
		memset(bits, 0, sizeof(bits));
		bits[kept / 64] = UINT64_C(1) << (kept % 64);
		memset(taken, 0, sizeof(taken));
		ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, NULL),
				 0);
		ck_assert_int_eq(one.start, NOW);
		for (uint32_t i = 0; i < MANY; i++)
			ck_assert_uint_eq(taken[i], i != kept);
	}
}
END_TEST

/* Two jobs have 100 points more than is computed for them, so the third has, too: it
 * stays behind the first, and before the second. */
START_TEST(a_job_without_a_priority_moves_with_the_others)
{
	const struct eqt_simulation_needs high = { .priority = 801 },
					  low = { .priority = 601 };
	struct eqt_simulation_job jobs[] = {
		job(1, ANN, NOW - 3, 4, HOUR),
		job(2, ANN, NOW - 2, 4, HOUR),
		job(3, ANN, NOW - 1, 4, HOUR),
	};
	struct eqt_simulation in = simulation(jobs, 3, 1);
	struct eqt_simulation_sum sum;

	policy.weights = (struct eqt_factor_weights){ .age = 0 };
	in.anchored = true;
	jobs[0].needs = &low;
	jobs[0].nice = -501;
	jobs[1].nice = -601;
	jobs[2].needs = &high;
	jobs[2].nice = -701;
	ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, NULL), 0);
	ck_assert_int_eq(jobs[2].start, NOW);
	ck_assert_int_eq(jobs[1].start, NOW + HOUR);
	ck_assert_int_eq(jobs[0].start, NOW + 2 * HOUR);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("simulation begin");
	TCase *tc = tcase_create("simulation begin");

	tcase_add_checked_fixture(tc, setup_now, NULL);
	tcase_add_test(tc, a_reservation_keeps_each_of_its_nodes);
	tcase_add_test(tc, a_job_without_a_priority_moves_with_the_others);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
