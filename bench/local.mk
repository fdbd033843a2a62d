# SPDX-License-Identifier: GPL-2.0-or-later
# What is timed against what. Nothing of it is run by "make check"; run-tests builds
# it with its test programs.
EXTRA_DIST += bench/README.md bench/forecasts bench/growth.gp bench/growth.svg \
	bench/instructions bench/job_submit.lua bench/live bench/run bench/site.sh bench/throughput \
	bench/usage

EXTRA_PROGRAMS = bench/pass
bench_programs = bench/rank bench/prices bench/calibration bench/budgets bench/machine \
	bench/turns bench/live_ask
if HAVE_SLURM_INTERNAL
if HAVE_SLURMFULL
bench_programs += bench/pass bench/ends bench/submit
endif
endif
.PHONY: bench-programs
bench-programs: $(bench_programs)

bench_pass_SOURCES = bench/pass.c bench/crowd.c bench/crowd.h bench/judge.c \
	bench/judge.h bench/median.h bench/meter.c bench/meter.h bench/meter_locks.c bench/pass_thread.c \
	bench/pass_thread.h $(HOST_PARTS)
# The locks of tests/host stand behind those that are watched.
bench_pass_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins $(INTERNAL_CPPFLAGS) \
	-Dlock_slurmctld=host_lock_slurmctld \
	-Dunlock_slurmctld=host_unlock_slurmctld \
	-Dassoc_mgr_lock=host_assoc_mgr_lock
bench_pass_CFLAGS = $(AM_CFLAGS) -O2
bench_pass_LDFLAGS = $(tests_host_host_LDFLAGS)
bench_pass_LDADD = $(tests_host_host_LDADD)

EXTRA_PROGRAMS += bench/ends
bench_ends_SOURCES = bench/ends.c bench/crowd.c bench/crowd.h $(HOST_PARTS)
bench_ends_CPPFLAGS = $(tests_host_host_CPPFLAGS)
bench_ends_CFLAGS = $(AM_CFLAGS) -O2
# The calls of the plugin's hooks are timed.
bench_ends_LDFLAGS = $(tests_host_host_LDFLAGS) -Wl,--wrap=host_plugin_set \
	-Wl,--wrap=host_plugin_job_end
bench_ends_LDADD = $(tests_host_host_LDADD)

EXTRA_PROGRAMS += bench/submit
bench_submit_SOURCES = bench/submit.c \
	tests/host/assocs.c tests/host/cluster.c tests/host/locks.c \
	tests/host/names.c tests/host/words.c tests/submit/desc.c \
	tests/submit/desc.h tests/submit/stage.c tests/submit/stage.h
bench_submit_CPPFLAGS = $(tests_host_host_CPPFLAGS)
bench_submit_CFLAGS = $(AM_CFLAGS) -O2
bench_submit_LDFLAGS = $(tests_host_host_LDFLAGS)
bench_submit_LDADD = $(tests_host_host_LDADD)

EXTRA_PROGRAMS += bench/rank
bench_rank_SOURCES = bench/rank.c bench/median.h
bench_rank_CFLAGS = $(AM_CFLAGS) -O2
bench_rank_LDADD = lib/libequitree.la

EXTRA_PROGRAMS += bench/prices
bench_prices_SOURCES = bench/prices.c bench/median.h
bench_prices_CFLAGS = $(AM_CFLAGS) -O2
bench_prices_LDADD = lib/libequitree.la

EXTRA_PROGRAMS += bench/calibration
bench_calibration_SOURCES = bench/calibration.c
bench_calibration_CFLAGS = $(AM_CFLAGS) -O2
bench_calibration_LDADD = lib/libequitree.la -lm

EXTRA_PROGRAMS += bench/machine
bench_machine_SOURCES = bench/machine.c bench/median.h
bench_machine_CFLAGS = $(AM_CFLAGS) -O2
bench_machine_LDADD = lib/libequitree.la

EXTRA_PROGRAMS += bench/budgets
bench_budgets_SOURCES = bench/budgets.c bench/median.h
bench_budgets_CFLAGS = $(AM_CFLAGS) -O2
bench_budgets_LDADD = lib/libequitree.la

EXTRA_PROGRAMS += bench/live_ask
bench_live_ask_SOURCES = bench/live_ask.c bench/controller.c bench/controller.h \
	bench/pass_thread.c bench/pass_thread.h bench/submission.c \
	bench/submission.h
bench_live_ask_CPPFLAGS = $(PLUGIN_CPPFLAGS)
bench_live_ask_CFLAGS = $(AM_CFLAGS) -O2 -pthread
bench_live_ask_LDADD = $(SLURM_LIBS)

EXTRA_PROGRAMS += bench/turns
bench_turns_SOURCES = bench/turns.c bench/controller.c bench/controller.h \
	bench/pass_thread.c bench/pass_thread.h bench/submission.c \
	bench/submission.h
bench_turns_CFLAGS = $(AM_CFLAGS) -O2
bench_turns_LDADD = $(SLURM_LIBS)
