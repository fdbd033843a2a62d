# SPDX-License-Identifier: GPL-2.0-or-later
# The core: one convenience library, linked into each plugin and the command.
noinst_LTLIBRARIES += lib/libequitree.la
lib_libequitree_la_SOURCES = \
	lib/eqt_amount.c lib/eqt_amount.h lib/eqt_array.c \
	lib/eqt_ask.c lib/eqt_ask.h \
	lib/eqt_ask_read.c \
	lib/eqt_bill.c lib/eqt_bill.h lib/eqt_bill_text.c \
	lib/eqt_charge.c \
	lib/eqt_classic.c lib/eqt_classic.h \
	lib/eqt_conf.c lib/eqt_conf.h lib/eqt_conf_impl.h lib/eqt_conf_text.c \
	lib/eqt_conf_priority.c lib/eqt_conf_priority.h \
	lib/eqt_conf_section.c lib/eqt_conf_value.c \
	lib/eqt_decay.c lib/eqt_decay.h \
	lib/eqt_error.c lib/eqt_error.h \
	lib/eqt_exact.c lib/eqt_exact.h \
	lib/eqt_frac.c lib/eqt_frac.h \
	lib/eqt_grant.c lib/eqt_grant.h \
	lib/eqt_gres.c lib/eqt_gres.h \
	lib/eqt_kind.c lib/eqt_kind.h \
	lib/eqt_text.c \
	lib/eqt_ledger.c lib/eqt_ledger.h lib/eqt_ledger_impl.h \
	lib/eqt_line.c lib/eqt_line.h \
	lib/eqt_overhead.c lib/eqt_overhead.h \
	lib/eqt_params.c lib/eqt_params.h \
	lib/eqt_price.c lib/eqt_price.h \
	lib/eqt_prices.c lib/eqt_prices.h \
	lib/eqt_prio.c lib/eqt_prio.h \
	lib/eqt_queue.h lib/eqt_queue_access.c lib/eqt_queue_place.c \
	lib/eqt_queue_rank.c lib/eqt_queue_tasks.c \
	lib/eqt_recover.c lib/eqt_recover.h \
	lib/eqt_replay.c lib/eqt_replay.h lib/eqt_replay_impl.h \
	lib/eqt_replay_fit.c lib/eqt_replay_ledger.c \
	lib/eqt_replay_list.c lib/eqt_replay_list.h \
	lib/eqt_replay_points.c lib/eqt_replay_policy.h \
	lib/eqt_replay_schedule.c \
	lib/eqt_workload.c lib/eqt_workload.h \
	lib/eqt_rules.c lib/eqt_rules.h \
	lib/eqt_snapshot.c lib/eqt_snapshot_impl.h \
	lib/eqt_snapshot_parse.c \
	lib/eqt_tree.c lib/eqt_tree.h lib/eqt_tree_impl.h lib/eqt_tree_level.c \
	lib/eqt_tree_rank.c lib/eqt_tree_sort.c
# Hidden, so that none of the core's names leaves a plugin even without a map.
lib_libequitree_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden $(CONFUSE_CFLAGS)
lib_libequitree_la_LIBADD = $(CONFUSE_LIBS) $(ZLIB_LIBS) -lm
