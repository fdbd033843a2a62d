# SPDX-License-Identifier: GPL-2.0-or-later
# The operator's command.
bin_PROGRAMS += tools/equitree

tools_equitree_SOURCES = \
	tools/bill_options.c tools/bill_options.h \
	tools/bill_json.c tools/bill_json.h \
	tools/bill_quote.c tools/bill_quote.h \
	tools/bill_request.c tools/bill_request.h \
	tools/boost_lease.c tools/boost_lease.h \
	tools/boost_shares.c tools/boost_shares.h \
	tools/boost_show.c tools/boost_show.h \
	tools/boost_steps.c tools/boost_steps.h \
	tools/check.c tools/check.h \
	tools/check_billing.c tools/check_grants.c tools/check_gres.c tools/check_names.c \
	tools/check_nodes.c tools/check_priority.c tools/check_setup.c \
	tools/check_show.c tools/check_show.h \
	tools/cluster_conf.c tools/cluster_conf.h \
	tools/cmd.h \
	tools/cmd_bill.c \
	tools/cmd_boost.c \
	tools/cmd_check.c \
	tools/cmd_metrics.c \
	tools/cmd_overhead.c \
	tools/cmd_recover.c \
	tools/cmd_simulate.c \
	tools/cmd_tree.c \
	tools/cmd_usage.c \
	tools/cmd_why.c \
	tools/colour.c tools/colour.h \
	tools/common.c tools/common.h \
	tools/conf_path.c tools/conf_path.h \
	tools/conf_places.c tools/conf_places.h \
	tools/equitree.c \
	tools/exposition.c tools/exposition.h \
	tools/hostlist.c tools/hostlist.h \
	tools/metrics.h tools/metrics_nodes.c tools/metrics_shares.c \
	tools/overhead.h tools/overhead_json.c tools/overhead_sum.c \
	tools/overhead_text.c \
	tools/overhead_list.c tools/overhead_list.h \
	tools/overhead_partitions.c \
	tools/overhead_plot.c tools/overhead_plot.h \
	tools/overhead_queue.c tools/overhead_queue.h \
	tools/overhead_room.c tools/overhead_room.h \
	tools/options.c tools/options.h \
	tools/output.c tools/output.h \
	tools/pass_log.c tools/pass_log.h \
	tools/pending.c tools/pending.h \
	tools/picture.c tools/picture.h \
	tools/progress.c tools/progress.h \
	tools/recover_rates.c tools/recover_rates.h \
	tools/shares.c tools/shares.h \
	tools/shares_index.c tools/shares_index.h \
	tools/sbatch_options.c tools/sbatch_options.h \
	tools/script.c tools/script.h \
	tools/simulate.h tools/simulate_cluster.c tools/simulate_jobs.c \
	tools/simulate_json.c tools/simulate_plot.c tools/simulate_policy.c \
	tools/simulate_priorities.c \
	tools/simulate_sum.c tools/simulate_text.c \
	tools/slurm_conf.c tools/slurm_conf.h tools/slurm_conf_read.c \
	tools/stock_config.c tools/stock_config.h \
	tools/stock_jobs.c tools/stock_jobs.h \
	tools/stock_nodes.c tools/stock_nodes.h \
	tools/stock_partitions.c tools/stock_partitions.h \
	tools/stock_reach.c tools/stock_reach.h \
	tools/stock_records.c tools/stock_records.h \
	tools/stock_run.c tools/stock_run.h \
	tools/stock_sacct.c tools/stock_sacct.h \
	tools/stock_table.c tools/stock_table.h \
	tools/stock_text.c tools/stock_text.h \
	tools/usage.h tools/usage_show.c \
	tools/usage_lines.c tools/usage_lines.h \
	tools/usage_period.c tools/usage_period.h \
	tools/usage_price.c tools/usage_price.h \
	tools/usage_sum.c tools/usage_sum.h \
	tools/whole_file.c tools/whole_file.h \
	tools/why.h tools/why_jobs.c tools/why_pair.c tools/why_pair.h \
	tools/why_path.c tools/why_path.h tools/why_shares.c
tools_equitree_CPPFLAGS = $(AM_CPPFLAGS) $(JSONC_CFLAGS) $(SMARTCOLS_CFLAGS) \
	-DEQT_VERSION='"$(PACKAGE_VERSION)"'
# A program of its own may bind at once, unlike the plugins.
tools_equitree_LDFLAGS = $(AM_LDFLAGS) -Wl,-z,relro -Wl,-z,now
tools_equitree_LDADD = lib/libequitree.la $(CONFUSE_LIBS) $(JSONC_LIBS) \
	$(SMARTCOLS_LIBS) -lm

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = tools/completion/equitree
