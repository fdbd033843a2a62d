# SPDX-License-Identifier: GPL-2.0-or-later
# Unit and property tests: one program each, run by "make check". What needs a
# cluster is in tests/system and is run by ./run-tests.
UNIT_TESTS = \
	tests/unit/test_ask \
	tests/unit/test_bill \
	tests/unit/test_conf \
	tests/unit/test_decay \
	tests/unit/test_frac \
	tests/unit/test_grant \
	tests/unit/test_charge \
	tests/unit/test_classic \
	tests/unit/test_snapshot \
	tests/unit/test_overhead \
	tests/unit/test_pools \
	tests/unit/test_price \
	tests/unit/test_prio \
	tests/unit/test_queue \
	tests/unit/test_recover \
	tests/unit/test_rules \
	tests/unit/test_tree \
	tests/property/test_ledger_property \
	tests/property/test_price_property \
	tests/property/test_tree_property

LDADD = lib/libequitree.la $(CHECK_LIBS) $(ZLIB_LIBS)

if HAVE_CHECK
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
endif

# Parsers that read what others wrote: each harness replays its corpus.
FUZZ_HARNESSES = tests/fuzz/fuzz_ask tests/fuzz/fuzz_ledger
tests_fuzz_fuzz_ask_SOURCES = tests/fuzz/fuzz_ask.c tests/fuzz/replay_main.c
check_PROGRAMS += $(FUZZ_HARNESSES)
tests_fuzz_fuzz_ledger_SOURCES = tests/fuzz/fuzz_ledger.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_ledger_LDADD = lib/libequitree.la $(ZLIB_LIBS)

EXTRA_DIST += tests/fuzz/corpus
EXTRA_DIST += tests/unit/conf_refused.h tests/unit/ledger_text.h tests/unit/rules_conf.h \
	tests/unit/tree_examples.h tests/unit/unit.h tests/property/tree_reference.h \
	tests/property/random.h tests/tap.sh tests/build tests/hygiene tests/system tests/clean-root tests/tools

# Check ends a test after four seconds; a busy machine is no failure.
AM_TESTS_ENVIRONMENT = CK_DEFAULT_TIMEOUT=600; export CK_DEFAULT_TIMEOUT;
