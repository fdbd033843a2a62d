/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random snapshots and charges: each is read back to the same bits, and each
 * flipped bit and each cut is noticed. A trial's number is its seed. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/ledger.h"
#include "random.h"
#include "unmarked.h"
#include "../unit/unit.h"

#define TRIALS 2000
#define DAMAGED 60 /* trials whose text is damaged at every place */

#define REQUIRE(condition) \
	ck_assert_msg(condition, "seed %llu", (unsigned long long) seed)

static uint64_t seed;

/* Any number from the smallest denormal to the largest, and zero. */
static long double random_long_double(struct eqt_random *random)
{
	int least = LDBL_MIN_EXP - 2 * LDBL_MANT_DIG;
	uint64_t span = (uint64_t) (LDBL_MAX_EXP - least);
	long double fraction =
		ldexpl((long double) eqt_random_next(random), -64);

	return ldexpl(fraction, least + (int) eqt_random_below(random, span));
}

static double random_double(struct eqt_random *random)
{
	uint64_t bits = eqt_random_below(random, UINT64_C(0x7ff) << 52);
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

/* Few or many bits, so that there are small and large numbers. */
static uint64_t random_u64(struct eqt_random *random)
{
	return eqt_random_next(random) >> eqt_random_below(random, 64);
}

static uint32_t random_u32(struct eqt_random *random)
{
	return (uint32_t) (random_u64(random) >> eqt_random_below(random, 33));
}

static int64_t random_i64(struct eqt_random *random)
{
	int64_t half = (int64_t) (random_u64(random) >> 1);

	return eqt_random_below(random, 2) ? half : -half - 1;
}

static void row_add(struct eqt_snapshot *snapshot, struct eqt_random *random)
{
	struct eqt_snapshot_row row = {
		eqt_random_below(random, 2) ? EQT_SNAPSHOT_ASSOC : EQT_SNAPSHOT_QOS,
		random_u32(random), random_long_double(random),
		random_double(random)
	};
	long double tres[16];
	uint32_t i;

	for (i = 0; i < snapshot->tres_count; i++)
		tres[i] = random_long_double(random);
	REQUIRE(eqt_snapshot_add(snapshot, &row, tres) == 0);
}

static struct eqt_snapshot *random_snapshot(struct eqt_random *random)
{
	uint32_t ids[16], count = (uint32_t) eqt_random_below(random, 16), i;
	uint64_t rows = eqt_random_below(random, 8);
	struct eqt_snapshot *snapshot;

	for (i = 0; i < count; i++)
		ids[i] = random_u32(random);
	snapshot = eqt_snapshot_new(
		ids, count, (uint32_t) eqt_random_below(random, 4), NULL);
	REQUIRE(snapshot != NULL);
	snapshot->last_ran = random_i64(random);
	snapshot->last_reset = random_i64(random);
	snapshot->sequence = random_u64(random);
	while (rows-- > 0)
		row_add(snapshot, random);
	/* By id, as they are once they were read. */
	rows = eqt_random_below(random, 4);
	for (i = 0; i < rows; i++)
		REQUIRE(eqt_snapshot_add_parent(
				snapshot,
				(uint32_t) (i * 1000 +
					    eqt_random_below(random, 1000)),
				random_u32(random)) == 0);
	return snapshot;
}

static void random_charge(struct eqt_journal_record *charge, struct eqt_random *random)
{
	int64_t a = random_i64(random), b = random_i64(random);
	uint32_t i;

	*charge = (struct eqt_journal_record){ random_u64(random),
				       random_u32(random),
				       random_u32(random),
				       random_u32(random),
				       random_u32(random),
				       a < b ? a : b,
				       a < b ? b : a,
				       random_double(random),
				       random_double(random),
				       (uint32_t) eqt_random_below(
					       random, EQT_JOURNAL_RECORD_TRES_MAX + 1),
				       { { 0, 0 } } };
	for (i = 0; i < charge->tres_count; i++) {
		charge->tres[i].id = random_u32(random);
		charge->tres[i].count = random_u64(random);
	}
}

static void rows_same(const struct eqt_snapshot *a,
		      const struct eqt_snapshot *b)
{
	size_t i, numbers = (size_t) a->row_count * a->tres_count;

	for (i = 0; i < a->row_count; i++) {
		REQUIRE(a->rows[i].owner == b->rows[i].owner);
		REQUIRE(a->rows[i].id == b->rows[i].id);
		REQUIRE(a->rows[i].raw == b->rows[i].raw);
		REQUIRE(a->rows[i].wall == b->rows[i].wall);
	}
	for (i = 0; i < numbers; i++)
		REQUIRE(a->tres[i] == b->tres[i]);
}

static void snapshot_same(const struct eqt_snapshot *a,
			  const struct eqt_snapshot *b)
{
	uint32_t i;

	REQUIRE(a->last_ran == b->last_ran);
	REQUIRE(a->last_reset == b->last_reset);
	REQUIRE(a->sequence == b->sequence);
	REQUIRE(a->tres_count == b->tres_count);
	REQUIRE(a->row_count == b->row_count);
	for (i = 0; i < a->tres_count; i++)
		REQUIRE(a->tres_ids[i] == b->tres_ids[i]);
	rows_same(a, b);
	REQUIRE(a->parent_count == b->parent_count);
	for (i = 0; i < a->parent_count; i++) {
		REQUIRE(a->parents[i].id == b->parents[i].id);
		REQUIRE(a->parents[i].parent_id == b->parents[i].parent_id);
	}
}

static void charge_same(const struct eqt_journal_record *a, const struct eqt_journal_record *b)
{
	uint32_t i;

	REQUIRE(a->sequence == b->sequence && a->job_id == b->job_id);
	REQUIRE(a->assoc_id == b->assoc_id && a->qos_id == b->qos_id);
	REQUIRE(a->part_qos_id == b->part_qos_id);
	REQUIRE(a->from == b->from && a->to == b->to);
	REQUIRE(a->rate == b->rate && a->factor == b->factor);
	REQUIRE(a->tres_count == b->tres_count);
	for (i = 0; i < a->tres_count; i++) {
		REQUIRE(a->tres[i].id == b->tres[i].id);
		REQUIRE(a->tres[i].count == b->tres[i].count);
	}
}

static int snapshot_is_read(const char *text, size_t length)
{
	struct eqt_snapshot *snapshot = eqt_snapshot_parse(text, length, NULL);

	eqt_snapshot_free(snapshot);
	return snapshot != NULL;
}

static int charge_is_read(const char *text, size_t length)
{
	struct eqt_journal_record charge;

	return eqt_journal_record_parse(&charge, text, length, NULL) == 0;
}

/* Flip each bit in turn, then cut at each place. The copy has exactly that
 * length, so that a sanitizer sees a read past the end. */
static void no_damage_is_read(const char *text, size_t length,
			      int (*is_read)(const char *, size_t))
{
	size_t i;
	char *copy;

	for (i = 0; i < length; i++) {
		copy = malloc(length - i);
		REQUIRE(copy != NULL);
		memcpy(copy, text, length - i);
		if (i > 0)
			REQUIRE(!is_read(copy, length - i));
		free(copy);
	}
	copy = malloc(length);
	REQUIRE(copy != NULL);
	memcpy(copy, text, length);
	for (i = 0; i < length * 8; i++) {
		copy[i / 8] = (char) (copy[i / 8] ^ (1 << i % 8));
		REQUIRE(!is_read(copy, length));
		copy[i / 8] = text[i / 8];
	}
	REQUIRE(is_read(copy, length));
	free(copy);
	REQUIRE(!is_read(text, 0));
}

static void snapshot_trial(struct eqt_random *random, int damage)
{
	struct eqt_snapshot *out = random_snapshot(random), *in;
	size_t length, again_length;
	char *text = eqt_snapshot_text(out, &length), *again;

	REQUIRE(text && strlen(text) == length);
	in = eqt_snapshot_parse(text, length, NULL);
	REQUIRE(in != NULL);
	snapshot_same(in, out);
	again = eqt_snapshot_text(in, &again_length);
	REQUIRE(again && strcmp(again, text) == 0);
	if (damage)
		no_damage_is_read(text, length, snapshot_is_read);
	free(again);
	free(text);
	eqt_snapshot_free(in);
	eqt_snapshot_free(out);
}

static void charge_trial(struct eqt_random *random, int damage)
{
	char text[EQT_JOURNAL_RECORD_TEXT], again[EQT_JOURNAL_RECORD_TEXT];
	struct eqt_journal_record out, in;
	int length;

	random_charge(&out, random);
	length = eqt_journal_record_text(text, sizeof(text), &out);
	REQUIRE(length > 0);
	REQUIRE(eqt_journal_record_parse(&in, text, (size_t) length - 1, NULL) == 0);
	charge_same(&in, &out);
	REQUIRE(eqt_journal_record_text(again, sizeof(again), &in) == length);
	REQUIRE(strcmp(text, again) == 0);
	if (damage)
		no_damage_is_read(text, (size_t) length - 1, charge_is_read);
}

START_TEST(every_snapshot_and_charge_reads_back_and_no_damage_does)
{
	struct eqt_random random;

	for (seed = 0; seed < TRIALS; seed++) {
		random.s = seed;
		snapshot_trial(&random, seed < DAMAGED);
		charge_trial(&random, seed < DAMAGED);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ledger_property");
	TCase *tcase = tcase_create("ledger_property");

	tcase_set_timeout(tcase, 300);
	tcase_add_test(
		tcase,
		every_snapshot_and_charge_reads_back_and_no_damage_does);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
