# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
# Pages that are true: the configuration that a page shows is brought up, and
# what its console blocks show is typed and compared. Sourced after lib.sh.
#
# The blocks of a page, by the word behind their first three backquotes:
#	slurm.conf	lines for slurm.conf; how the machine runs its daemons is the
#			sandbox's own
#	equitree.conf	the whole file; or a link [equitree.conf](FILE)
#	accounts	sacctmgr's commands, without adding the cluster
#	console		"USER$ COMMAND" or "# COMMAND", what it prints, and a blank
#			line before the next one; "..." stands for anything on a
#			line, and alone on a line for any lines
#	console WORDS	the same, for play PAGE "console WORDS"

cedar=$system_dir/../../sandbox/sites/cedar

# Keys of the sandbox's slurm.conf that are about scheduling: a page that does
# not say the first ones gets them as they are there, the second ones not at all.
policy='AccountingStorageEnforce|SelectType|SelectTypeParameters'
policy+='|MaxJobCount|MinJobAge|PriorityParameters'
passed_over='NodeName|PartitionName|Priority[A-Za-z]*|JobSubmitPlugins'
passed_over+='|AccountingStorageTRES|GresTypes'

block() { # PAGE KIND
	awk -v open="\`\`\`$2" '
		$0 == open { on = 1; next }
		$0 == "```" { on = 0 }
		on' "$1"
}

keys_of() { # FILE -> an expression of its keys
	sed -nE 's/^([A-Za-z]+)=.*/\1/p' "$1" | sort -u | paste -sd'|'
}

# ---- A cluster as a page has it -------------------------------------------

# The sandbox's lines, and of WANTED those that it does not rule itself.
merge_conf() { # WANTED DEST
	local mine
	grep -vE "^($passed_over)=" "$cedar/slurm.conf" >"$work/machine"
	# What both have is the page's if it is about scheduling.
	awk -v policy="^($policy)$" -v said="^($(keys_of "$1"))$" -F= '
		!($1 ~ policy && $1 ~ said)' "$work/machine" >"$2"
	mine=$(keys_of "$2")
	grep -qE '^PriorityParameters=' "$1" "$2" ||
		echo PriorityParameters=period=2 >>"$2"
	grep -E '^[A-Za-z]+=' "$1" | grep -vE "^($mine|NodeName)=" >>"$2"
	place_nodes <"$1" >>"$2"
}

# NodeName lines with the port of each slurmd; GPUs get devices in gres.conf.
place_nodes() {
	local line list port=6821 count ports
	while read -r line; do
		[[ $line =~ ^NodeName=([^ ]+) ]] || continue
		list=${BASH_REMATCH[1]} count=1
		if [[ $list =~ \[([0-9]+)-([0-9]+)\] ]]; then
			count=$((10#${BASH_REMATCH[2]} - 10#${BASH_REMATCH[1]} + 1))
		fi
		ports=$port
		((count == 1)) || ports="[$port-$((port + count - 1))]"
		port=$((port + count))
		echo "$line NodeHostname=head Port=$ports"
		place_gpus "$list" "$line"
	done
}

place_gpus() { # NODES LINE
	local name type number first=0
	while IFS=: read -r name type number; do
		echo "NodeName=$1 Name=$name Type=$type" \
			"File=@DIR@/dev/gpu[$first-$((first + number - 1))]"
		first=$((first + number))
	done < <(grep -oE 'gpu:[A-Za-z0-9_.]+:[0-9]+' <<<"$2") |
		sed -E 's/\[([0-9]+)-\1\]/\1/' >>"$made/gres.conf"
}

equitree_conf_of() { # PAGE
	local link
	link=$(sed -nE 's/.*\[equitree\.conf\]\(([^)]*)\).*/\1/p' "$1" | head -n 1)
	if [[ $link ]]; then
		cat "$(dirname "$1")/$link"
	else
		block "$1" equitree.conf
	fi
}

# A folder for the sandbox, in $made.
make_site() { # SLURM.CONF EQUITREE.CONF ACCOUNTS PLUGSTACK.CONF
	made=$work/site-page
	rm -rf "$made"
	mkdir "$made"
	merge_conf "$1" "$made/slurm.conf"
	cp "$2" "$made/equitree.conf"
	# The page's reader has a terminal, and this test a pipe.
	grep -q '^message' "$2" || echo 'message = brief' >>"$made/equitree.conf"
	sed 's|^\([a-z]* *\)spank_equitree.so|\1@PLUGINS@/spank_equitree.so|' \
		"$4" >"$made/plugstack.conf"
	{
		echo sacctmgr -iQ add cluster cedar
		grep -v 'add cluster' "$3"
	} >"$made/accounts"
	grep -oE 'add user [a-z0-9,]+' "$3" | cut -d' ' -f3 | tr ',' '\n' |
		sort -u >"$made/users"
}

page_up() { # PAGE [OPTION...]
	local page=$1
	shift
	block "$page" slurm.conf >"$work/page-slurm.conf"
	equitree_conf_of "$page" >"$work/page-equitree.conf"
	block "$page" accounts >"$work/page-accounts"
	make_site "$work"/page-{slurm.conf,equitree.conf,accounts} \
		"$cedar/plugstack.conf"
	cluster_up --site "$made" "$@"
	page_ready
}

# What a page types may count on its nodes, and on the command.
page_ready() {
	cp "$build/tools/equitree" "$dir/plugins/"
	wait_until nodes_idle || bail "the nodes are there" "$(in_cluster sinfo)"
}

nodes_idle() { [[ $(in_cluster sinfo -h -o %T | sort -u) == idle ]]; }

# ---- What it shows --------------------------------------------------------

# As a site types it; systemctl and journalctl are the sandbox's. With at_terminal, sbatch
# has a terminal, as for message = auto. $typed_before is typed before each command.
type_command() { # USER COMMAND
	local file
	if [[ $2 =~ ^systemctl\ ([a-z]+)\ ([a-z]+)$ ]]; then
		daemon "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
		return
	fi
	file="${typed_before-}equitree() { $dir/plugins/equitree \"\$@\"; }; $2"
	file=${file//\/var\/log\/slurm\//$dir/log/}
	if [[ ${at_terminal-} && $2 == sbatch* ]]; then
		cluster run -u "$1" script -qec "$2" /dev/null 2>&1 </dev/null |
			tr -d '\r'
		return
	fi
	cluster run -u "$1" bash -c "$file" 2>&1 </dev/null
}

# Whether what came is what the page has; blanks count once.
as_shown() { # GOT WANT
	GOT=$1 WANT=$2 perl -e '
		sub plain { my $t = shift; $t =~ s/[ \t]+/ /g; $t =~ s/ ?\n ?/\n/g;
			$t =~ s/^\s+|\s+$//g; return "$t\n" }
		my $want = join "", map {
			/^ ?\.\.\.$/ ? "(?:[^\n]*\n)*?"
				: join("[^\n]*", map { quotemeta } split /\.\.\./, $_, -1) . "\n"
		} split /\n/, plain($ENV{WANT});
		exit(plain($ENV{GOT}) !~ /^$want$/)'
}

answers=()

# Questions may be asked again until the answer has come about.
is_question() {
	[[ ! $1 =~ ^equitree\ budget\ (grant|transfer|refund|close) ]] || return 1
	[[ $1 =~ ^(s(share|prio|queue|info|acct)|equitree|grep|sacctmgr -?n?P?\ ?show|scontrol -?o?\ ?show) ]]
}

# sshare lists accounts in an order of no meaning, another one each release.
matches() { # USER COMMAND WANT
	got=$(type_command "$1" "$2")
	if [[ $2 == sshare* ]]; then
		as_shown "$(sort -b <<<"$got")" "$(sort -b <<<"$3")"
	else
		as_shown "$got" "$3"
	fi
}

show() { # NAME USER COMMAND WANT
	if is_question "$3"; then
		wait_until matches "$2" "$3" "$4"
	else
		matches "$2" "$3" "$4"
	fi
	local shown=$?
	answers+=("$3"$'\t'"$got")
	((shown)) || { pass "$1: $3" && return; }
	fail "$1: $3" "     got: " "$got" "expected: " "$4"
}

# Each command of the console blocks is one test; what came is kept in answers.
play() { # PAGE [KIND]
	local name line user='' command='' want='' next
	name=$(basename "$1")
	while IFS= read -r line; do
		if [[ $command == *\\ ]]; then
			command=${command%\\}${line#"${line%%[! ]*}"}
		elif [[ $line =~ ^([a-z0-9]+)?[\$#]\ (.*)$ ]]; then
			next=("${BASH_REMATCH[@]:1}")
			[[ ! $command ]] || show "$name" "$user" "$command" "$want"
			user=${next[0]:-root} command=${next[1]} want=
		else
			want+=$line$'\n'
		fi
	done < <(block "$1" "${2:-console}")
	[[ ! $command ]] || show "$name" "$user" "$command" "$want"
}
