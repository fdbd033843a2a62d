# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += plugins/priority/README.md plugins/priority/priority.map

if HAVE_SLURM_INTERNAL
plugin_LTLIBRARIES += plugins/priority/priority_equitree.la
endif

plugins_priority_priority_equitree_la_SOURCES = $(PLUGIN_COMMON) \
	plugins/slurm/spec_field.c plugins/slurm/spec_field.h \
	plugins/slurm/spec_partition.c plugins/slurm/spec_partition.h \
	plugins/slurm/elapsed.h plugins/slurm/moment.h plugins/slurm/env_names.h plugins/slurm/compat.h \
	plugins/slurm/node_bits.c plugins/slurm/node_bits.h \
	plugins/slurm/node_sets.c plugins/slurm/node_sets.h \
	plugins/slurm/name_list.c plugins/slurm/name_list.h \
	plugins/slurm/reservation.c plugins/slurm/reservation.h \
	plugins/slurm/candidate_nodes.c plugins/slurm/candidate_nodes.h \
	plugins/slurm/node_group.h \
	plugins/slurm/desc_from_job.c plugins/slurm/desc_from_job.h \
	plugins/priority/configuration.c plugins/priority/configuration.h \
	plugins/priority/clock.c plugins/priority/clock.h \
	plugins/priority/guard.c plugins/priority/guard.h \
	plugins/priority/handover.c plugins/priority/handover.h \
	plugins/priority/pass.c plugins/priority/pass.h \
	plugins/priority/pass_run.c plugins/priority/pass_run.h \
	plugins/priority/plugin.c \
	plugins/priority/state.c plugins/priority/state.h \
	plugins/priority/trace.c plugins/priority/trace.h \
	plugins/priority/store/append_file.c plugins/priority/store/append_file.h \
	plugins/priority/store/state_file.c plugins/priority/store/state_file.h \
	plugins/priority/walk/assoc_cache.c plugins/priority/walk/assoc_cache.h \
	plugins/priority/walk/job_cache.c plugins/priority/walk/job_cache.h \
	plugins/priority/walk/job_links.c plugins/priority/walk/job_links.h \
	plugins/priority/walk/job_table.c plugins/priority/walk/job_table.h \
	plugins/priority/walk/prefetch.c plugins/priority/walk/prefetch.h \
	plugins/priority/walk/visit.h \
	plugins/priority/walk/walk.c plugins/priority/walk/walk.h \
	plugins/priority/rate/job_env.c plugins/priority/rate/job_env.h \
	plugins/priority/rate/job_quote.c plugins/priority/rate/job_quote.h \
	plugins/priority/rate/job_rate.c plugins/priority/rate/job_rate.h \
	plugins/priority/usage/limits/billing_tres.c plugins/priority/usage/limits/billing_tres.h \
	plugins/priority/usage/charge_state.h \
	plugins/priority/usage/ends/completing.c plugins/priority/usage/ends/completing.h \
	plugins/priority/usage/charge/job_charge.c plugins/priority/usage/charge/job_charge.h \
	plugins/priority/usage/runs/job_run.c plugins/priority/usage/runs/job_run.h \
	plugins/priority/usage/charge/reserved.c plugins/priority/usage/charge/reserved.h \
	plugins/priority/usage/job_end.c plugins/priority/usage/job_end.h \
	plugins/priority/usage/journal/charge_days.c plugins/priority/usage/journal/charge_days.h \
	plugins/priority/usage/journal/charge_files.c plugins/priority/usage/journal/charge_files.h \
	plugins/priority/usage/journal/journal.c plugins/priority/usage/journal/journal.h \
	plugins/priority/usage/journal/journal_writer.c plugins/priority/usage/journal/journal_writer.h \
	plugins/priority/usage/runs/run_record.c plugins/priority/usage/runs/run_record.h \
	plugins/priority/usage/runs/runs.c plugins/priority/usage/runs/runs.h \
	plugins/priority/usage/snapshot/ledger.c plugins/priority/usage/snapshot/ledger.h \
	plugins/priority/usage/journal/line_queue.c plugins/priority/usage/journal/line_queue.h \
	plugins/priority/usage/pass_charge.c plugins/priority/usage/pass_charge.h \
	plugins/priority/usage/amounts/post.c plugins/priority/usage/amounts/post.h \
	plugins/priority/usage/snapshot/usage_recovery.c plugins/priority/usage/snapshot/usage_recovery.h \
	plugins/priority/usage/limits/run_secs.c plugins/priority/usage/limits/run_secs.h \
	plugins/priority/usage/ends/unreported.c plugins/priority/usage/ends/unreported.h \
	plugins/priority/usage/snapshot/stock_files.c plugins/priority/usage/snapshot/stock_files.h \
	plugins/priority/usage/amounts/usage.c plugins/priority/usage/amounts/usage.h \
	plugins/priority/usage/amounts/usage_unit.c plugins/priority/usage/amounts/usage_unit.h \
	plugins/priority/budget/account_limits.c plugins/priority/budget/account_limits.h \
	plugins/priority/budget/admission.c plugins/priority/budget/admission.h \
	plugins/priority/budget/writer.c plugins/priority/budget/writer.h \
	plugins/priority/budget/book/budgets.c plugins/priority/budget/book/budgets.h \
	plugins/priority/budget/request_execution.c plugins/priority/budget/request_execution.h \
	plugins/priority/budget/book/payers.c plugins/priority/budget/book/payers.h \
	plugins/priority/budget/verdict.c plugins/priority/budget/verdict.h \
	plugins/slurm/budget_link.h \
	plugins/priority/budget/request.c plugins/priority/budget/request.h \
	plugins/priority/budget/settlement.c plugins/priority/budget/settlement.h \
	plugins/priority/budget/book/store.c plugins/priority/budget/book/store.h \
	plugins/priority/budget/budgets_thread.c plugins/priority/budget/budgets_thread.h \
	plugins/priority/budget/book/waiting.c plugins/priority/budget/book/waiting.h \
	plugins/priority/budget/book/coordinators.c plugins/priority/budget/book/coordinators.h \
	plugins/priority/budget/warning.c plugins/priority/budget/warning.h \
	plugins/priority/rank/tasks_ahead.c plugins/priority/rank/tasks_ahead.h \
	plugins/priority/rank/classic.c plugins/priority/rank/classic.h \
	plugins/priority/rank/job_copies.c plugins/priority/rank/job_copies.h \
	plugins/priority/rank/job_factors.c plugins/priority/rank/job_factors.h \
	plugins/priority/rank/share_tree.c plugins/priority/rank/share_tree.h \
	plugins/priority/factors/job_size.c plugins/priority/factors/job_size.h \
	plugins/priority/factors/priority.c plugins/priority/factors/priority.h \
	plugins/priority/factors/sprio_answer.c plugins/priority/factors/sprio_answer.h
plugins_priority_priority_equitree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) \
	-I$(top_srcdir)/plugins/priority $(INTERNAL_CPPFLAGS) \
	-DEQT_VERSION='"$(PACKAGE_VERSION)"'
plugins_priority_priority_equitree_la_CFLAGS = $(PLUGIN_CFLAGS)
# nodelete: slurmctld unloads the plugin at each reconfigure, and when the new
# process fails it loads it again: the configuration must still be there.
plugins_priority_priority_equitree_la_LDFLAGS = -module -Wl,-z,nodelete \
	$(PLUGIN_LINK)/plugins/priority/priority.map
plugins_priority_priority_equitree_la_LIBADD = $(PLUGIN_LIBADD) $(ZLIB_LIBS)
