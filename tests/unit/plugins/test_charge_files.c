/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder of the record of charges, with a group of thousands of members. */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <slurm/slurm.h>

#include "slurm/log.h"
#include "usage/journal/charge_files.h"
#include "../unit.h"

/* Bytes of the names of all members: more than the first buffer has. */
#define MEMBERS_SIZE ((size_t) 200000)

extern slurm_conf_t slurm_conf;
slurm_conf_t slurm_conf; /* libslurmfull defines it in slurmctld */

static unsigned int errors;

void eqt_log_error(const char *format, ...)
{
	(void) format;
	errors++;
}

void eqt_log_info(const char *format, ...)
{
	(void) format;
}

/* This one is called instead of glibc's. It knows one group. */
int getgrnam_r(const char *name, struct group *group, char *buf, size_t size,
	       struct group **found)
{
	*found = NULL;
	if (strcmp(name, "everybody") != 0)
		return 0;
	if (size < MEMBERS_SIZE)
		return ERANGE;
	memset(buf, 0, size);
	*group = (struct group){ .gr_name = buf, .gr_gid = getgid() };
	*found = group;
	return 0;
}

/* Tidy a new folder that is shared with this group. */
static struct eqt_charge_files_place folder_share_with(const char *group)
{
	struct eqt_charge_files_place place = { .on = true };
	const char *tmp = getenv("TMPDIR");

	(void) snprintf(place.folder, sizeof(place.folder),
			"%s/eqt_charges.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(place.folder));
	(void) snprintf(place.group, sizeof(place.group), "%s", group);
	errors = 0;
	ck_assert_int_eq(eqt_charge_files_tidy(&place, "2026-11-24"), 0);
	ck_assert_int_eq(rmdir(place.folder), 0);
	return place;
}

START_TEST(a_group_of_thousands_of_members_reads_the_record)
{
	const struct eqt_charge_files_place place =
		folder_share_with("everybody");

	ck_assert_uint_eq(errors, 0);
	ck_assert(place.shared);
	ck_assert_uint_eq(place.gid, getgid());
}
END_TEST

START_TEST(an_unknown_group_is_an_error_and_gets_nothing)
{
	const struct eqt_charge_files_place place = folder_share_with("nobody");

	ck_assert_uint_eq(errors, 1);
	ck_assert(!place.shared);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("charge_files");
	TCase *tcase = tcase_create("charge_files");

	tcase_add_test(tcase,
		       a_group_of_thousands_of_members_reads_the_record);
	tcase_add_test(tcase, an_unknown_group_is_an_error_and_gets_nothing);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
