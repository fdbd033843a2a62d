# SPDX-License-Identifier: GPL-2.0-or-later
# Unit and property tests: one program each, run by "make check". What needs a
# cluster is in tests/system and is run by ./run-tests.
UNIT_TESTS = \
	tests/unit/test_ask \
	tests/unit/test_bill \
	tests/unit/test_conf \
	tests/unit/test_decay \
	tests/unit/test_frac \
	tests/unit/test_charge \
	tests/unit/test_snapshot \
	tests/unit/test_pools \
	tests/unit/test_price \
	tests/unit/test_prio \
	tests/unit/test_rules \
	tests/unit/test_tree \
	tests/property/test_ledger_property \
	tests/property/test_price_property \
	tests/property/test_tree_property

TEST_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/unit -I$(top_srcdir)/tests/property
TEST_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
LDADD = lib/libequitree.la $(CHECK_LIBS) $(ZLIB_LIBS)

if HAVE_CHECK
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
endif

# Parsers that read what others wrote: each harness replays its corpus.
FUZZ_HARNESSES = tests/fuzz/fuzz_ask tests/fuzz/fuzz_ledger
tests_fuzz_fuzz_ask_SOURCES = tests/fuzz/fuzz_ask.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_ask_CPPFLAGS = $(TEST_CPPFLAGS)
check_PROGRAMS += $(FUZZ_HARNESSES)
tests_fuzz_fuzz_ledger_SOURCES = tests/fuzz/fuzz_ledger.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_ledger_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_fuzz_ledger_LDADD = lib/libequitree.la $(ZLIB_LIBS)

EXTRA_DIST += tests/fuzz/corpus
EXTRA_DIST += tests/unit/conf_refused.h tests/unit/ledger_text.h tests/unit/rules_conf.h \
	tests/unit/tree_examples.h tests/unit/unit.h tests/property/tree_reference.h \
	tests/property/random.h tests/hygiene tests/system tests/clean-root
tests_unit_test_conf_SOURCES = tests/unit/test_conf.c
tests_unit_test_conf_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_conf_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_decay_SOURCES = tests/unit/test_decay.c
tests_unit_test_decay_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_decay_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_frac_SOURCES = tests/unit/test_frac.c
tests_unit_test_frac_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_frac_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_price_SOURCES = tests/unit/test_price.c
tests_unit_test_price_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_price_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_prio_SOURCES = tests/unit/test_prio.c
tests_unit_test_prio_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_prio_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_tree_SOURCES = tests/unit/test_tree.c
tests_unit_test_tree_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_tree_CFLAGS = $(TEST_CFLAGS)
tests_property_test_ledger_property_SOURCES = tests/property/test_ledger_property.c
tests_property_test_ledger_property_CPPFLAGS = $(TEST_CPPFLAGS)
tests_property_test_ledger_property_CFLAGS = $(TEST_CFLAGS)
tests_property_test_price_property_SOURCES = tests/property/test_price_property.c
tests_property_test_price_property_CPPFLAGS = $(TEST_CPPFLAGS)
tests_property_test_price_property_CFLAGS = $(TEST_CFLAGS)
tests_property_test_tree_property_SOURCES = tests/property/test_tree_property.c
tests_property_test_tree_property_CPPFLAGS = $(TEST_CPPFLAGS)
tests_property_test_tree_property_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_ask_SOURCES = tests/unit/test_ask.c
tests_unit_test_ask_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_ask_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_bill_SOURCES = tests/unit/test_bill.c
tests_unit_test_bill_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_bill_CFLAGS = $(TEST_CFLAGS)

# Check ends a test after four seconds; a busy machine is no failure.
AM_TESTS_ENVIRONMENT = CK_DEFAULT_TIMEOUT=600; export CK_DEFAULT_TIMEOUT;
tests_unit_test_charge_SOURCES = tests/unit/test_charge.c
tests_unit_test_charge_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_charge_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_snapshot_SOURCES = tests/unit/test_snapshot.c
tests_unit_test_snapshot_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_snapshot_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_rules_SOURCES = tests/unit/test_rules.c
tests_unit_test_rules_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_rules_CFLAGS = $(TEST_CFLAGS)
tests_unit_test_pools_SOURCES = tests/unit/test_pools.c
tests_unit_test_pools_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_test_pools_CFLAGS = $(TEST_CFLAGS)
