# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += plugins/job_submit/job_submit.map

plugin_LTLIBRARIES += plugins/job_submit/job_submit_equitree.la

plugins_job_submit_job_submit_equitree_la_SOURCES = $(PLUGIN_COMMON) \
	plugins/common/ask_fields.c plugins/common/ask_fields.h \
	plugins/common/slurm_compat.h \
	plugins/job_submit/ask_from_desc.c plugins/job_submit/ask_from_desc.h \
	plugins/job_submit/job_submit_equitree.c \
	plugins/job_submit/draw.h \
	plugins/job_submit/judge.c plugins/job_submit/judge.h \
	plugins/job_submit/notice.c plugins/job_submit/notice.h \
	plugins/job_submit/offer.c plugins/job_submit/offer.h \
	plugins/job_submit/owner.h \
	plugins/job_submit/qos.c plugins/job_submit/qos.h \
	plugins/job_submit/reload.c plugins/job_submit/reload.h
plugins_job_submit_job_submit_equitree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)

# Partitions' defaults and users' accounts are in slurmctld's own structs.
if HAVE_SLURM_INTERNAL
plugins_job_submit_job_submit_equitree_la_SOURCES += \
	plugins/common/ask_partition.c plugins/common/ask_partition.h \
	plugins/common/node_sets.c plugins/common/node_sets.h \
	plugins/common/name_list.c plugins/common/name_list.h \
	plugins/common/reach.c plugins/common/reach.h \
	plugins/common/threads.c plugins/common/threads.h \
	plugins/common/whole_nodes.c plugins/common/whole_nodes.h \
	plugins/job_submit/associations.c plugins/job_submit/associations.h \
	plugins/job_submit/draw.c \
	plugins/job_submit/grants.c plugins/job_submit/grants.h \
	plugins/job_submit/modify.c plugins/job_submit/modify.h \
	plugins/job_submit/owner.c \
	plugins/job_submit/partitions.c plugins/job_submit/partitions.h \
	plugins/job_submit/route.c plugins/job_submit/route.h
plugins_job_submit_job_submit_equitree_la_CPPFLAGS += \
	$(INTERNAL_CPPFLAGS)
endif

plugins_job_submit_job_submit_equitree_la_CFLAGS = $(PLUGIN_CFLAGS)
plugins_job_submit_job_submit_equitree_la_LDFLAGS = -module $(PLUGIN_LINK)/plugins/job_submit/job_submit.map
plugins_job_submit_job_submit_equitree_la_LIBADD = $(PLUGIN_LIBADD)
