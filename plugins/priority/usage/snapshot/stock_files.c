/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pack the files as slurmctld and its plugin do. assoc_usage and qos_usage are
 * version and time, and then for each owner of usage its id, RawUsage as text,
 * "ID=USAGE,..." of its TRES, and the seconds of wall time.
 * priority_last_decay_ran is two times, which is all that Slurm's plugin reads,
 * and then our mark, the unit, the last entry of budgets, and a checksum of all
 * these. */
#include <stdio.h>
#include <time.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/text.h"
#include "slurm/compat.h"
#include "usage/snapshot/stock_files.h"
#include "store/state_file.h"

/* ---- Usage -------------------------------------------------------------- */

#define NUMBER_TEXT 64 /* enough for any realistic number */

static const struct stock_usage_file {
	enum eqt_snapshot_owner owner;
	const char *ours, *name;
} files[] = {
	{ EQT_SNAPSHOT_ASSOC, "equitree_assoc_usage", "assoc_usage" },
	{ EQT_SNAPSHOT_QOS, "equitree_qos_usage", "qos_usage" },
};

#define FILES (sizeof(files) / sizeof(*files))

/* Format a number like %Lf of printf(), which takes ten times as long and is
 * needed several times for each association. Returns the length. The types are
 * signed, and the fraction is a double, because a processor converts these in
 * one step. */
static size_t number_text(char buf[NUMBER_TEXT], long double number)
{
	int64_t whole, millionths;
	double fraction;
	size_t length;

	if (!(number >= 0 && number < 1e18L))
		return (size_t) snprintf(buf, NUMBER_TEXT, "%.6Le", number);
	whole = (int64_t) number;
	fraction = (double) (number - (long double) whole);
	millionths = (int64_t) (fraction * 1e6 + 0.5);
	length = eqt_digits(buf, (uint64_t) (whole + millionths / 1000000));
	(void) eqt_digits(buf + length,
			  (uint64_t) (1000000 + millionths % 1000000));
	buf[length] = '.';
	buf[length + 7] = '\0';
	return length + 7;
}

/* Pack the usage of TRES. `text` has room for all of them. */
static void row_pack_tres(const struct eqt_snapshot *snapshot,
			  const long double *tres, char *text, buf_t *buffer)
{
	size_t length = 0;

	for (uint32_t i = 0; i < snapshot->tres_count; i++) {
		if (tres[i] == 0)
			continue;
		if (length)
			text[length++] = ',';
		length += eqt_digits(text + length, snapshot->tres_ids[i]);
		text[length++] = '=';
		length += number_text(text + length, tres[i]);
	}
	packmem(length ? text : NULL, length ? (uint32_t) length + 1 : 0,
		buffer);
}

static void file_pack(const struct stock_usage_file *file,
		      const struct eqt_snapshot *snapshot, buf_t *buffer)
{
	const size_t width = EQT_DIGITS + NUMBER_TEXT + 2;
	char *text = xmalloc(width * ((size_t) snapshot->tres_count + 1));

	pack16(SLURM_PROTOCOL_VERSION, buffer);
	pack_time(time(NULL), buffer);
	for (uint32_t i = 0; i < snapshot->row_count; i++) {
		const struct eqt_snapshot_row *row = &snapshot->rows[i];

		if (row->owner != file->owner)
			continue;
		pack32(row->id, buffer);
		packmem(text, (uint32_t) number_text(text, row->raw) + 1,
			buffer);
		row_pack_tres(snapshot,
			      snapshot->tres +
				      (size_t) i * snapshot->tres_count,
			      text, buffer);
		pack32(row->wall < UINT32_MAX ? (uint32_t) row->wall
					      : UINT32_MAX,
		       buffer);
	}
	xfree(text);
}

int eqt_stock_files_write_usage(const struct eqt_state_folder *folder,
				const struct eqt_snapshot *snapshot,
				struct eqt_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < FILES; i++) {
		buf_t *buffer = init_buf(BUF_SIZE);

		file_pack(&files[i], snapshot, buffer);
		rc = eqt_state_file_replace(folder, files[i].ours,
					    get_buf_data(buffer),
					    get_buf_offset(buffer), err);
		free_buf(buffer);
	}
	return rc < 0 ? -1 : 0;
}

int eqt_stock_files_put_usage(const struct eqt_state_folder *folder,
			      struct eqt_error *err)
{
	for (size_t i = 0; i < FILES; i++)
		if (eqt_state_file_rename(folder, files[i].ours, files[i].name,
					  err) < 0)
			return -1;
	(void) eqt_state_file_sync_folder(folder->path);
	return 0;
}

/* ---- The time of the last pass ------------------------------------------ */

/* The mark of EQT_STOCK_OURS, and that of EQT_STOCK_ALONE. */
#define MARK 0x65717431 /* "eqt1" */
#define MARK_ALONE 0x65717432 /* "eqt2" */

static uint32_t stock_time_checksum(buf_t *buffer)
{
	return (uint32_t) crc32_z(0,
				  (const unsigned char *) get_buf_data(buffer),
				  get_buf_offset(buffer));
}

/* Read the times, and find out which plugin wrote the file. A file that ends
 * after the times was written by Slurm's plugin. */
static void stock_time_unpack(struct eqt_stock_time *stock, buf_t *buffer)
{
	struct eqt_ledger_unit unit = { .known = true };
	uint64_t since, entry;
	uint32_t mark, sum, checksum;

	stock->writer = EQT_STOCK_DAMAGED;
	safe_unpack_time(&stock->last_ran, buffer);
	safe_unpack_time(&stock->last_reset, buffer);
	if (get_buf_offset(buffer) == size_buf(buffer)) {
		stock->writer = EQT_STOCK_THEIRS;
		return;
	}
	safe_unpack32(&mark, buffer);
	safe_unpack64(&unit.scale, buffer);
	safe_unpack64(&since, buffer);
	safe_unpack64(&entry, buffer);
	sum = stock_time_checksum(buffer);
	safe_unpack32(&checksum, buffer);
	if ((mark != MARK && mark != MARK_ALONE) || checksum != sum)
		return;
	stock->writer = mark == MARK ? EQT_STOCK_OURS : EQT_STOCK_ALONE;
	unit.since = (int64_t) since;
	stock->unit = unit;
	stock->budget_entry = entry;
unpack_error:
	return;
}

int eqt_stock_files_read_time(const struct eqt_state_folder *folder,
			      const char *name, struct eqt_stock_time *stock,
			      struct eqt_error *err)
{
	size_t length;
	char *data;
	buf_t *buffer;

	*stock = (struct eqt_stock_time){ .writer = EQT_STOCK_NONE };
	data = eqt_state_file_read(folder, name, &length, err);
	if (!data)
		return errno == ENOENT ? 0 : -1;
	/* create_buf() needs memory from xmalloc(), so the data is copied. */
	buffer = init_buf((uint32_t) length + 1);
	memcpy(get_buf_data(buffer), data, length);
	buffer->size = (uint32_t) length;
	free(data);
	stock_time_unpack(stock, buffer);
	free_buf(buffer);
	return 0;
}

int eqt_stock_files_save_time(const struct eqt_state_folder *folder,
			      const struct eqt_stock_time *stock,
			      struct eqt_error *err)
{
	buf_t *buffer = init_buf(BUF_SIZE);
	int rc;

	pack_time(stock->last_ran, buffer);
	pack_time(stock->last_reset, buffer);
	pack32(stock->writer == EQT_STOCK_ALONE ? MARK_ALONE : MARK, buffer);
	pack64(stock->unit.scale, buffer);
	pack64((uint64_t) stock->unit.since, buffer);
	pack64(stock->budget_entry, buffer);
	pack32(stock_time_checksum(buffer), buffer);
	rc = eqt_state_file_replace(folder, EQT_STOCK_TIME,
				    get_buf_data(buffer),
				    get_buf_offset(buffer), err);
	free_buf(buffer);
	return rc;
}
