/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Check the magic numbers of the first job record before anything is
 * changed. */
#include <fcntl.h>
#include <unistd.h>

#include "slurm/log.h"
#include "guard.h"

enum verdict { UNKNOWN = 0, FITS, DIFFERS };

/* Is there a magic number at this address, which may be invalid? write()
 * returns an error for an invalid address, while reading the address here would
 * crash slurmctld. */
static enum verdict magic_verdict(const uint32_t *at, uint32_t magic)
{
	uint32_t found = 0;
	bool read_back;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return UNKNOWN;
	read_back = write(ends[1], at, sizeof(*at)) == sizeof(*at) &&
		    read(ends[0], &found, sizeof(found)) == sizeof(found);
	close(ends[0]);
	close(ends[1]);
	return read_back && found == magic ? FITS : DIFFERS;
}

/* Check one job record. Every job has details. If its partition was removed,
 * the record does not show enough to decide. */
static enum verdict job_verdict(const job_record_t *job)
{
	enum verdict details;

	if (job->magic != JOB_MAGIC || !job->details)
		return DIFFERS;
	details = magic_verdict(&job->details->magic, DETAILS_MAGIC);
	if (details != FITS)
		return details;
	return job->part_ptr ? magic_verdict(&job->part_ptr->magic, PART_MAGIC)
			     : UNKNOWN;
}

bool eqt_guard_ok(struct eqt_guard *guard, const job_record_t *job)
{
	int now = atomic_load_explicit(&guard->verdict, memory_order_relaxed);

	if (now == FITS)
		return true;
	if (now == DIFFERS)
		return false;
	now = (int) job_verdict(job);
	if (now == UNKNOWN && !atomic_exchange(&guard->undecided_logged, true))
		eqt_log_error("a job record has no partition: nothing is "
			      "charged and no priority is changed until "
			      "another record has one");
	if (now == UNKNOWN)
		return false;
	if (atomic_exchange(&guard->verdict, now) != now && now == DIFFERS)
		eqt_log_error("slurmctld's job records are not laid out as "
			      "those of the headers that this plugin was built "
			      "with: nothing is charged and no priority is "
			      "changed. Build it again with the headers of "
			      "exactly this Slurm");
	return now == FITS;
}
