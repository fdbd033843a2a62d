# SPDX-License-Identifier: GPL-2.0-or-later
# One program for each test_*.c, which lies in the folder of what it tests. The programs
# all lie in tests/unit itself: their names are short to type.
UNIT_TESTS = \
	tests/unit/test_amount \
	tests/unit/test_array_memory \
	tests/unit/test_array_size \
	tests/unit/test_fraction \
	tests/unit/test_node_names tests/unit/test_spelling \
	tests/unit/test_text \
	tests/unit/test_budget \
	tests/unit/test_budget_book \
	tests/unit/test_budget_lines \
	tests/unit/test_budget_memory \
	tests/unit/test_budget_plan \
	tests/unit/test_budget_transfers \
	tests/unit/test_budget_refusals \
	tests/unit/test_budget_settle \
	tests/unit/test_budget_tables \
	tests/unit/test_thresholds \
	tests/unit/test_conf \
	tests/unit/test_conf_bounds \
	tests/unit/test_conf_memory \
	tests/unit/test_conf_edges \
	tests/unit/test_local_disk \
	tests/unit/test_demand_most \
	tests/unit/test_job_cpus \
	tests/unit/test_job_lists \
	tests/unit/test_job_spec \
	tests/unit/test_job_tasks \
	tests/unit/test_job_totals \
	tests/unit/test_node_class \
	tests/unit/test_node_offer \
	tests/unit/test_node_room \
	tests/unit/test_pools \
	tests/unit/test_rule_edges \
	tests/unit/test_rules \
	tests/unit/test_task_loss \
	tests/unit/test_journal_record \
	tests/unit/test_charge_record \
	tests/unit/test_charges \
	tests/unit/test_ledger_memory \
	tests/unit/test_snapshot \
	tests/unit/test_job_table \
	tests/unit/test_charge_files \
	tests/unit/test_line_queue \
	tests/unit/test_budget_store \
	tests/unit/test_waiting \
	tests/unit/test_canonical_unit \
	tests/unit/test_allocation \
	tests/unit/test_grant \
	tests/unit/test_gres \
	tests/unit/test_price \
	tests/unit/test_price_edges \
	tests/unit/test_terms \
	tests/unit/test_unit \
	tests/unit/test_decay \
	tests/unit/test_factors \
	tests/unit/test_job_ends \
	tests/unit/test_job_order \
	tests/unit/test_job_order_memory \
	tests/unit/test_job_order_plain \
	tests/unit/test_params \
	tests/unit/test_tree_idle \
	tests/unit/test_quote \
	tests/unit/test_quote_alike \
	tests/unit/test_quote_choice \
	tests/unit/test_quote_mix \
	tests/unit/test_quote_nodes \
	tests/unit/test_quote_now \
	tests/unit/test_quote_widen \
	tests/unit/test_price_message \
	tests/unit/test_draw \
	tests/unit/test_week \
	tests/unit/test_kinds \
	tests/unit/test_correction \
	tests/unit/test_forecast \
	tests/unit/test_simulation \
	tests/unit/test_simulation_begin \
	tests/unit/test_simulation_memory \
	tests/unit/test_simulation_needs \
	tests/unit/test_simulation_nodes \
	tests/unit/test_simulation_points \
	tests/unit/test_simulation_spending \
	tests/unit/test_simulation_priority \
	tests/unit/test_stored_jobs \
	tests/unit/test_workload \
	tests/unit/test_report_html \
	tests/unit/test_classic \
	tests/unit/test_published_tree \
	tests/unit/test_recovery \
	tests/unit/test_tree \
	tests/unit/test_tree_memory \
	tests/unit/test_tree_usage

if HAVE_SLURM_INTERNAL
UNIT_TESTS += tests/unit/test_job_run tests/unit/test_payers \
	tests/unit/test_usage_unit
endif

tests_unit_test_amount_SOURCES = tests/unit/base/test_amount.c
tests_unit_test_array_memory_SOURCES = tests/unit/base/test_array_memory.c
tests_unit_test_array_size_SOURCES = tests/unit/base/test_array_size.c
tests_unit_test_fraction_SOURCES = tests/unit/base/test_fraction.c
tests_unit_test_spelling_SOURCES = tests/unit/base/test_spelling.c
tests_unit_test_node_names_SOURCES = tests/unit/base/test_node_names.c
tests_unit_test_text_SOURCES = tests/unit/base/test_text.c
tests_unit_test_budget_SOURCES = tests/unit/budget/test_budget.c
tests_unit_test_budget_book_SOURCES = tests/unit/budget/test_budget_book.c
tests_unit_test_budget_lines_SOURCES = tests/unit/budget/test_budget_lines.c
tests_unit_test_budget_memory_SOURCES = tests/unit/budget/test_budget_memory.c
tests_unit_test_budget_plan_SOURCES = tests/unit/budget/test_budget_plan.c
tests_unit_test_budget_transfers_SOURCES = tests/unit/budget/test_budget_transfers.c
tests_unit_test_budget_refusals_SOURCES = tests/unit/budget/test_budget_refusals.c
tests_unit_test_budget_settle_SOURCES = tests/unit/budget/test_budget_settle.c
tests_unit_test_budget_tables_SOURCES = tests/unit/budget/test_budget_tables.c
tests_unit_test_thresholds_SOURCES = tests/unit/budget/test_thresholds.c
tests_unit_test_conf_SOURCES = tests/unit/conf/test_conf.c
tests_unit_test_conf_bounds_SOURCES = tests/unit/conf/test_conf_bounds.c
tests_unit_test_conf_memory_SOURCES = tests/unit/conf/test_conf_memory.c
tests_unit_test_conf_edges_SOURCES = tests/unit/conf/test_conf_edges.c
tests_unit_test_local_disk_SOURCES = tests/unit/conf/test_local_disk.c
tests_unit_test_demand_most_SOURCES = tests/unit/job/test_demand_most.c
tests_unit_test_job_cpus_SOURCES = tests/unit/job/test_job_cpus.c
tests_unit_test_job_lists_SOURCES = tests/unit/job/test_job_lists.c
tests_unit_test_job_spec_SOURCES = tests/unit/job/test_job_spec.c
tests_unit_test_job_tasks_SOURCES = tests/unit/job/test_job_tasks.c
tests_unit_test_job_totals_SOURCES = tests/unit/job/test_job_totals.c
tests_unit_test_node_class_SOURCES = tests/unit/job/test_node_class.c
tests_unit_test_node_offer_SOURCES = tests/unit/job/test_node_offer.c
tests_unit_test_node_room_SOURCES = tests/unit/job/test_node_room.c
tests_unit_test_pools_SOURCES = tests/unit/job/test_pools.c
tests_unit_test_rule_edges_SOURCES = tests/unit/job/test_rule_edges.c
tests_unit_test_rules_SOURCES = tests/unit/job/test_rules.c
tests_unit_test_task_loss_SOURCES = tests/unit/job/test_task_loss.c
tests_unit_test_journal_record_SOURCES = tests/unit/ledger/test_journal_record.c
tests_unit_test_charge_record_SOURCES = tests/unit/ledger/test_charge_record.c
tests_unit_test_ledger_memory_SOURCES = tests/unit/ledger/test_ledger_memory.c
tests_unit_test_snapshot_SOURCES = tests/unit/ledger/test_snapshot.c
tests_unit_test_canonical_unit_SOURCES = tests/unit/price/test_canonical_unit.c
tests_unit_test_allocation_SOURCES = tests/unit/price/test_allocation.c
tests_unit_test_grant_SOURCES = tests/unit/price/test_grant.c
tests_unit_test_gres_SOURCES = tests/unit/price/test_gres.c
tests_unit_test_price_SOURCES = tests/unit/price/test_price.c
tests_unit_test_price_edges_SOURCES = tests/unit/price/test_price_edges.c
tests_unit_test_terms_SOURCES = tests/unit/price/test_terms.c
tests_unit_test_unit_SOURCES = tests/unit/price/test_unit.c
tests_unit_test_decay_SOURCES = tests/unit/prio/test_decay.c
tests_unit_test_factors_SOURCES = tests/unit/prio/test_factors.c
tests_unit_test_job_ends_SOURCES = tests/unit/prio/test_job_ends.c
tests_unit_test_job_order_SOURCES = tests/unit/prio/test_job_order.c
tests_unit_test_job_order_memory_SOURCES = tests/unit/prio/test_job_order_memory.c
tests_unit_test_job_order_plain_SOURCES = tests/unit/prio/test_job_order_plain.c
tests_unit_test_params_SOURCES = tests/unit/prio/test_params.c
tests_unit_test_tree_idle_SOURCES = tests/unit/prio/test_tree_idle.c
tests_unit_test_quote_SOURCES = tests/unit/quote/test_quote.c
tests_unit_test_quote_alike_SOURCES = tests/unit/quote/test_quote_alike.c
tests_unit_test_quote_choice_SOURCES = tests/unit/quote/test_quote_choice.c
tests_unit_test_quote_mix_SOURCES = tests/unit/quote/test_quote_mix.c
tests_unit_test_quote_nodes_SOURCES = tests/unit/quote/test_quote_nodes.c
tests_unit_test_quote_now_SOURCES = tests/unit/quote/test_quote_now.c
tests_unit_test_quote_widen_SOURCES = tests/unit/quote/test_quote_widen.c
tests_unit_test_price_message_SOURCES = tests/unit/quote/test_price_message.c
tests_unit_test_week_SOURCES = tests/unit/price/test_week.c
tests_unit_test_draw_SOURCES = tests/unit/sim/test_draw.c
tests_unit_test_kinds_SOURCES = tests/unit/sim/test_kinds.c
tests_unit_test_correction_SOURCES = tests/unit/sim/test_correction.c
tests_unit_test_forecast_SOURCES = tests/unit/sim/test_forecast.c
tests_unit_test_simulation_SOURCES = tests/unit/sim/test_simulation.c
tests_unit_test_simulation_memory_SOURCES = tests/unit/sim/test_simulation_memory.c
tests_unit_test_simulation_begin_SOURCES = tests/unit/sim/test_simulation_begin.c
tests_unit_test_simulation_needs_SOURCES = tests/unit/sim/test_simulation_needs.c
tests_unit_test_simulation_nodes_SOURCES = tests/unit/sim/test_simulation_nodes.c
tests_unit_test_simulation_points_SOURCES = tests/unit/sim/test_simulation_points.c
tests_unit_test_simulation_spending_SOURCES = tests/unit/sim/test_simulation_spending.c
tests_unit_test_simulation_priority_SOURCES = tests/unit/sim/test_simulation_priority.c
tests_unit_test_stored_jobs_SOURCES = tests/unit/sim/test_stored_jobs.c
tests_unit_test_workload_SOURCES = tests/unit/sim/test_workload.c
tests_unit_test_classic_SOURCES = tests/unit/tree/test_classic.c
tests_unit_test_published_tree_SOURCES = tests/unit/tree/test_published_tree.c
tests_unit_test_recovery_SOURCES = tests/unit/tree/test_recovery.c
tests_unit_test_tree_SOURCES = tests/unit/tree/test_tree.c
tests_unit_test_tree_memory_SOURCES = tests/unit/tree/test_tree_memory.c
tests_unit_test_tree_usage_SOURCES = tests/unit/tree/test_tree_usage.c

tests_unit_test_job_table_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/priority
tests_unit_test_job_table_SOURCES = tests/unit/plugins/test_job_table.c \
	plugins/priority/walk/job_table.c
tests_unit_test_waiting_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/priority
tests_unit_test_waiting_SOURCES = tests/unit/plugins/test_waiting.c \
	plugins/priority/budget/book/waiting.c
tests_unit_test_payers_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins \
	-I$(top_srcdir)/plugins/priority $(INTERNAL_CPPFLAGS)
tests_unit_test_payers_SOURCES = tests/unit/plugins/test_payers.c \
	plugins/priority/budget/book/payers.c
tests_unit_test_job_run_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins \
	-I$(top_srcdir)/plugins/priority $(INTERNAL_CPPFLAGS)
tests_unit_test_job_run_SOURCES = tests/unit/plugins/test_job_run.c \
	plugins/priority/usage/runs/job_run.c plugins/priority/usage/runs/runs.c \
	plugins/priority/walk/job_table.c
tests_unit_test_usage_unit_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins \
	-I$(top_srcdir)/plugins/priority $(INTERNAL_CPPFLAGS)
tests_unit_test_usage_unit_SOURCES = tests/unit/plugins/test_usage_unit.c \
	plugins/priority/usage/amounts/usage_unit.c
tests_unit_test_charge_files_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE \
	-I$(top_srcdir)/plugins/priority -I$(top_srcdir)/plugins
tests_unit_test_charge_files_SOURCES = tests/unit/plugins/test_charge_files.c \
	plugins/priority/usage/journal/charge_files.c \
	plugins/priority/store/state_file.c
tests_unit_test_charge_files_LDADD = lib/libequitree.la $(ZLIB_LIBS) $(CHECK_LIBS)
tests_unit_test_line_queue_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/priority
tests_unit_test_line_queue_SOURCES = tests/unit/plugins/test_line_queue.c \
	plugins/priority/usage/journal/line_queue.c

tests_unit_test_budget_store_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE \
	-I$(top_srcdir)/plugins/priority -I$(top_srcdir)/plugins
tests_unit_test_budget_store_SOURCES = tests/unit/plugins/test_budget_store.c \
	plugins/priority/budget/book/store.c plugins/priority/store/append_file.c \
	plugins/priority/store/state_file.c
tests_unit_test_budget_store_LDADD = lib/libequitree.la $(ZLIB_LIBS) $(CHECK_LIBS)

tests_unit_test_charges_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tools
tests_unit_test_charges_SOURCES = tests/unit/tools/test_charges.c \
	tools/cli/alloc.c tools/cli/names.c tools/cli/progress.c tools/cli/remote.c tools/slurm/charges.c \
	tools/cli/colour.c tools/cli/options.c tools/slurm/conf/cluster.c \
	tools/slurm/conf/slurm_conf.c tools/slurm/text/listing.c
tests_unit_test_charges_LDADD = lib/libequitree.la $(ZLIB_LIBS) $(CHECK_LIBS)

tests_unit_test_report_html_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tools
tests_unit_test_report_html_SOURCES = tests/unit/tools/test_report_html.c \
	tools/report/html.c

EXTRA_DIST += \
	tests/unit/budget/budget_fixture.h \
	tests/unit/budget/budget_jobs.h \
	tests/unit/conf/conf_refused.h \
	tests/unit/job/demand.h \
	tests/unit/ledger/charge_text.h \
	tests/unit/ledger/ledger_text.h \
	tests/unit/prio/job_order_fixture.h \
	tests/unit/rules_conf.h \
	tests/unit/sanitizer.h \
	tests/unit/scratch_conf.h \
	tests/unit/scratch_file.h \
	tests/unit/short_memory.h \
	tests/unit/sim/simulation_fixture.h \
	tests/unit/sim/simulation_now.h \
	tests/unit/tree/tree_examples.h \
	tests/unit/tree/tree_shares.h \
	tests/unit/unit.h
