/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show: leases and their audit, as tables and as JSON. */
#ifndef EQT_BOOST_SHOW_H
#define EQT_BOOST_SHOW_H

#include "boost/lease.h"
#include "cli/output_options.h"

/* Print all leases. 0, or -1: out of memory. */
int eqt_boost_list(const struct eqt_leases *leases,
		   const struct eqt_output_options *common, int64_t now_s);

/* Print the audit. 0, or -1 with err filled. An unreadable line is reported on
 * stderr. */
int eqt_boost_show_audit(const char *folder,
			 const struct eqt_output_options *common,
			 struct eqt_error *err);

/* "2026-11-21 12:00", local time, in buf. */
const char *eqt_boost_time(int64_t at_s, char buf[EQT_BOOST_TEXT]);

#endif
