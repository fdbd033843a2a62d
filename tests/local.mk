# SPDX-License-Identifier: GPL-2.0-or-later
# "make check" runs the unit and property tests (one program each) and the TAP
# scripts that need no cluster; "make check SCRIPT_TESTS=" leaves the scripts out.
# ./run-tests runs what needs a cluster (tests/system).
PROPERTY_TESTS = \
	tests/property/test_budget_property \
	tests/property/test_correction_property \
	tests/property/test_draw_property \
	tests/property/test_ledger_property \
	tests/property/test_price_property \
	tests/property/test_terms_property \
	tests/property/test_week_property \
	tests/property/test_models_property \
	tests/property/test_priority_property \
	tests/property/test_quote_kinds_property \
	tests/property/test_quote_property \
	tests/property/test_simulation_property \
	tests/property/test_tree_property

LDADD = lib/libequitree.la $(CHECK_LIBS) $(ZLIB_LIBS)

# The longest first, so that no processor is idle at the end.
SCRIPT_TESTS = \
	tests/host/faults.t \
	tests/host/damage.t \
	tests/host/budget.t \
	tests/host/budget_requests.t \
	tests/host/week.t \
	tests/host/recount.t \
	tests/host/stock.t \
	tests/host/host.t \
	tests/host/options.t \
	tests/host/refund.t \
	tests/host/slurms_own.t \
	tests/host/instructions.t \
	tests/host/plain_walk.t \
	tests/hygiene/sources.t \
	tests/tools/input.t \
	tests/tools/simulate.t \
	tests/tools/readme.t \
	tests/tools/terminal.t \
	tests/fuzz/replay.t \
	tests/host/replacement.t \
	tests/host/submissions.t \
	tests/hygiene/releases.t \
	tests/hygiene/pages.t \
	tests/hygiene/fields.t \
	tests/hygiene/plugins.t \
	tests/hygiene/rooms.t \
	tests/hygiene/rows.t \
	tests/hygiene/sites.t \
	tests/hygiene/scripts.t \
	tests/tools/bill.t \
	tests/tools/bill_jobs.t \
	tests/tools/boost.t \
	tests/tools/budget.t \
	tests/tools/check.t \
	tests/tools/command.t \
	tests/tools/completion.t \
	tests/tools/csv.t \
	tests/tools/energy.t \
	tests/tools/init.t \
	tests/tools/leave.t \
	tests/tools/manual.t \
	tests/tools/shares.t \
	tests/tools/metrics.t \
	tests/tools/overhead.t \
	tests/tools/overhead_period.t \
	tests/tools/recipes.t \
	tests/tools/prometheus.t \
	tests/tools/recover.t \
	tests/tools/report.t \
	tests/tools/report_browser.t \
	tests/tools/tree.t \
	tests/tools/tune.t \
	tests/tools/usage.t \
	tests/tools/usage_record.t \
	tests/tools/verify.t \
	tests/tools/when.t \
	tests/tools/why.t

if HAVE_CHECK
check_PROGRAMS += $(UNIT_TESTS) $(PROPERTY_TESTS)
TESTS += $(UNIT_TESTS) $(PROPERTY_TESTS)
endif
TESTS += $(SCRIPT_TESTS)
TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
AM_T_LOG_DRIVER_FLAGS = --comments --merge

# The command's readers: of what people wrote, and of what Slurm's commands print.
FILE_READERS = \
	tools/cli/alloc.c tools/slurm/conf/cluster_conf.c tools/check/check.c tools/slurm/text/hostlist.c \
	tools/sbatch/lsf_pbs.c tools/sbatch/script.c \
	tools/slurm/conf/slurm_conf.c 
SBATCH_READERS = \
	tools/cli/alloc.c tools/sbatch/options.c tools/sbatch/request.c tools/cli/colour.c tools/cli/options.c \
	tools/cli/remote.c tools/sbatch/script.c tools/sbatch/lsf_pbs.c \
	tools/sbatch/rules.c tools/slurm/text/hostlist.c
STOCK_READERS = \
	tools/cli/alloc.c tools/cli/names.c tools/cli/remote.c tools/cli/progress.c tools/slurm/text/columns.c tools/slurm/conf/cluster.c tools/slurm/conf/slurm_conf.c tools/cli/colour.c tools/cli/options.c \
	tools/slurm/scontrol/candidate_nodes.c tools/slurm/text/hostlist.c \
	tools/slurm/text/duration.c tools/slurm/scontrol/nodes.c tools/slurm/scontrol/partitions.c \
	tools/slurm/scontrol/record.c tools/slurm/sacct.c tools/slurm/text/listing.c \
	tools/slurm/live_jobs.c tools/slurm/sprio.c tools/slurm/sshare.c \
	tools/slurm/text/timestamp.c tools/slurm/text/tres_list.c

# Parsers that read what others wrote: each harness replays its corpus.
FUZZ_HARNESSES = tests/fuzz/fuzz_budget tests/fuzz/fuzz_job_spec tests/fuzz/fuzz_conf tests/fuzz/fuzz_files \
	tests/fuzz/fuzz_ledger tests/fuzz/fuzz_sbatch tests/fuzz/fuzz_stock
tests_fuzz_fuzz_job_spec_SOURCES = tests/fuzz/fuzz_job_spec.c tests/fuzz/replay_main.c
check_PROGRAMS += $(FUZZ_HARNESSES)
tests_fuzz_fuzz_budget_SOURCES = tests/fuzz/fuzz_budget.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_budget_LDADD = lib/libequitree.la $(ZLIB_LIBS)
tests_fuzz_fuzz_ledger_SOURCES = tests/fuzz/fuzz_ledger.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_ledger_LDADD = lib/libequitree.la $(ZLIB_LIBS)

tests_fuzz_fuzz_conf_SOURCES = tests/fuzz/fuzz_conf.c tests/fuzz/memory_file.h \
	tests/fuzz/replay_main.c
tests_fuzz_fuzz_conf_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_fuzz_fuzz_conf_LDADD = lib/libequitree.la
tests_fuzz_fuzz_files_SOURCES = tests/fuzz/fuzz_files.c tests/fuzz/memory_file.h \
	tests/fuzz/replay_main.c $(FILE_READERS)
tests_fuzz_fuzz_files_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE -I$(top_srcdir)/tools
tests_fuzz_fuzz_files_LDADD = lib/libequitree.la -lm
tests_fuzz_fuzz_sbatch_SOURCES = tests/fuzz/fuzz_sbatch.c tests/fuzz/memory_file.h \
	tests/fuzz/replay_main.c $(SBATCH_READERS)
tests_fuzz_fuzz_sbatch_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE -I$(top_srcdir)/tools
tests_fuzz_fuzz_sbatch_LDADD = lib/libequitree.la -lm
tests_fuzz_fuzz_stock_SOURCES = tests/fuzz/fuzz_stock.c tests/fuzz/memory_file.h \
	tests/fuzz/replay_main.c $(STOCK_READERS)
tests_fuzz_fuzz_stock_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE -I$(top_srcdir)/tools
tests_fuzz_fuzz_stock_LDADD = lib/libequitree.la -lm

EXTRA_DIST += tests/compat tests/fuzz/corpus tests/fuzz/replay.t
EXTRA_DIST += tests/property/tree_reference.h \
	tests/property/random.h tests/property/random_prices.h tests/property/random_requests.h \
	tests/property/simulation_reference.h tests/property/unmarked.h tests/tap.sh tests/README.md tests/mutation \
	tests/mutation.equivalent tests/build tests/hygiene tests/system tests/clean-root tests/release.sh tests/lines.sh tests/public tests/tools

# Check ends a test after four seconds; a busy machine is no failure.
AM_TESTS_ENVIRONMENT = CK_DEFAULT_TIMEOUT=600; export CK_DEFAULT_TIMEOUT; \
	EQUITREE_BUILD='$(abs_top_builddir)'; export EQUITREE_BUILD; \
	if test -n '$(SLURM_SOURCE)'; then \
		EQUITREE_SLURM_SOURCES='$(SLURM_SOURCE)/..'; \
		export EQUITREE_SLURM_SOURCES; fi;

# What the system tests need of programs.
if BUILD_PLUGINS
check_PROGRAMS += tests/system/hostile tests/system/boot_fail
endif
tests_system_hostile_SOURCES = tests/system/hostile.c
tests_system_hostile_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_system_hostile_LDADD = $(SLURM_LIBS)
tests_system_boot_fail_SOURCES = tests/system/boot_fail.c
tests_system_boot_fail_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_system_boot_fail_LDADD = $(SLURM_LIBS)

# A plugin of Slurm's for a site's own factor, and libraries that make a disk slow, and
# that kill a process while it writes: modules only with an rpath.
check_LTLIBRARIES = tests/system/slow_write.la tests/system/kill_write.la
if HAVE_SLURM_INTERNAL
check_LTLIBRARIES += tests/system/site_factor_test.la
endif
tests_system_slow_write_la_SOURCES = tests/system/slow_write.c tests/system/preload.h
tests_system_slow_write_la_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS)
tests_system_slow_write_la_LIBADD = -ldl
tests_system_slow_write_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version \
	-shared -rpath /nowhere
tests_system_kill_write_la_SOURCES = tests/system/kill_write.c tests/system/preload.h
tests_system_kill_write_la_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS)
tests_system_kill_write_la_LIBADD = -ldl
tests_system_kill_write_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version \
	-shared -rpath /nowhere
tests_system_site_factor_test_la_SOURCES = tests/system/site_factor_test.c
tests_system_site_factor_test_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins $(INTERNAL_CPPFLAGS)
tests_system_site_factor_test_la_CFLAGS = $(AM_CFLAGS)
tests_system_site_factor_test_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version \
	-shared -rpath /nowhere -Wl,-z,lazy
