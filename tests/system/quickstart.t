#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two quickstarts on one machine do not take each other's cluster: a name that another
# run holds, or whose cluster is up, is refused or asked about, and nothing is removed.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

quickstart() { "$system_dir/../../quickstart" --name "$cluster_name" "$@"; }

# Another run holds the name: its lock lasts as long as its shell.
folder=${EQUITREE_SANDBOX_DIR:-/var/tmp/equitree-sandbox}
mkdir -p "$folder"
exec {held}>"$folder/.$cluster_name.quickstart"
flock -n "$held"
quickstart --batch >"$work/out" 2>&1 </dev/null
is "$?" 1 "a second quickstart with the same name ends with an error"
like "$(<"$work/out")" "quickstart: $cluster_name is in use by another run" \
	"the error says that another run uses the name"
exec {held}>&-

cluster_up
quickstart --batch >"$work/out" 2>&1 </dev/null
is "$?" 1 "a quickstart does not take a cluster that is up"
like "$(<"$work/out")" "$cluster_name is up; .*purge. removes it" \
	"the error says how to remove the cluster"
script -qefc "$system_dir/../../quickstart --name $cluster_name" /dev/null \
	>"$work/out" 2>&1 <<<n
is "$?" 1 "at a terminal the answer n ends quickstart"
like "$(<"$work/out")" "cluster $cluster_name of an earlier run is still up. Remove it" \
	"at a terminal quickstart asks before it removes a cluster"
answers() { in_cluster scontrol ping >/dev/null; }
ok "the cluster is still up" answers
rm -f "$folder/.$cluster_name.quickstart"
done_testing
