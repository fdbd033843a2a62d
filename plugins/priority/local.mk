# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += plugins/priority/README.md plugins/priority/priority.map

if HAVE_SLURM_INTERNAL
plugin_LTLIBRARIES += plugins/priority/priority_equitree.la
endif

plugins_priority_priority_equitree_la_SOURCES = $(PLUGIN_COMMON) \
	plugins/common/ask_fields.c plugins/common/ask_fields.h \
	plugins/common/ask_partition.c plugins/common/ask_partition.h \
	plugins/common/elapsed.h plugins/common/env_names.h plugins/common/slurm_compat.h \
	plugins/common/node_sets.c plugins/common/node_sets.h \
	plugins/common/name_list.c plugins/common/name_list.h \
	plugins/common/reach.c plugins/common/reach.h \
	plugins/common/threads.c plugins/common/threads.h \
	plugins/common/whole_nodes.c plugins/common/whole_nodes.h \
	plugins/priority/guard.c plugins/priority/guard.h \
	plugins/priority/pass.c plugins/priority/pass.h \
	plugins/priority/priority_equitree.c \
	plugins/priority/settings.c plugins/priority/settings.h \
	plugins/priority/trace.c plugins/priority/trace.h \
	plugins/priority/books/booking.c plugins/priority/books/booking.h \
	plugins/priority/books/charge.c plugins/priority/books/charge.h \
	plugins/priority/books/charged_until.c plugins/priority/books/charged_until.h \
	plugins/priority/books/charging.c plugins/priority/books/charging.h \
	plugins/priority/books/reset.c plugins/priority/books/reset.h \
	plugins/priority/books/recount.c plugins/priority/books/recount.h \
	plugins/priority/books/reserve.c plugins/priority/books/reserve.h \
	plugins/priority/books/resized.c plugins/priority/books/resized.h \
	plugins/priority/books/set_back.c plugins/priority/books/set_back.h \
	plugins/priority/books/suspended.c plugins/priority/books/suspended.h \
	plugins/priority/books/usage.c plugins/priority/books/usage.h \
	plugins/priority/jobs/ahead.c plugins/priority/jobs/ahead.h \
	plugins/priority/jobs/array_tasks.c plugins/priority/jobs/array_tasks.h \
	plugins/priority/jobs/ask_from_job.c plugins/priority/jobs/ask_from_job.h \
	plugins/priority/jobs/billing.c plugins/priority/jobs/billing.h \
	plugins/priority/jobs/id_set.c plugins/priority/jobs/id_set.h \
	plugins/priority/jobs/job_env.c plugins/priority/jobs/job_env.h \
	plugins/priority/jobs/job_ids.c plugins/priority/jobs/job_ids.h \
	plugins/priority/jobs/job_links.c plugins/priority/jobs/job_links.h \
	plugins/priority/jobs/job_memory.c plugins/priority/jobs/job_memory.h \
	plugins/priority/jobs/job_times.c plugins/priority/jobs/job_times.h \
	plugins/priority/jobs/rate_memo.c plugins/priority/jobs/rate_memo.h \
	plugins/priority/jobs/req_text.c plugins/priority/jobs/req_text.h \
	plugins/priority/jobs/request.c plugins/priority/jobs/request.h \
	plugins/priority/jobs/roster.c plugins/priority/jobs/roster.h \
	plugins/priority/jobs/slices.c plugins/priority/jobs/slices.h \
	plugins/priority/ledger/assoc_index.c plugins/priority/ledger/assoc_index.h \
	plugins/priority/ledger/journal.c plugins/priority/ledger/journal.h \
	plugins/priority/ledger/ledger.c plugins/priority/ledger/ledger.h \
	plugins/priority/ledger/state_file.c plugins/priority/ledger/state_file.h \
	plugins/priority/points/factor_list.c plugins/priority/points/factor_list.h \
	plugins/priority/points/points.c plugins/priority/points/points.h \
	plugins/priority/points/priorities.c plugins/priority/points/priorities.h \
	plugins/priority/ranking/assoc_walk.c plugins/priority/ranking/assoc_walk.h \
	plugins/priority/ranking/classic.c plugins/priority/ranking/classic.h \
	plugins/priority/ranking/queue.c plugins/priority/ranking/queue.h \
	plugins/priority/ranking/ranks.c plugins/priority/ranking/ranks.h \
	plugins/priority/ranking/size.c plugins/priority/ranking/size.h \
	plugins/priority/ranking/standings.c plugins/priority/ranking/standings.h
plugins_priority_priority_equitree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) $(INTERNAL_CPPFLAGS)
plugins_priority_priority_equitree_la_CFLAGS = $(PLUGIN_CFLAGS)
# nodelete: slurmctld unloads the plugin at each reconfigure, and when the new
# process fails it loads it again: the configuration must still be there.
plugins_priority_priority_equitree_la_LDFLAGS = -module -Wl,-z,nodelete \
	$(PLUGIN_LINK)/plugins/priority/priority.map
plugins_priority_priority_equitree_la_LIBADD = $(PLUGIN_LIBADD)
