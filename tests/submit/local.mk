# SPDX-License-Identifier: GPL-2.0-or-later
# Calls the submission plugin without a slurmctld. The plugin finds slurmctld's
# symbols in the program.
if HAVE_SLURM_INTERNAL
if HAVE_SLURMFULL
check_PROGRAMS += tests/submit/submit
endif
endif

tests_submit_submit_SOURCES = \
	tests/host/assocs.c tests/host/assocs.h \
	tests/host/cluster.c tests/host/cluster.h \
	tests/host/fail.h \
	tests/host/jobs.h \
	tests/host/locks.c tests/host/locks.h \
	tests/host/names.c tests/host/names.h \
	tests/host/words.c tests/host/words.h \
	plugins/slurm/node_bits.c plugins/slurm/node_bits.h \
	tests/submit/between.c tests/submit/between.h \
	tests/submit/bits.c tests/submit/bits.h \
	tests/submit/budgets.c tests/submit/budgets.h \
	tests/submit/calls.c tests/submit/calls.h \
	tests/submit/components.c tests/submit/components.h \
	tests/submit/crowd.c tests/submit/crowd.h \
	tests/submit/dearest.c tests/submit/dearest.h \
	tests/submit/desc.c tests/submit/desc.h \
	tests/submit/main.c \
	tests/submit/nodes.c tests/submit/nodes.h \
	tests/submit/reread.c tests/submit/reread.h \
	tests/submit/stack.c tests/submit/stack.h \
	tests/submit/stage.c tests/submit/stage.h \
	tests/submit/worst.c tests/submit/worst.h
tests_submit_submit_CPPFLAGS = $(tests_host_host_CPPFLAGS)
tests_submit_submit_CFLAGS = $(AM_CFLAGS)
tests_submit_submit_LDFLAGS = $(tests_host_host_LDFLAGS)
tests_submit_submit_LDADD = $(tests_host_host_LDADD)

EXTRA_DIST += tests/submit/README.md
