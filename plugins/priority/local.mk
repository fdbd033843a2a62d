# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += plugins/priority/priority.map

if HAVE_SLURM_INTERNAL
plugin_LTLIBRARIES += plugins/priority/priority_equitree.la
endif

plugins_priority_priority_equitree_la_SOURCES = $(PLUGIN_COMMON) \
	plugins/common/ask_fields.c plugins/common/ask_fields.h \
	plugins/common/ask_partition.c plugins/common/ask_partition.h \
	plugins/common/elapsed.h plugins/common/env_names.h plugins/common/slurm_compat.h \
	plugins/common/node_sets.c plugins/common/node_sets.h \
	plugins/common/reach.c plugins/common/reach.h \
	plugins/common/threads.c plugins/common/threads.h \
	plugins/common/whole_nodes.c plugins/common/whole_nodes.h \
	plugins/priority/ahead.c plugins/priority/ahead.h \
	plugins/priority/ask_from_job.c plugins/priority/ask_from_job.h \
	plugins/priority/assoc_index.c plugins/priority/assoc_index.h \
	plugins/priority/assoc_walk.c plugins/priority/assoc_walk.h \
	plugins/priority/billing.c plugins/priority/billing.h \
	plugins/priority/charge.c plugins/priority/charge.h \
	plugins/priority/charged_until.c plugins/priority/charged_until.h \
	plugins/priority/charging.c plugins/priority/charging.h \
	plugins/priority/classic.c plugins/priority/classic.h \
	plugins/priority/factor_list.c plugins/priority/factor_list.h \
	plugins/priority/guard.c plugins/priority/guard.h \
	plugins/priority/priorities.c plugins/priority/priorities.h \
	plugins/priority/job_env.c plugins/priority/job_env.h \
	plugins/priority/job_ids.c plugins/priority/job_ids.h \
	plugins/priority/job_links.c plugins/priority/job_links.h \
	plugins/priority/job_times.c plugins/priority/job_times.h \
	plugins/priority/journal.c plugins/priority/journal.h \
	plugins/priority/ledger.c plugins/priority/ledger.h \
	plugins/priority/pass.c plugins/priority/pass.h \
	plugins/priority/points.c plugins/priority/points.h \
	plugins/priority/priority_equitree.c \
	plugins/priority/queue.c plugins/priority/queue.h \
	plugins/priority/ranks.c plugins/priority/ranks.h \
	plugins/priority/rate_memo.c plugins/priority/rate_memo.h \
	plugins/priority/request.c plugins/priority/request.h \
	plugins/priority/reset.c plugins/priority/reset.h \
	plugins/priority/resized.c plugins/priority/resized.h \
	plugins/priority/set_back.c plugins/priority/set_back.h \
	plugins/priority/settings.c plugins/priority/settings.h \
	plugins/priority/size.c plugins/priority/size.h \
	plugins/priority/slices.c plugins/priority/slices.h \
	plugins/priority/standings.c plugins/priority/standings.h \
	plugins/priority/state_file.c plugins/priority/state_file.h \
	plugins/priority/suspended.c plugins/priority/suspended.h \
	plugins/priority/trace.c plugins/priority/trace.h \
	plugins/priority/usage.c plugins/priority/usage.h
plugins_priority_priority_equitree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) $(INTERNAL_CPPFLAGS)
plugins_priority_priority_equitree_la_CFLAGS = $(PLUGIN_CFLAGS)
# nodelete: slurmctld unloads the plugin at each reconfigure, and when the new
# process fails it loads it again: the configuration must still be there.
plugins_priority_priority_equitree_la_LDFLAGS = -module -Wl,-z,nodelete \
	$(PLUGIN_LINK)/plugins/priority/priority.map
plugins_priority_priority_equitree_la_LIBADD = $(PLUGIN_LIBADD)
