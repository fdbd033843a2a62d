/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority_last_decay_ran: two times as Slurm packs them, followed by our mark,
 * the unit, the last entry of budgets, and a checksum of all these. Slurm's
 * plugin reads only the times. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "slurm/compat.h"
#include "store/state_file.h"
#include "usage/snapshot/stock_time.h"

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

int eqt_stock_time_read(const struct eqt_state_folder *folder, const char *name,
			struct eqt_stock_time *stock, struct eqt_error *err)
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

int eqt_stock_time_save(const struct eqt_state_folder *folder,
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
