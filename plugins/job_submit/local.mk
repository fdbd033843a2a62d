# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += plugins/job_submit/job_submit.map

if BUILD_PLUGINS
plugin_LTLIBRARIES += plugins/job_submit/job_submit_equitree.la
endif

plugins_job_submit_job_submit_equitree_la_SOURCES = $(PLUGIN_COMMON) \
	plugins/slurm/spec_field.c plugins/slurm/spec_field.h \
	plugins/slurm/compat.h \
	plugins/job_submit/message/het_sum.c \
	plugins/job_submit/message/het_sum.h \
	plugins/job_submit/plugin.c \
	plugins/job_submit/grant_check.h \
	plugins/job_submit/budget_check.h plugins/slurm/budget_link.h \
	plugins/job_submit/decide.c plugins/job_submit/decide.h \
	plugins/job_submit/decision.h \
	plugins/job_submit/message/user_msg.c plugins/job_submit/message/user_msg.h \
	plugins/job_submit/partition_quote.c plugins/job_submit/partition_quote.h \
	plugins/job_submit/account.h \
	plugins/job_submit/records/qos.c plugins/job_submit/records/qos.h \
	plugins/job_submit/reading.c plugins/job_submit/reading.h \
	plugins/job_submit/conf_swap.c plugins/job_submit/conf_swap.h
plugins_job_submit_job_submit_equitree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)

# Partitions' defaults and users' accounts are in slurmctld's own structs.
if HAVE_SLURM_INTERNAL
plugins_job_submit_job_submit_equitree_la_SOURCES += \
	plugins/slurm/spec_partition.c plugins/slurm/spec_partition.h \
	plugins/slurm/node_bits.c plugins/slurm/node_bits.h \
	plugins/slurm/node_sets.c plugins/slurm/node_sets.h \
	plugins/slurm/name_list.c plugins/slurm/name_list.h \
	plugins/slurm/reservation.c plugins/slurm/reservation.h \
	plugins/slurm/candidate_nodes.c plugins/slurm/candidate_nodes.h \
	plugins/slurm/node_group.h \
	plugins/slurm/desc_from_job.c plugins/slurm/desc_from_job.h \
	plugins/job_submit/records/associations.c plugins/job_submit/records/associations.h \
	plugins/job_submit/decision.c \
	plugins/job_submit/grant_check.c plugins/job_submit/budget_check.c \
	plugins/job_submit/records/job_limit.c plugins/job_submit/records/job_limit.h \
	plugins/job_submit/modify.c plugins/job_submit/modify.h \
	plugins/job_submit/account.c \
	plugins/job_submit/records/partition.c plugins/job_submit/records/partition.h
plugins_job_submit_job_submit_equitree_la_CPPFLAGS += \
	$(INTERNAL_CPPFLAGS)
endif

plugins_job_submit_job_submit_equitree_la_CFLAGS = $(PLUGIN_CFLAGS)
plugins_job_submit_job_submit_equitree_la_LDFLAGS = -module $(PLUGIN_LINK)/plugins/job_submit/job_submit.map
plugins_job_submit_job_submit_equitree_la_LIBADD = $(PLUGIN_LIBADD)
