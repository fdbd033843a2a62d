/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "usage/journal/line_queue.h"
#include "../unit.h"

/* Take all waiting text, in pieces of seven bytes; rotations become "|". */
static void queue_read(struct eqt_line_queue *queue, char *text, size_t size)
{
	struct eqt_line_piece piece = eqt_line_queue_next(queue);
	size_t used = 0;

	while ((piece.length || piece.rotate) && used + 8 < size) {
		size_t length = piece.length < 7 ? piece.length : 7;

		if (length == 0) {
			text[used++] = '|';
			eqt_line_queue_take_rotation(queue);
		} else {
			memcpy(text + used, piece.text, length);
			used += length;
			eqt_line_queue_take(queue, length);
		}
		piece = eqt_line_queue_next(queue);
	}
	text[used] = '\0';
}

START_TEST(lines_come_out_in_the_order_in_which_they_came)
{
	struct eqt_line_queue queue = { 0 };
	char text[256];

	ck_assert_int_eq(eqt_line_queue_put(&queue, "a long line\n", 12), 0);
	ck_assert_int_eq(eqt_line_queue_put_rotation(&queue), 0);
	ck_assert_int_eq(eqt_line_queue_put_rotation(&queue), 0);
	ck_assert_int_eq(eqt_line_queue_put(&queue, "b\n", 2), 0);
	queue_read(&queue, text, sizeof(text));
	ck_assert_str_eq(text, "a long line\n||b\n");
	ck_assert_uint_eq(queue.put, 14);
	ck_assert_uint_eq(queue.taken, 14);
	ck_assert_uint_eq(queue.chunk_count, 0);
	eqt_line_queue_clear(&queue);
}
END_TEST

START_TEST(a_line_added_while_another_is_read_moves_nothing)
{
	struct eqt_line_queue queue = { 0 };
	struct eqt_line_piece piece;

	ck_assert_int_eq(eqt_line_queue_put(&queue, "a\n", 2), 0);
	piece = eqt_line_queue_next(&queue);
	for (int i = 0; i < 100000; i++)
		ck_assert_int_eq(eqt_line_queue_put(&queue, "b\n", 2), 0);
	ck_assert_int_eq(memcmp(piece.text, "a\n", 2), 0);
	eqt_line_queue_clear(&queue);
}
END_TEST

START_TEST(memory_is_bounded_and_free_again_afterwards)
{
	struct eqt_line_queue queue = { 0 };
	char line[1000];
	size_t lines = 0;

	memset(line, 'x', sizeof(line));
	while (eqt_line_queue_put(&queue, line, sizeof(line)) == 0 &&
	       lines < 1000000)
		lines++;
	ck_assert_uint_gt(lines, 10000);
	ck_assert_uint_lt(lines, 20000);
	ck_assert_int_eq(eqt_line_queue_put(&queue, line, sizeof(line)), -1);
	while (eqt_line_queue_next(&queue).length)
		eqt_line_queue_take(&queue, eqt_line_queue_next(&queue).length);
	ck_assert_uint_eq(queue.taken, lines * sizeof(line));
	ck_assert_int_eq(eqt_line_queue_put(&queue, line, sizeof(line)), 0);
	eqt_line_queue_clear(&queue);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("line_queue");
	TCase *tcase = tcase_create("line_queue");

	tcase_add_test(tcase, lines_come_out_in_the_order_in_which_they_came);
	tcase_add_test(tcase, a_line_added_while_another_is_read_moves_nothing);
	tcase_add_test(tcase, memory_is_bounded_and_free_again_afterwards);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
