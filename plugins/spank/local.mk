# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += plugins/spank/spank.map

if BUILD_PLUGINS
plugin_LTLIBRARIES += plugins/spank/spank_equitree.la
endif

plugins_spank_spank_equitree_la_SOURCES = plugins/slurm/env_names.h \
	plugins/spank/end_note.c plugins/spank/end_note.h plugins/spank/plugin.c
plugins_spank_spank_equitree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -D_GNU_SOURCE
plugins_spank_spank_equitree_la_CFLAGS = $(PLUGIN_CFLAGS)
plugins_spank_spank_equitree_la_LDFLAGS = -module $(PLUGIN_LINK)/plugins/spank/spank.map
