# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# TAP for rules about the sources: each test lists its offenders.
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$top" || exit 1
PATH=$PATH:/usr/sbin:/sbin # slurmctld, ldconfig
count=0

# Whoever owns the checkout: a copy of CI is often another's.
git() { command git -c safe.directory='*' "$@"; }

# What is a source and what was built, only git knows.
if [[ $(git rev-parse --show-toplevel 2>/dev/null) != "$(pwd -P)" ]]; then
	echo "1..0 # SKIP $top is no checkout of git"
	exit 0
fi

sources() { # GLOB...: tracked or new files of that name
	git ls-files --cached --others --exclude-standard -- "$@" |
		while IFS= read -r file; do [[ ! -e $file ]] || echo "$file"; done
}

# The same, and with EQUITREE_HYGIENE=changed only those that differ from the
# commit before the last: for checks that take long for each file.
changed_sources() { # GLOB...
	if [[ ${EQUITREE_HYGIENE-} == changed ]] &&
		git rev-parse -q --verify HEAD~1 >/dev/null 2>&1; then
		comm -12 <(sources "$@" | sort) <( (git diff --name-only HEAD~1
			git ls-files --others --exclude-standard) | sort -u)
	else
		sources "$@"
	fi
}

skip() { # NAME REASON
	((count++))
	echo "ok $count - $1 # SKIP $2"
}

# none NAME OFFENDERS: passes when there are none.
none() {
	((count++))
	if [[ -z $2 ]]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		sed 's/^/#   /' <<<"$2"
	fi
}

plan() { echo "1..$count"; }
