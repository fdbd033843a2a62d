#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Pages for operators and users: what their console blocks show comes out.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=pages.sh
. "$(dirname "$0")/pages.sh"
docs=$system_dir/../../docs

# RawUsage, each time that it was asked for.
usages() { printf '%s\n' "${answers[@]}" | sed -nE 's/.*rawusage.* ([0-9]+) *$/\1/p'; }

diag "docs/OPERATING.md, from stock to all of it and back"
cluster_up --set PriorityType=priority/multifactor --set JobSubmitPlugins= \
	--set PriorityParameters=
page_ready
# A site's users have terminals, and no plugin of ours until the page says so.
sed -i 's/^message = .*/message = auto/' "$dir/etc/equitree.conf"
: >"$dir/etc/plugstack.conf"
at_terminal=yes
play "$docs/OPERATING.md"
at_terminal=
mapfile -t usage < <(usages)
is "${#usage[@]}" 5 "usage was asked for at each step"
for step in 1 2 3 4; do
	# The job of step 3 may be in it: up to 2 seconds of 2.5.
	near "${usage[step]}" "${usage[0]}" 10 "usage outlives step $step"
done
no_equitree_errors
cluster purge

diag "docs/USERS.md"
cluster_up
page_ready
play "$docs/USERS.md"
no_equitree_errors
cluster purge

diag "budgets: docs/OPERATING.md grants one, docs/USERS.md uses it"
cluster_up
page_ready
play "$docs/OPERATING.md" "console budgets"
play "$docs/USERS.md" "console budgets"
play "$docs/OPERATING.md" "console budgets spent"
play "$docs/OPERATING.md" "console portals"
play "$docs/OPERATING.md" "console selftest"
no_equitree_errors
done_testing
