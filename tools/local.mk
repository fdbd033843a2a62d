# SPDX-License-Identifier: GPL-2.0-or-later
# The operator's command.
bin_PROGRAMS += tools/equitree

# What reads the output of Slurm's commands; a fuzzer has it too.
STOCK_READERS = \
	tools/pending.c tools/pending.h \
	tools/shares.c tools/shares.h \
	tools/stock_config.c tools/stock_config.h \
	tools/stock_nodes.c tools/stock_nodes.h \
	tools/stock_table.c tools/stock_table.h \
	tools/stock_text.c tools/stock_text.h

tools_equitree_SOURCES = \
	tools/bill_options.c tools/bill_options.h \
	tools/cmd.h \
	tools/cmd_bill.c \
	tools/cmd_check.c \
	tools/cmd_overhead.c \
	tools/cmd_recover.c \
	tools/cmd_tree.c \
	tools/cmd_why.c \
	tools/conf_path.c tools/conf_path.h \
	tools/equitree.c \
	tools/output.c tools/output.h \
	$(STOCK_READERS) \
	tools/why.h tools/why_jobs.c tools/why_shares.c
tools_equitree_CPPFLAGS = $(AM_CPPFLAGS) $(JSONC_CFLAGS) $(SMARTCOLS_CFLAGS) \
	-DEQT_VERSION='"$(PACKAGE_VERSION)"'
tools_equitree_LDADD = lib/libequitree.la $(CONFUSE_LIBS) $(JSONC_LIBS) \
	$(SMARTCOLS_LIBS) -lm
