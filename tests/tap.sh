# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Lines of TAP for the scripts that test from outside. To be sourced.
tests=0

# What a terminal, a closed standard input, a strict umask (a cluster's users read
# its configuration) or a user's own variables would change is not what a test is
# about, unless it says so. Slurm's daemons are not on everybody's path.
exec </dev/null
umask 022
unset ARGP_HELP_FMT CDPATH COLUMNS POSIXLY_CORRECT SLURM_CONF
PATH=${EQUITREE_SLURM_PREFIX:+$EQUITREE_SLURM_PREFIX/bin:$EQUITREE_SLURM_PREFIX/sbin:}$PATH:/usr/sbin:/sbin

# What a script adds below a failure; it may define its own.
after_failure() { :; }

diag() { printf '%s\n' "$@" | sed 's/^/# /'; }

pass() {
	tests=$((tests + 1))
	echo "ok $tests - $1"
}

fail() { # NAME [DIAGNOSIS...]
	tests=$((tests + 1))
	echo "not ok $tests - $1"
	shift
	[[ $# == 0 ]] || diag "$@"
	after_failure
}

ok() { # NAME COMMAND...
	local name=$1
	shift
	if "$@"; then pass "$name"; else fail "$name" "failed: $*"; fi
}

is() { # GOT WANT NAME
	if [[ $1 == "$2" ]]; then
		pass "$3"
	else
		fail "$3" "     got: $1" "expected: $2"
	fi
}

isnt() { # GOT UNWANTED NAME
	if [[ $1 != "$2" ]]; then
		pass "$3"
	else
		fail "$3" "     got: $1" "expected: anything else"
	fi
}

like() { # GOT REGEX NAME
	if [[ $1 =~ $2 ]]; then
		pass "$3"
	else
		fail "$3" "     got: $1" "expected: /$2/"
	fi
}

near() { # GOT WANT TOLERANCE NAME
	if calc "($1) - ($2) <= ($3) && ($2) - ($1) <= ($3)"; then
		pass "$4"
	else
		fail "$4" "     got: $1" "expected: $2, give or take $3"
	fi
}

done_testing() { echo "1..$tests"; }

# An expression of awk: true or false as the status.
calc() { awk "BEGIN { exit !($1) }"; }

# The same, its value in full precision.
value() { awk "BEGIN { printf \"%.15g\n\", $1 }"; }
