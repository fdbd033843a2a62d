#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# sacctmgr changes shares of 10,050 associations without a pause, while a pass each second
# ranks them and writes the results back in slices, between which a change may come. In
# the end nothing is lost: slurmctld has the shares of the database, and what sshare tells
# of each association follows from its shares and its usage.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[[ $(slurmctld -V) =~ \ 2[23]\. ]] ||
	skip_all 'the database of later releases has other columns of associations'
# shellcheck disable=SC2034 # site_sql() reads them
readonly accounts=50 users=200 rounds=20
root=$system_dir/../..

# sacctmgr would need long for so many associations. The functions of bench/site.sh stay in
# a shell of their own.
associations_sql() (
	# shellcheck source=../../bench/site.sh
	. "$root/bench/site.sh"
	site_sql
)
made=$work/site
mkdir "$made"
cp "$root"/sandbox/sites/cedar/* "$made/"
seq -f u%g "$users" >"$made/users"
cat >"$made/accounts" <<-END
	sacctmgr -iQ add cluster cedar
	mariadb --no-defaults -S /run/mysqld/mysqld.sock slurm_acct_db <<'SQL'
	$(associations_sql)
	SQL
END
cluster_up --no-slurmctld --site "$made" --set PriorityParameters=period=1 \
	--set PriorityDecayHalfLife=0 --set PriorityUsageResetPeriod=NONE
for n in {1..10}; do
	echo "a$n u$n $((1000 * n))"
	echo "a$n u$((n + 100)) 500"
done >"$work/placed"
place_usage "$(date +%s)" <"$work/placed"
daemon start slurmctld || bail "slurmctld starts" "$(tail "$work/daemon.out")"
ranked() { [[ $(share a1 u1 rawusage) == 1000 ]]; }
wait_until ranked || bail "the usage is there" "$(share a1 u1 rawusage)"

# In each round a user, all users of an account and an account get other shares; another
# account comes with a user, who goes again in every second round.
cat >"$work/change" <<'END'
set -e
for ((n = 1; n <= $1; n++)); do
	sacctmgr -iQ modify user "u$((n % 150 + 1))" where account="a$((n % 9 + 1))" \
		set fairshare=$((n + 20))
	sacctmgr -iQ modify user where account="a$((n % 40 + 1))" \
		set fairshare=$((n % 7 + 1))
	sacctmgr -iQ modify account "a$((n % 45 + 1))" set fairshare=$((3 * n + 1))
	sacctmgr -iQ add account "b$n" fairshare=$n
	sacctmgr -iQ add user "u$n" account="b$n" fairshare=$((n + 1))
	((n % 2)) || sacctmgr -iQ delete user "u$n" account="b$n"
done
END
before=$(saved_as_of)
in_cluster bash "$work/change" "$rounds" >"$work/changes" 2>&1
is "$?" 0 "$rounds rounds of changes" || diag "$(tail -n 5 "$work/changes")"
passes=$(($(saved_as_of) - before))
ok "passes ran meanwhile: one in each of $passes seconds" calc "$passes >= 10"

# "ACCOUNT|USER|SHARES" of all associations, as the database and slurmctld have them.
database() {
	in_cluster sacctmgr -nP show assoc cluster=cedar format=account,user,fairshare |
		grep -v '^root|' | sort
}
sshare_has() {
	in_cluster sshare -alPn -o account,user,rawshares | tr -d ' ' |
		grep -v '^root|' | sort
}
is "$(database | wc -l)" $((accounts * users + accounts + rounds + rounds / 2)) \
	"the database has all associations"
same() { diff <(database) <(sshare_has) >"$work/diff"; }
ok "slurmctld has the shares of the database" wait_until same ||
	diag "$(head -n 5 "$work/diff")"
wait_pass
wait_pass
in_cluster sshare -alP >"$work/sshare"
"$build/tools/equitree" tree --verify "$work/sshare" >"$work/verified"
is "$?|$(tail -n 1 "$work/verified")" "0|0 differences" \
	"normalised shares, Level FS and Fair Share follow from shares and usage" ||
	diag "$(tail -n 5 "$work/verified")"
is "$(awk -F'|' 'NR > 1 && $2 != "" { sum += $5 } END { print sum }' <(
	in_cluster sshare -alPn -o account,user,rawshares,normshares,rawusage))" \
	"$(awk '{ sum += $3 } END { print sum }' "$work/placed")" "all usage is there"
no_equitree_errors
done_testing
