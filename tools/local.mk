# SPDX-License-Identifier: GPL-2.0-or-later
# The operator's command.
bin_PROGRAMS += tools/equitree

tools_equitree_SOURCES = \
	tools/main.c \
	tools/bill/cmd.c \
	tools/bill/estimate.c \
	tools/bill/estimate.h \
	tools/bill/job_cmd.c tools/bill/job_cmd.h \
	tools/bill/job_costs.c tools/bill/job_costs.h \
	tools/bill/offers.c tools/bill/offers.h \
	tools/bill/recorded_runs.c tools/bill/recorded_runs.h \
	tools/sbatch/lsf_pbs.c tools/sbatch/lsf_pbs.h \
	tools/sbatch/options.c tools/sbatch/options.h \
	tools/sbatch/request.c tools/sbatch/request.h \
	tools/sbatch/rules.c tools/sbatch/rules.h \
	tools/sbatch/script.c tools/sbatch/script.h \
	tools/budget/cmd.c \
	tools/budget/import.c tools/budget/import.h \
	tools/budget/joint_grant.c tools/budget/joint_grant.h \
	tools/balance/balances.c tools/balance/balances.h \
	tools/balance/budget_request.c tools/balance/budget_request.h \
	tools/budget/show.c tools/budget/show.h \
	tools/boost/boost.c \
	tools/boost/boost.h \
	tools/boost/cmd.c \
	tools/boost/lease.c \
	tools/boost/lease.h \
	tools/when/cmd.c \
	tools/when/show.c tools/when/sooner.c tools/when/when.h \
	tools/scene/queue.c \
	tools/scene/cluster.c \
	tools/scene/budgets.c tools/scene/limits.c tools/scene/nodes.c \
	tools/scene/share_tree.c \
	tools/scene/past_forecasts.c tools/scene/past_forecasts.h \
	tools/scene/policy.c tools/scene/policy.h \
	tools/scene/priorities.c tools/scene/trace.c \
	tools/scene/scene_impl.h \
	tools/scene/scene.c tools/scene/scene.h \
	tools/capacity/capacity.c \
	tools/capacity/capacity.h \
	tools/check/billing.c \
	tools/check/budgets.c \
	tools/check/cmd.c \
	tools/check/check.c \
	tools/check/check.h \
	tools/check/gres.c tools/check/selftest.c \
	tools/check/names.c \
	tools/check/nodes.c \
	tools/check/priority.c \
	tools/check/setup.c \
	tools/check/show.c \
	tools/cli/alloc.c tools/cli/alloc.h \
	tools/cli/atomic_file.c \
	tools/cli/atomic_file.h \
	tools/cli/cmd.h \
	tools/cli/remote.c tools/cli/remote.h \
	tools/cli/colour.c \
	tools/cli/colour.h \
	tools/cli/json.c \
	tools/cli/json.h \
	tools/cli/arena.c tools/cli/arena.h \
	tools/cli/names.c tools/cli/names.h \
	tools/cli/options.c \
	tools/cli/options.h \
	tools/cli/plot.c \
	tools/cli/plot.h \
	tools/cli/print.c \
	tools/cli/print.h \
	tools/cli/progress.c \
	tools/cli/rows.c tools/cli/rows.h \
	tools/cli/progress.h \
	tools/slurm/user_assocs.c tools/slurm/user_assocs.h \
	tools/slurm/conf/site_conf.c \
	tools/slurm/conf/site_conf.h \
	tools/cli/table.c \
	tools/cli/table.h \
	tools/init/cmd.c \
	tools/init/init.c tools/init/weights.c \
	tools/init/init.h \
	tools/leave/cmd.c \
	tools/leave/repair.c tools/leave/repair.h \
	tools/metrics/cmd.c \
	tools/metrics/metrics.c \
	tools/metrics/metrics.h \
	tools/metrics/openmetrics.c \
	tools/metrics/openmetrics.h \
	tools/overhead/bills.c \
	tools/overhead/cmd.c \
	tools/overhead/history.c tools/overhead/history.h \
	tools/overhead/overhead.c tools/overhead/overhead.h \
	tools/proof/proof_impl.h \
	tools/proof/budgets.c tools/proof/proof.c tools/proof/report.c tools/proof/shares.c \
	tools/proof/proof.h \
	tools/recover/cmd.c \
	tools/report/chart.c \
	tools/report/chart.h \
	tools/report/pages.c \
	tools/report/cmd.c \
	tools/report/folder.c \
	tools/report/folder.h \
	tools/report/html.c \
	tools/report/html.h \
	tools/report/report.c \
	tools/report/page.h \
	tools/report/page.c \
	tools/report/queue.c \
	tools/report/report.h \
	tools/report/waits.c \
	tools/report/waits.h \
	tools/shares/cmd.c \
	tools/shares/shares.c \
	tools/shares/shares.h \
	tools/simulate/cmd.c \
	tools/simulate/input_options.h \
	tools/simulate/simulate.h \
	tools/simulate/sum.c \
	tools/simulate/show.c \
	tools/slurm/scontrol/candidate_nodes.c \
	tools/slurm/scontrol/candidate_nodes.h \
	tools/slurm/conf/cluster_conf.c \
	tools/slurm/conf/cluster_conf.h \
	tools/slurm/text/columns.c \
	tools/slurm/text/columns.h \
	tools/slurm/text/command.c \
	tools/slurm/text/command.h \
	tools/slurm/conf/cluster.c \
	tools/slurm/conf/cluster.h \
	tools/slurm/text/duration.c \
	tools/slurm/text/duration.h \
	tools/slurm/text/hostlist.c \
	tools/slurm/text/hostlist.h \
	tools/slurm/cost.c tools/slurm/cost.h \
	tools/slurm/energy.c tools/slurm/energy.h \
	tools/slurm/scontrol/nodes.c \
	tools/slurm/scontrol/nodes.h \
	tools/slurm/scontrol/partitions.c \
	tools/slurm/scontrol/partitions.h \
	tools/slurm/scontrol/record.c \
	tools/slurm/scontrol/record.h \
	tools/slurm/charges.c tools/slurm/charges.h \
	tools/slurm/sacct.c \
	tools/slurm/sacct.h \
	tools/slurm/conf/slurm_conf.c \
	tools/slurm/conf/slurm_conf.h \
	tools/slurm/limits.c tools/slurm/limits.h \
	tools/slurm/text/listing.c \
	tools/slurm/text/listing.h \
	tools/slurm/live_cluster.c tools/slurm/live_cluster.h \
	tools/slurm/live_jobs.c tools/slurm/live_jobs.h \
	tools/slurm/sprio.c \
	tools/slurm/sprio.h \
	tools/slurm/sshare.c \
	tools/slurm/sshare.h \
	tools/slurm/text/timestamp.c \
	tools/slurm/text/timestamp.h \
	tools/slurm/text/tres_list.c \
	tools/slurm/text/tres_list.h \
	tools/tree/cmd.c \
	tools/tree/verify.c \
	tools/tree/verify.h \
	tools/tree/verify_ranks.c \
	tools/tune/advise.c tools/tune/aims.c tools/tune/aims.h \
	tools/tune/archive.c tools/tune/cmd.c \
	tools/tune/measure.c tools/tune/params.c \
	tools/tune/search.c tools/tune/show.c \
	tools/tune/tune.h \
	tools/usage/cmd.c tools/usage/focus.c \
	tools/usage/lines.c \
	tools/usage/lines.h \
	tools/usage/period.c \
	tools/usage/period.h \
	tools/usage/year_price.c \
	tools/usage/year_price.h \
	tools/usage/year_show.c \
	tools/usage/sum.c \
	tools/usage/sum.h \
	tools/usage/usage.h \
	tools/usage/year.c \
	tools/why/obstacles.c \
	tools/why/cmd.c \
	tools/why/jobs.c \
	tools/why/limit_reason.c tools/why/limit_reason.h \
	tools/why/node_fit.c tools/why/node_fit.h \
	tools/why/page.c tools/why/page.h \
	tools/why/path.c \
	tools/why/path.h \
	tools/why/shares.c \
	tools/why/wait.c tools/why/wait.h \
	tools/why/why.h
tools_equitree_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tools \
	$(JSONC_CFLAGS) $(SMARTCOLS_CFLAGS) $(NLOPT_CFLAGS) \
	-DEQT_VERSION='"$(PACKAGE_VERSION)"' \
	-DEQT_PLUGINDIR='"$(plugindir)"'
# A program of its own may bind at once, unlike the plugins.
tools_equitree_CFLAGS = $(AM_CFLAGS) $(HARDEN_PROGRAM_CFLAGS)
tools_equitree_LDFLAGS = $(AM_LDFLAGS) $(HARDEN_PROGRAM_LDFLAGS)
tools_equitree_LDADD = lib/libequitree.la $(JSONC_LIBS) \
	$(SMARTCOLS_LIBS) $(NLOPT_LIBS) $(ZLIB_LIBS) -lm

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = tools/completion/equitree
