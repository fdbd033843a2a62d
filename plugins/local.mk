# SPDX-License-Identifier: GPL-2.0-or-later
# The plugins: each a module that exports its entry points and nothing else.
# Lazy binding is needed: some of the host's functions exist in slurmctld only
# and are never called elsewhere, so no -z now and no -z defs here.
PLUGIN_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_builddir)/plugins -I$(top_srcdir)/plugins
PLUGIN_CFLAGS = $(AM_CFLAGS)
PLUGIN_LINK = $(AM_LDFLAGS) -avoid-version -shared \
	-Wl,-z,lazy -Wl,--version-script=$(top_srcdir)
PLUGIN_LIBADD = lib/libequitree.la

# Sources of plugins/slurm that every plugin has.
PLUGIN_COMMON = \
	plugins/slurm/conf_load.c plugins/slurm/conf_load.h \
	plugins/slurm/log.c plugins/slurm/log.h plugins/slurm/thread.h

# Slurm's internal headers are held to Slurm's rules, not to ours.
INTERNAL_CPPFLAGS = -DEQT_HAVE_INTERNAL -I$(top_builddir)/plugins \
	-I$(top_srcdir)/plugins/slurm/slurm-config -D_GNU_SOURCE $(SLURM_INTERNAL_CPPFLAGS)

# Made by configure.
DISTCLEANFILES = plugins/slurm/features.h

EXTRA_DIST += plugins/slurm/slurm-config/config.h plugins/slurm/compat

include $(top_srcdir)/plugins/priority/local.mk
include $(top_srcdir)/plugins/job_submit/local.mk
include $(top_srcdir)/plugins/spank/local.mk
