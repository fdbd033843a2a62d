/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assoc_usage and qos_usage, as slurmctld packs them: version and time, and
 * then for each owner of usage its id, RawUsage as text, "ID=USAGE,..." of its
 * TRES, and the seconds of wall time. */
#include <stdio.h>
#include <time.h>

#include "base/text.h"
#include "slurm/compat.h"
#include "usage/snapshot/stock_usage.h"

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

int eqt_stock_usage_write(const struct eqt_state_folder *folder,
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

int eqt_stock_usage_put(const struct eqt_state_folder *folder,
			struct eqt_error *err)
{
	for (size_t i = 0; i < FILES; i++)
		if (eqt_state_file_rename(folder, files[i].ours, files[i].name,
					  err) < 0)
			return -1;
	(void) eqt_state_file_sync_folder(folder->path);
	return 0;
}
