# SPDX-License-Identifier: GPL-2.0-or-later
# A stand-in for slurmctld that plays histories to a priority plugin. Nothing
# of it is installed. The plugins find slurmctld's symbols in the program, so
# it exports them all; it needs the libslurmfull that they need.
HOST_PARTS = \
	tests/host/queue/arrays.c tests/host/queue/arrays.h \
	tests/host/assocs.c tests/host/assocs.h \
	tests/host/queue/budget.c tests/host/queue/budget.h \
	tests/host/clock.c tests/host/clock.h \
	tests/host/cluster.c tests/host/cluster.h \
	tests/host/database.c tests/host/database.h \
	tests/host/fail.h \
	tests/host/trouble/fallback.c tests/host/trouble/fallback.h \
	tests/host/trouble/faults.c tests/host/trouble/faults.h \
	tests/host/history.c tests/host/history.h \
	tests/host/job_record.c tests/host/jobs.c tests/host/jobs.h \
	tests/host/limits.c tests/host/limits.h \
	tests/host/locks.c tests/host/locks.h \
	tests/host/trouble/midway.c tests/host/trouble/midway.h \
	tests/host/names.c tests/host/names.h \
	tests/host/plugin.c tests/host/plugin.h \
	tests/host/trouble/power.c tests/host/trouble/power.h \
	tests/host/print.c tests/host/print.h \
	tests/host/queue/scheduler.c tests/host/queue/scheduler.h \
	tests/host/trouble/storm.c tests/host/trouble/storm.h tests/host/trouble/storm_checks.c \
	tests/host/trouble/storm_jobs.c \
	tests/host/touch.h \
	tests/host/used.c tests/host/used.h \
	tests/host/words.c tests/host/words.h

if HAVE_SLURM_INTERNAL
if HAVE_SLURMFULL
check_PROGRAMS += tests/host/host
endif
endif

tests_host_host_SOURCES = tests/host/main.c $(HOST_PARTS)
tests_host_host_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins $(INTERNAL_CPPFLAGS)
tests_host_host_CFLAGS = $(AM_CFLAGS)
tests_host_host_LDFLAGS = $(AM_LDFLAGS) -Wl,--export-dynamic \
	-L$(slurm_libdir) -Wl,-rpath,$(slurm_libdir)
tests_host_host_LDADD = lib/libequitree.la -lslurmfull -ldl -lpthread

EXTRA_DIST += tests/host/README.md tests/host/histories tests/host/budget.t \
	tests/host/budget_requests.t \
	tests/host/week-history tests/host/week.t \
	tests/host/budget-history tests/host/host.t tests/host/faults.t tests/host/damage.t \
	tests/host/options.t tests/host/plain_walk.t \
	tests/host/shares-history tests/host/storm-history \
	tests/host/instructions tests/host/instructions.t \
	tests/host/recount.t tests/host/refund.t tests/host/replacement.t tests/host/slurms_own.t \
	tests/host/stock.t tests/host/submissions.t \
	tests/host/lib.sh tests/host/rows.sh tests/host/coverage \
	tests/host/parity tests/host/random-history
