# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += sandbox/README.md sandbox/cluster sandbox/lib sandbox/sites
