#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Requests of operators, questions of the submission plugin, and reasons of waiting jobs, in
# a stand-in slurmctld: what the budgets of the priority plugin answer, word by word.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=rows.sh
. "$here/rows.sh"

if [[ ! -x $host ]]; then
	echo "1..0 # SKIP $host is not built (no internal headers of Slurm)"
	exit 0
fi

# The history behind "run" is on stdin. One core is one equivalent, so 3600 are an
# equivalent-hour. Slurm looks for users by number, and each machine knows these two.
play() { # NAME [LINE...], lines of the beginning
	{
		printf '%s\n' 'conf PriorityDecayHalfLife=0' 'conf PriorityUsageResetPeriod=NONE' "${@:2}" \
			'cluster cpu=64 node=4' 'partition main' 'account phys' 'account chem' \
			'user daemon account=phys' 'user bin account=chem' run
		cat
	} >"$work/$1"
	ours "$work/$1" >"$work/$1.out" 2>&1
}
answers() { # NAME WORD: the answers to requests that begin with the word
	sed -n "s/^budget $2: //p" "$work/$1.out" | sed 's/ :/:/; s/[ :]*$//'
}
balances() { # NAME
	last_print "$work/$1.out" | sed -nE 's/^budget=(.*) owner.* amount=(.*) spent=(.*) committed=(.*) refunded=(.*) overrun.*closed=(.*)/\1: \2 \3 \4 \5 \6/p'
}

# ---- Requests ---------------------------------------------------------------------

play grants 'qos slow' <<-'END'
	budget grant account=phys amount=0
	budget grant account=phys amount=2305843009214
	budget grant account=phys amount=100 start=50 end=50
	budget grant account=none amount=100
	budget grant account=phys user=none amount=100
	budget grant account= amount=100
	budget grant account=phys amount=100 way=bonus
	budget grant account=phys amount=100 way=bonus bonus=gone
	budget grant account=phys amount=2305843009213 way=bonus bonus=slow
	budget grant account=PHYS user=DAEMON amount=1 start=50 end=51
	budget verify
	print budgets
END
is 'a grant without an amount, an owner, a time or a QOS is refused, and the limits of each are granted' \
	"$(answers grants grant)" \
	'error the amount must be above 0 and at most 600000000 equivalent-hours
error the amount must be above 0 and at most 600000000 equivalent-hours
error it would end before it starts
error account none does not exist
error user none does not exist
error a budget needs an account
error the way "bonus" needs a QOS
error QOS gone does not exist
ok 1
ok 2'
is 'a grant has the owner in the spelling of Slurm' \
	"$(sed -n 's/^budget=2 owner=\([^ ]*\).*/\1/p' "$work/grants.out") $(answers grants verify)" \
	'phys/daemon ok balanced: 2 budgets, last entry 2'

play changes <<-'END'
	budget grant account=phys amount=7200
	budget grant account=chem amount=7200
	budget grant account=chem amount=7200
	submit 1 user=daemon account=phys cpu=1 time=60
	budget transfer from=1 to=2 amount=0
	budget transfer from=1 to=4 amount=5
	budget transfer from=4 to=1 amount=5
	budget transfer from=1 to=2 amount=3601
	budget transfer from=1 to=2 amount=3600
	budget transfer from=2 amount=800
	budget transfer to=1 amount=900
	budget close id=4
	budget close id=3
	budget transfer from=2 to=3 amount=5
	budget transfer from=3 to=2 amount=5
	budget transfer from=2 to=1 amount=10000
	budget verify
	print budgets
END
is 'a transfer takes no more than is left, and neither side may be closed' \
	"$(answers changes transfer)" \
	'error the amount must be above 0
error there is no budget 4
error there is no budget 4
error budget 1 has only 1 equivalent-hours left
ok 1
ok 2
ok 0
error budget 3 is closed
error budget 3 has only 0 equivalent-hours left
ok 2'
is 'a budget is closed if it exists' "$(answers changes close)" \
	'error there is no budget 4
ok 3'
is 'refused transfers change no balance' "$(balances changes) $(answers changes verify)" \
	'1: 14500 0 3600 0 0
2: 0 0 0 0 0
3: 0 0 0 0 1 ok balanced: 3 budgets, last entry 9'

play refunds <<-'END'
	budget grant account=phys amount=200
	budget grant account=phys amount=300
	submit 1 user=daemon account=phys cpu=1 time=5 run=300
	schedule 310 cpu=64
	budget refund job=99
	budget refund job=1 amount=301
	budget refund job=1 amount=250
	print budgets
	budget refund job=1 amount=51
	budget refund job=1 amount=50
	budget refund job=1 amount=1
	budget refund job=1
	budget verify
END
is 'a job of two budgets of an owner gets no more back than it was charged, from the first one first' \
	"$(answers refunds refund)
$(balances refunds)" \
	'error job 99 was charged to no budget, or everything is refunded
error job 1 was charged 0.0833 equivalent-hours that are not refunded, less than 0.0837
ok 1
error job 1 was charged 0.0138 equivalent-hours that are not refunded, less than 0.0142
ok 1
error job 1 was charged to no budget, or everything is refunded
error job 1 was charged to no budget, or everything is refunded
1: 200 0 0 200 0
2: 300 50 0 50 0'

play limits 'price budget { from_limits = yes }' 'price bundle "cores" { cores = 1 }' 'account limited limit=10' <<-'END'
	advance 3
	budget grant account=phys amount=700
	budget close id=1
	budget transfer from=1 to=2 amount=10
	budget transfer from=2 to=1 amount=10
	budget transfer from=2 amount=100
	budget close id=2
END
follows='error budget 1 follows the limit of its account: change GrpTRESMins=billing with sacctmgr'
is 'a budget that follows a limit is changed by sacctmgr alone' \
	"$(answers limits close) $(answers limits transfer)" \
	"$follows
ok 2 $follows
$follows
ok 2"

# ---- Questions of the submission plugin -----------------------------------------------

play questions 'qos slow' <<-'END'
	budget grant account=phys amount=7200
	budget grant account=phys user=daemon amount=72000 way=bonus bonus=slow
	budget judge user=daemon account=phys need=3599
	budget judge user=daemon account=phys need=3600
	budget judge user=daemon account=phys need=6480
	budget judge user=daemon account=phys need=7200
	budget judge user=daemon account=phys need=7201
	budget judge user=daemon account=phys need=7201 least=7200
	budget judge user=daemon account=phys need=7202 least=7201
	budget judge user=daemon account=phys need=72001
	budget judge user=daemon account=phys
	budget judge user=daemon account=phys endless=long
	budget judge user=bin account=chem need=9000
	budget judge user=bin account=phys need=7201
END
is 'a submission is told what its budgets have left, when they have little or not enough' \
	"$(answers questions judge)" \
	'fits
fits: budget 1 of phys: 50 % spent and committed, 1 of 2 equivalent-hours left
fits: budget 1 of phys: 90 % spent and committed, 0.2 of 2 equivalent-hours left
fits: budget 1 of phys: 100 % spent and committed, 0 of 2 equivalent-hours left
never, hold: budget 1 of phys has 2 of 2 equivalent-hours left (0 spent, 0 committed), and this job needs 2.0003
fits: budget 1 of phys has 2 equivalent-hours left: the time limit becomes what they pay for
never, hold: budget 1 of phys has 2 of 2 equivalent-hours left (0 spent, 0 committed), and this job needs 2.0003
never, bonus slow: budget 2 of phys/daemon has 20 of 20 equivalent-hours left (0 spent, 0 committed), and this job needs 20.0003
never, bonus slow: budget 2 of phys/daemon has 20 of 20 equivalent-hours left (0 spent, 0 committed), and this job needs a time limit
never, bonus slow: budget 2 of phys/daemon has 20 of 20 equivalent-hours left (0 spent, 0 committed), and this job needs another partition: long has OverTimeLimit=UNLIMITED
free
free'

# The clock begins at midnight of a first day of a month.
play refills <<-'END'
	budget grant account=phys amount=7200 every=month
	submit 1 user=daemon account=phys cpu=1 time=90
	submit 2 user=daemon account=phys cpu=1 time=45
	advance 2
	budget judge user=daemon account=phys need=1801
	budget judge user=daemon account=phys need=1801 job=1
	budget judge user=daemon account=phys need=7200 job=1
	budget judge user=daemon account=phys need=7201
	print jobs
	end 1
	advance 5
	print jobs
END
is 'a job is told of the next refill if it fits then, and a changed job gives its own commitment back' \
	"$(answers refills judge)" \
	'lacks, hold: budget 1 of phys has 0.5 of 2 equivalent-hours left (0 spent, 1.5 committed), and this job needs 0.5003; the next refill is on 2020-02-01
fits
fits: budget 1 of phys: 100 % spent and committed, 0 of 2 equivalent-hours left
never, hold: budget 1 of phys has 0.5 of 2 equivalent-hours left (0 spent, 1.5 committed), and this job needs 2.0003'

play arrays <<-'END'
	budget grant account=phys amount=7200
	budget grant account=phys amount=3600 pool=gpus
	budget judge user=daemon account=phys need=3000 tasks=2
	budget judge user=daemon account=phys need=3000 tasks=3
	budget judge user=daemon account=phys need=2400 tasks=3
	budget judge user=daemon account=phys need=3000 tasks=4 gpus=1
END
is 'an array is told how many of its tasks fit' "$(answers arrays judge)" \
	'fits: budget 1 of phys: 83 % spent and committed, 0.3333 of 2 equivalent-hours left
fits: budget 1 of phys has 2 equivalent-hours left, enough for 2 of 3 tasks; the others wait
fits: budget 1 of phys: 100 % spent and committed, 0 of 2 equivalent-hours left
fits: budget 2 of phys has 3 equivalent-hours left, enough for 3 of 4 tasks; the others wait'

play qos 'price qos "fast" { then = slow from 50 }' 'price bundle "cores" { cores = 1 }' 'qos normal' <<-'END'
	budget grant account=phys amount=120
	budget judge user=daemon account=phys need=120 qos=fast
	submit 1 user=daemon account=phys cpu=1 time=1
	budget judge user=daemon account=phys need=1 qos=fast
	budget judge user=daemon account=phys need=1 qos=fast job=1
	budget judge user=daemon account=phys need=1 qos=other
	budget judge user=daemon account=phys need=1
END
is 'a submission leaves a QOS that ends where so much of the budget is committed' "$(answers qos judge)" \
	'fits: budget 1 of phys: 100 % spent and committed, 0 of 0.0333 equivalent-hours left
lacks, bonus slow: budget 1 of phys has 50 % spent and committed, and QOS fast ends at 50 %
fits
fits: budget 1 of phys: 50 % spent and committed, 0.0163 of 0.0333 equivalent-hours left
fits: budget 1 of phys: 50 % spent and committed, 0.0163 of 0.0333 equivalent-hours left'

# ---- Reasons of waiting jobs ------------------------------------------------------------

reasons() { # NAME
	sed -nE 's/^job=([0-9]+) state=PENDING priority=([0-9]+).* reason="(.*)"$/\1 \2 \3/p' "$work/$1.out"
}
play waiting <<-'END'
	budget grant account=phys amount=7200
	submit 1 user=daemon account=phys cpu=1 time=60
	submit 2 user=daemon account=phys cpu=1 time=90
	submit 3 user=daemon account=phys cpu=1
	print jobs
	end 1
	advance 5
	print jobs
END
is 'a held job has its budget and its need as its reason, and none after it is released' "$(reasons waiting)" \
	'2 0 Budget 1 of phys has 1 left, job needs 1.5
3 0 Budget 1 of phys has 1 left, job needs a time limit
3 0 Budget 1 of phys has 1 left, job needs a time limit'

echo "1..$count"
