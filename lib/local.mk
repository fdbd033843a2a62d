# SPDX-License-Identifier: GPL-2.0-or-later
# The core: one convenience library, linked into each plugin and the command.
noinst_LTLIBRARIES += lib/libequitree.la
lib_libequitree_la_SOURCES = \
	lib/base/amount.c lib/base/amount.h lib/base/array.c lib/base/array.h lib/base/hash.c lib/base/hash.h \
	lib/job/job_totals.c lib/job/job_totals.h lib/job/job_spec.h lib/job/job_spec_lists.h \
	lib/job/job_cpus.c lib/job/job_gpus.c lib/job/job_totals_impl.h \
	lib/job/memory_limit.c lib/job/memory_limit.h \
	lib/job/task_loss.c lib/job/task_loss.h \
	lib/job/core_tasks.c lib/job/core_tasks.h \
	lib/job/near_cores.c lib/job/near_cores.h \
	lib/job/node_offer.h lib/job/node_offer.c lib/job/job_spec_read.c \
	lib/quote/quote.c lib/quote/quote.h lib/quote/quote_classes.c lib/quote/quote_mix.c lib/quote/quote_mix.h \
	lib/quote/quote_advice.c lib/quote/quote_price.c lib/quote/quote_now.c \
	lib/quote/quote_widen.c \
	lib/quote/quote_impl.h lib/quote/price_message.h \
	lib/quote/price_message.c \
	lib/price/unit.c lib/price/unit.h lib/price/week.c lib/price/week.h \
	lib/budget/book.c lib/budget/book.h lib/budget/book_impl.h lib/budget/book_plan.h \
	lib/budget/book_apply.c lib/budget/book_transfers.c lib/budget/book_plan.c \
	lib/budget/budget.c lib/budget/budget.h \
	lib/budget/entry.c lib/budget/entry.h \
	lib/budget/hours.c lib/budget/hours.h \
	lib/budget/thresholds.c lib/budget/thresholds.h \
	lib/ledger/charge_record.c lib/ledger/charge_record.h \
	lib/ledger/journal_record.c \
	lib/tree/classic.c lib/tree/classic.h \
	lib/conf/conf_read.c lib/conf/conf.h lib/conf/conf_lines.h lib/conf/keys.c lib/conf/keys.h \
	lib/conf/priority_section.h \
	lib/conf/budget_section.h \
	lib/conf/charges_section.h \
	lib/conf/source.c lib/conf/source.h \
	lib/conf/section.c lib/conf/section.h lib/conf/value.c lib/conf/value.h \
	lib/prio/decay.c lib/prio/decay.h \
	lib/base/error.c lib/base/error.h lib/base/node_names.c lib/base/node_names.h \
	lib/base/fraction.c lib/base/fraction.h \
	lib/price/allocation.c lib/price/allocation.h \
	lib/price/grant.c lib/price/grant.h \
	lib/price/gres.c lib/price/gres.h \
	lib/job/node_class.c lib/job/node_class.h \
	lib/ledger/form.c lib/ledger/form.h \
	lib/ledger/ledger.h \
	lib/base/spelling.c lib/base/spelling.h \
	lib/base/text.c lib/base/text.h lib/base/whole.h \
	lib/price/canonical_unit.c lib/price/canonical_unit.h \
	lib/prio/params.c lib/prio/params.h \
	lib/job/demand_most.c lib/job/demand_most.h \
	lib/price/price.c lib/price/price.h \
	lib/price/price_impl.h lib/price/price_range.c \
	lib/price/price_terms.h \
	lib/price/bundle_table.c lib/price/bundle_table.h \
	lib/prio/factors.c lib/prio/factors.h \
	lib/prio/job_order.c lib/prio/job_order.h \
	lib/tree/recovery.c lib/tree/recovery.h \
	lib/sim/run.c lib/sim/simulation.h lib/sim/simulation_impl.h \
	lib/sim/sim_nodes.c lib/sim/sim_nodes.h lib/sim/shape.c lib/sim/shape.h lib/sim/sim_usage.c \
	lib/sim/backfill_reservations.c lib/sim/backfill_reservations.h \
	lib/sim/events.c lib/sim/events.h lib/sim/sim_admission.c lib/sim/sim_admission.h lib/sim/needs.h \
	lib/sim/arrivals.c lib/sim/draw.c lib/sim/draw.h lib/sim/forecast.c lib/sim/forecast.h \
	lib/sim/policy.h lib/sim/stored_jobs.c lib/sim/stored_jobs.h \
	lib/sim/spending.c lib/sim/spending.h \
	lib/sim/schedule.c lib/sim/kinds.c lib/sim/kinds.h lib/sim/queue.c lib/sim/queue.h \
	lib/sim/workload.c lib/sim/workload.h \
	lib/job/rules.c lib/job/rules.h \
	lib/ledger/snapshot.c \
	lib/tree/tree.c lib/tree/tree.h lib/tree/tree_impl.h \
	lib/tree/sibling_sort.c
# Hidden, so that none of the core's names leaves a plugin even without a map.
lib_libequitree_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
lib_libequitree_la_LIBADD = $(ZLIB_LIBS) -lm
