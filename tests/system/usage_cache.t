#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree usage --cache beside a live slurmdbd that has jobs of months: reports with
# and without a folder of finished days are the same bytes.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
cache=$work/days
RANDOM=${EQUITREE_SEED:-7}
cluster_up
in_cluster cat /etc/slurm/equitree.conf >"$work/free.conf"
echo 'charge_suspended = no' >>"$work/free.conf"

# ---- Jobs of the past -------------------------------------------------------

a=$(submit ada 1 -n1 --mem=8000M -p cpu --comment=first)
b=$(submit ben 1 -n1 --mem=16000M --gres=gpu:p100:2 -p gpu)
c=$(submit cleo 1 -n3 --mem=100M -p cpu)
wait_until jobs_ended "$a,$b,$c" || bail "three jobs end" "$(in_cluster sacct -aX)"

# Each job of the past is one of the three at another time.
sql() { in_cluster mariadb --no-defaults --socket=/run/mysqld/mysqld.sock -N "$(sql_base)"; }
sql_base() { # the database that has the cluster's jobs
	[[ -e $work/base ]] || in_cluster mariadb --no-defaults --socket=/run/mysqld/mysqld.sock -N \
		-e "SELECT table_schema FROM information_schema.tables WHERE table_name LIKE '%\\_job\\_table'" >"$work/base"
	cat "$work/base"
}
jobs=$(sql <<<"SHOW TABLES LIKE '%\\_job\\_table'")
serial=5000
put_job() { # LIKE START END [SUSPENDED]
	serial=$((serial + 1))
	echo "CREATE TEMPORARY TABLE t AS SELECT * FROM \`$jobs\` WHERE id_job=$1;
		UPDATE t SET job_db_inx=$serial, id_job=$serial, time_submit=$2-5, time_eligible=$2-5,
			time_start=$2, time_end=$3, time_suspended=${4-0}, state=IF($3=0,1,3)
			${put_more-};
		INSERT INTO \`$jobs\` SELECT * FROM t; DROP TABLE t;"
}
# Soon after midnight the day before is not finished yet: go back before it.
now=$(date +%s)
midnight=$(TZ=Europe/London date -d 00:00 +%s)
((now - midnight > 7200)) || now=$((midnight - 7200))
midnight=$(date -d "$(date -d "@$now" +%Y-%m-%d)" +%s)
random() { REPLY=$(((RANDOM * 32768 + RANDOM) % $1)); } # below N
like_job=("$a" "$b" "$c")
{
	for ((i = 0; i < 90; i++)); do
		random $((110 * 86400))
		start=$((now - 86400 - REPLY))
		random $((i % 5 ? 200000 : 3000000))
		end=$((start + REPLY + 1))
		((end < now - 10000)) || end=0
		((i % 9 || !end)) || end=$((midnight - (i / 3) * 86400))
		((end == 0 || end > start)) || end=$((start + 1))
		suspended=0
		((i % 4 || !end)) || suspended=$(((end - start) / 3))
		put_more=
		((i % 11)) || put_more=", tres_alloc='', tres_req=''"
		put_job "${like_job[i % 3]}" "$start" "$end" "$suspended"
	done
	put_more=", account='physics', wckey='w', admin_comment='odd'"
	put_job "$a" $((now - 2000 * 86400)) $((midnight - 4 * 86400 - 7)) # it ran for years
} >"$work/jobs.sql"
sql <"$work/jobs.sql" || bail "jobs of the past are in the database"
is "$(in_cluster sacct -aXnP -S 2020-01-01 -E now -o JobIDRaw | grep -c '^5')" 91 "sacct has jobs of the past"

# ---- The same bytes -----------------------------------------------------------

usage() { # OPTION...
	local zone=${zone-Europe/London}
	in_cluster env TZ="$zone" PATH="$work/bin:$PATH" "$equitree" usage \
		--now "$(TZ=$zone date -d "@$now" +%Y-%m-%dT%H:%M:%S)" "$@" >"$work/out" 2>"$work/err"
}
differ=0 warned=
same() { # OPTION...: with a cold or a warm folder as without
	usage "$@" && cp "$work/out" "$work/plain" || differ=$((differ + 1))
	usage "$@" --cache "$cache" && cmp -s "$work/out" "$work/plain" || {
		differ=$((differ + 1))
		diag "$*" "$(diff "$work/plain" "$work/out" | head -n 5)" "$(<"$work/err")"
	}
	warned+=$(<"$work/err")
}
day_of() { TZ=Europe/London date -d "@$((now - $1 * 86400))" +"$2"; }
mkdir "$work/bin"
printf '#!/bin/sh\necho x >>%s\nexec %s "$@"\n' "$work/asked" "$(command -v sacct)" >"$work/bin/sacct"
chmod +x "$work/bin/sacct"

same --json --year-start "$(day_of 12 %m-%d)"
is "$differ|$warned|$(find "$cache" -name '20*' | wc -l)" "0||11" "a cold folder changes nothing, and has the days but the long job's"
: >"$work/asked"
usage --json --year-start "$(day_of 12 %m-%d)" --cache "$cache"
is "$(cmp "$work/out" "$work/plain")|$(wc -l <"$work/asked")" "|3" \
	"a warm folder asks sacct for the latest jobs, and for the day that cannot be kept"
for by in account,day submitter,month,partition project month day account,submitter,qos; do
	random 90
	since=$((REPLY + 3))
	random $((since * 86400 - 7200))
	until=$(TZ=Europe/London date -d "@$((now - REPLY))" +%Y-%m-%dT%H:%M:%S)
	same --json --by "$by" --year-start "$(day_of $since %m-%d)" --now "$until"
	same --by "$by" --year-start "$(day_of $since %m-%d)"
done
is "$differ|$warned" "0|" "random periods and keys give the same bytes, cold and warm"
same --json --by comment,account --year-start "$(day_of 20 %m-%d)"
same --json --by wckey,day --year-start "$(day_of 20 %m-%d)"
same --json --by comment --year-start "$(day_of 20 %m-%d)"
is "$differ|$warned" "0|" "comments and wckeys have files of their own"
same --json --raw -f "$work/free.conf" --year-start "$(day_of 30 %m-%d)" --by account,month
same --json --raw -f "$work/free.conf" --year-start "$(day_of 30 %m-%d)" --by account,month
is "$differ|$warned" "0|" "other prices do not take what was kept with these"
zone=Asia/Tokyo same --json --year-start "$(day_of 30 %m-%d)" --by day
is "$differ|$warned" "0|" "another zone does not take the days of this one"
same --csv --year-start "$(day_of 40 %m-%d)"

# ---- Records that change --------------------------------------------------------

put_more=
put_job "$c" $((now - 25 * 86400)) 0 | sql
same --json --year-start "$(day_of 40 %m-%d)" --by day
echo "UPDATE \`$jobs\` SET time_end=$((now - 100)), state=3 WHERE id_job=$serial" | sql
same --json --year-start "$(day_of 40 %m-%d)" --by day
is "$differ|$warned" "0|" "a job that ran on kept days and ends later counts to its end"

# ---- Pages -----------------------------------------------------------------------

# The charged hours of a job that runs differ from second to second.
echo "UPDATE \`$jobs\` SET time_end=$((now - 50)), state=3 WHERE time_end=0" | sql
pages() { # FOLDER OPTION...
	in_cluster env TZ=Europe/London "$equitree" report --out "$work/$1" --year-start "$(day_of 100 %m-%d)" \
		--now "$(TZ=Europe/London date -d "@$now" +%Y-%m-%dT%H:%M:%S)" "${@:2}" >>"$work/pages.out" 2>&1
}
pages plain-pages
pages cold --cache "$cache"
pages warm --cache "$cache"
is "$(<"$work/pages.out")|$(diff -rq "$work/plain-pages" "$work/cold")|$(diff -rq "$work/plain-pages" "$work/warm")" "||" \
	"pages are the same with a cold and a warm folder as without"
like "$(<"$work/warm/user/ada/index.html")" 'class="t">50[0-9][0-9]</td>' "pages of kept days have the last jobs of a user"
pages no --cache "$cache" --from "$work"
is "$(grep -c -- '--cache excludes --from' "$work/pages.out")" 1 "pages of saved answers keep nothing"

# ---- What is not to be trusted ----------------------------------------------------

year=(--json --year-start "$(day_of 9 %m-%d)")
same "${year[@]}"
spoiled() { # NAME WARNING, after the file of that day was spoiled
	usage "${year[@]}" --cache "$cache"
	is "$(cmp "$work/out" "$work/plain")|$(<"$work/err")" "|equitree: $file: $2; asking sacct for the day" "$1"
	usage "${year[@]}" --cache "$cache"
	is "$(cmp "$work/out" "$work/plain")|$(<"$work/err")|$(stat -c %a "$file")" "||644" "the kept day is replaced after: $1"
}
file=$cache/$(day_of 3 %Y-%m-%d)
head -c -30 "$file" >"$work/cut" && cp "$work/cut" "$file"
spoiled "a file that was cut off" "it is damaged"
sed -i '3,$s/[1-9a-f]/8/' "$file"
spoiled "a file with another number" "it is damaged"
echo "another program's" >"$file"
spoiled "a file of another program" "it is not of this command"
chmod g+w "$file"
spoiled "a file that others may write" "others may write to it"
mv "$file" "$work/elsewhere" && ln -s "$work/elsewhere" "$file"
spoiled "a link" "it is a link"
cp "$file" "$work/kept"
cp "$cache/$(day_of 5 %Y-%m-%d)" "$file"
usage "${year[@]}" --cache "$cache"
is "$(cmp "$work/out" "$work/plain")|$(<"$work/err")|$(cmp "$file" "$work/kept")" "||" "a file of another day is not taken"
in_cluster chown ada "$file" 2>/dev/null && spoiled "a file of another user" "another user owns it"

# slurmdbd is to have all records before a day is kept.
printf '#!/bin/sh\n%s | sed "s/^DBD Agent queue size:.*/DBD Agent queue size: 3/"\n' \
	"$(command -v sdiag)" >"$work/bin/sdiag"
chmod +x "$work/bin/sdiag"
rm "$file"
usage "${year[@]}" --cache "$cache"
is "$(cmp "$work/out" "$work/plain")|$(<"$work/err")|$(find "$file" 2>/dev/null)" \
	"|equitree: slurmdbd lacks 3 records of slurmctld; no day is kept in $cache|" \
	"while slurmctld has unsent records, no day is kept"
rm "$work/bin/sdiag"
usage --cache "$work/jobs.sql"
is "$?|$(<"$work/err")" "1|equitree usage: $work/jobs.sql: Not a directory" "--cache needs a folder"
usage --cache "$cache" --jobs "$work/jobs.sql"
is "$?|$(grep -c -- '--cache excludes --jobs' "$work/err")" "2|1" "--cache keeps answers of sacct alone"
no_equitree_errors
done_testing
