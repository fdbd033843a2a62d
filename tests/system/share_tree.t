#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree shares apply on a live cluster: the accounting database and slurmctld
# have what the file says, and the way back restores what was.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
log=$work/log
cluster_up

apply() { in_cluster "$equitree" shares apply "$@" --log "$log"; }
tree_now() { in_cluster sacctmgr -nP show assoc format=account,parentname,user,fairshare | sort; }
before=$(tree_now)

cat >"$work/tree.csv" <<'END'
Account,Parent,User,Shares
physics,,,1500
physics,,ada,30
optics,physics,,7
lasers,optics,,5
lasers,,ben,parent
chemistry,optics,,1142
END
like "$(apply "$work/tree.csv" --dry-run)" 'add account +optics +- +7.*add account +lasers' "--dry-run prints the steps"
is "$(tree_now)|$(find "$log" -name '*.csv' 2>/dev/null | wc -l)" "$before|0" "--dry-run does no step"

out=$(apply "$work/tree.csv" 2>&1)
like "$out" '6 steps were done. The way back is' "the steps are done"
is "$(tree_now | grep -E '^(optics|lasers|chemistry\|[a-z]|physics\|(root|\|ada))')" \
"chemistry|optics||1142
lasers|optics||5
lasers||ben|parent
optics|physics||7
physics|root||1500
physics||ada|30" "the accounting database has the tree of the file"
live_shares() { [[ $(share "$1" "$2" rawshares) == "$3" ]]; }
ok "slurmctld has it as well" wait_until live_shares physics "" 1500
is "$(apply "$work/tree.csv")" "The share tree is as the file says." "the file a second time changes nothing"
is "$(grep -c ': done$' "$log/apply.log")|$(grep -c 'set account physics: 1800 to 1500: done$' "$log/apply.log")" "6|1" \
	"the log has each step, with what was before"

back=$(find "$log" -name 'before-*.csv')
apply "$back" >/dev/null
is "$?|$(tree_now)" "0|$before" "the way back restores the tree"

# sacctmgr refuses to delete an account with a running job.
in_cluster sacctmgr -iQ add account busy cluster=cedar fairshare=3 >/dev/null
in_cluster sacctmgr -iQ add user ada account=busy cluster=cedar >/dev/null
known() { [[ $(share busy ada rawshares) == 1 ]]; }
wait_until known || bail "the account is known" "$(tree_now)"
as ada sbatch -A busy -n1 -t 10 --wrap 'sleep 300' >/dev/null 2>&1
runs() { [[ $(in_cluster squeue -h -A busy -t R -o %i) ]]; }
wait_until runs || bail "the job runs" "$(in_cluster squeue)"
printf 'Account,Shares\nphysics,1700\nbusy,remove\n' >"$work/busy.csv"
out=$(apply "$work/busy.csv" 2>&1)
is "$?|$(grep -c '1 of 2 steps were done, the way back is' <<<"$out")|$(tree_now | grep -c '^busy|root')" "1|1|1" \
	"what sacctmgr refuses ends the command, which says how far it came"
no_equitree_errors
done_testing
