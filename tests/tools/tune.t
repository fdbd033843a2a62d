#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree tune: aims that can be met, and aims that cannot.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# Two partitions share a node. In each hour both get a job that takes it for half an
# hour, the one of "late" after the one of "early".
{
	echo 'JobIDRaw|User|Account|Partition|QOS|Eligible|ElapsedRaw|TimelimitRaw|State|AllocTRES'
	for i in {1..120}; do
		echo "$((2 * i))|ada|physics|early|normal|$((i * 3600))|1800|30|COMPLETED|cpu=4,mem=1G,node=1"
		echo "$((2 * i + 1))|cleo|chemistry|late|normal|$((i * 3600))|1800|45|COMPLETED|cpu=4,mem=1G,node=1"
	done
} >"$work/jobs"
mkdir "$work/site"
cp "$data/policies/equitree.conf" "$work/site/"
printf '%s\n' PriorityType=priority/equitree PriorityWeightAge=1000 \
	PriorityCalcPeriod=00:05:00 SchedulerParameters=defer,bf_interval=30 \
	>"$work/site/slurm.conf"
tune() { # ARGUMENT...
	run tune --policy "$work/site/slurm.conf" --shares "$data/sshare.txt" --fresh \
		--cluster nodes=1,cpus=4,partition=early+late --jobs "$work/jobs" \
		--runs 40 "$@"
}
# EXPRESSION: of the JSON in $out, with perl's $it.
pick() {
	perl -MJSON::PP -e 'my $it = decode_json(do { local $/; <STDIN> });
		print eval $ARGV[0]' "$1" <<<"$out"
}
late='mean wait of jobs in late <= 10 minutes'
early='mean wait of jobs in early <= 10 minutes'
busy='utilisation >= 90 %'

tune --aim "$busy"
if [[ $err == *"built without NLopt" ]]; then
	echo "1..0 # SKIP built without NLopt"
	exit
fi

# ---- Aims that can be met --------------------------------------------------------------

tune --aim "$late" --aim "$busy"
is "$status|$err" "0|" "a search with aims that can be met"
like "$out" "All aims are met with these changes:" "the result says that all aims are met"
like "$out" "A +0:30:00 0:0[0-9]:[0-9]{2} +0:30:00 +0:0[0-9]:" \
	"a table has each aim now and then, fitted and held out"
like "$out" "Fitted: [0-9]+ jobs from .* to " "the time that is fitted is named"
like "$out" "Held out: [0-9]+ jobs from .* to " "the time that is held out is named"
((widest=$(widest), widest <= 80))
is "$?" 0 "the advice fits 80 columns ($widest)"
first=$out
tune --aim "$late" --aim "$busy" --processes 1
is "$out" "$first" "the number of processes changes nothing"

# The lines themselves, tried: the file with them has no change left to make.
lines=$(sed -n '/^All aims/,/^$/{/^    [PS]/p}' <<<"$out" | sed 's/^ *//')
mkdir "$work/tuned"
cp "$work/site/equitree.conf" "$work/tuned/"
{
	grep -v '^SchedulerParameters' "$work/site/slurm.conf"
	grep -v '^PartitionName' <<<"$lines"
	grep -q '^SchedulerParameters' <<<"$lines" ||
		grep '^SchedulerParameters' "$work/site/slurm.conf"
} >"$work/tuned/slurm.conf"
factors=$(grep '^PartitionName' <<<"$lines")
of() { sed -n "s/^PartitionName=$1 .*=//p" <<<"$factors" | grep . || echo 1; }
{
	echo "PartitionName=early PriorityTier=1 PriorityJobFactor=$(of early)"
	echo "PartitionName=late PriorityTier=1 PriorityJobFactor=$(of late)"
} >"$work/partitions"
sed -n '1{s/CPUTot=[0-9]*/CPUTot=4/;s/CPUAlloc=[0-9]*/CPUAlloc=0/;s/Partitions=[^ ]*/Partitions=early,late/;p}' \
	"$data/nodes.txt" >"$work/node"
run tune --policy "$work/tuned/slurm.conf" --shares "$data/sshare.txt" --fresh \
	--nodes "$work/node" \
	--partitions "$work/partitions" --jobs "$work/jobs" --runs 4 --keep access_weight,allocated_now \
	--aim "$late" --json
is "$status|$(pick '$it->{aims}[0]{now} <= 600')" "0|1" \
	"a simulation with the printed lines meets the aim ($err)"

tune --aim "$late" --json
is "$(pick '$it->{met} . "|" . @{$it->{conflicts}} . "|" . ($it->{aims}[0]{now} == 1800)')" \
	"1|0|1" "JSON says that all is met, and how it is now"
is "$(pick 'join ",", map { $_->{without}[0] > 600 ? 1 : 0 } @{$it->{changes}}')" \
	"$(pick 'join ",", map { 1 } @{$it->{changes}}')" \
	"without any one of the changes the aim is missed"

# The jobs in late go first now: those in early pay for it.
is "$(pick 'join "|", map { "$_->{wait} $_->{now} " . ($_->{best} > $_->{now} ? "more" : "less") }
	grep { $_->{wait} =~ / in / } @{$it->{others}}')" \
	"p95 wait of jobs in early 0 more|p95 wait of jobs in late 1800 less" \
	"what the others wait is told"
is "$(pick 'join ",", map { $_ > 1200 ? 1 : 0 } @{$it->{aims}[0]{gains}}')" \
	"1,1,1,1,1,1,1,1,1,1" "JSON has the gain of each part of the time"
tune --aim "$late"
like "$out" "p95 wait of jobs in early +0:00:00 +0:" "a table has what the others wait"
like "$out" "GAIN +PARTS +BETTER +WORSE +LEAST +MEDIAN +MOST"$'\n'"A +10 +10 +0 +0:30:00 +0:30:00 +0:30:00" \
	"a table has in how many parts of the time the aim gains"
many() { # OPTION...: eleven changes, of which some do most
	run tune --policy "$data/policies/shares.conf,$data/policies/equitree.conf" \
		--shares "$data/sshare.txt" --fresh --cluster nodes=2,cpus=16 --generate 1200 \
		--days 20 --load 1 --runs 80 \
		--aim 'p95 wait of jobs up to 1 hour <= 1 hour' \
		--aim 'share of physics within 2 % over 5 days' "$@"
}
many --json
is "$(pick 'my ($a, $few) = ($it->{aims}[0], $it->{few});
	(@{$few->{parameters}} < @{$it->{changes}}) . "|" .
	(log($few->{measures}[0] / $a->{now}) <= 0.9 * log($a->{best} / $a->{now}))')" "1|1" \
	"fewer changes have nine tenths of the gain"
few=$(pick '@{$it->{few}{parameters}} . " of these " . @{$it->{changes}}')
signs=$(pick 'my @g = @{$it->{aims}[0]{gains}};
	@g . " +" . (grep { $_ > 0 } @g) . " +" . (grep { $_ < 0 } @g)')
many
like "$out" "A +$signs +-[0-9:]+ +-?[0-9:]+ +[0-9]" \
	"a gain that some parts of the time lack is told with the loss of the worst"
like "$out" "With $few changes most of the gain is left: A [0-9:]+, B [0-9.]+ %"$'\n'"    " \
	"fewer changes are printed with their lines"

# ---- Aims that cannot -------------------------------------------------------------------

printf '# both\n%s\n%s  # a remark\n\n' "$early" "$late" >"$work/aims"
tune --aims "$work/aims"
is "$status|$err" "0|" "aims in a file"
like "$out" "No setting that was simulated meets all aims" "the result says that no setting meets all aims"
like "$(tr '\n' ' ' <<<"$out")" \
	"These two are in conflict: A \(mean wait of jobs in early <= 10 minutes\) and B" \
	"two aims in conflict are named"
tune --aims "$work/aims" --json
is "$(pick '$it->{met} . "|" . join "+", @{$it->{conflicts}[0]}')" "0|$early+$late" \
	"JSON names the conflict"
tune --aim 'mean wait of jobs <= 5 minutes'
like "$out" "None meets A .*, even alone: the best has 0:15:00" \
	"an aim that no setting meets is named with its best"

# ---- The drawing ------------------------------------------------------------------------

tune --aims "$work/aims" --plot "$work/tune.svg"
is "$status|$err" "0|" "trade-offs are drawn"
drawn=$(<"$work/tune.svg")
like "$drawn" "<svg" "the drawing is SVG"
like "$drawn" "A: mean wait of jobs in early" "the drawing names the aims"
tune --aim "$late" --plot "$work/one.svg"
is "$status|${err%%$'\n'*}" "2|equitree tune: --plot: expected two aims" "one aim has no trade-off"
tune --aims "$work/aims" --plot "$work/tune.gif"
is "$status" 2 "a drawing of another kind is misuse"

# ---- A share ------------------------------------------------------------------------------

# Twice the work that fits: half of it is of physics, which has 61 of 100 shares of the
# two. By age each gets half, and 11 % of the whole less or more than its due.
sed -E 's/\|1800\|(30|45)\|/|3600|60|/' "$work/jobs" >"$work/double"
tune --jobs "$work/double" --aim 'share of physics within 5 % over 2 days' --hold-out 0 \
	--only PriorityMaxAge --json
is "$(pick 'sprintf "%.2f", $it->{aims}[0]{now}')" 0.11 \
	"a share differs by what is due to the account and what it got"
is "$(pick 'defined $it->{aims}[0]{now_held} ? 1 : 0')" 0 "nothing is held out"
tune --jobs "$work/double" --aim 'share of physics within 5 % over 2 days' --json
is "$(pick '$it->{met} . "|" . join ",", grep { /FairShare/ } map { $_->{parameter} } @{$it->{changes}}')" \
	"1|PriorityWeightFairShare" "the weight of fair share gives the account its due"

# ---- What may change ---------------------------------------------------------------------

tune --aim "$late" --only 'Priority*' --keep '*factor*,PriorityMaxAge' --json
is "$(pick 'scalar grep { /^(access_weight|bf_interval|PriorityMaxAge)$/ } @{$it->{kept}}')" 3 \
	"--only and --keep fix parameters, which are named"
tune --aim "$late" --only 'bf_*' --json
is "$(pick 'scalar grep { $_->{parameter} !~ /^bf_/ } @{$it->{changes}}')" 0 \
	"nothing else changes then"
tune --aim "$late" --only nothing
is "$status|$err" "1|equitree tune: no parameter is left to change" "no parameter is left"

# ---- The state file ----------------------------------------------------------------------

tune --aim "$late" --state "$work/state"
first=$out
runs=$(wc -l <"$work/state")
head -n $((runs / 2)) "$work/state" >"$work/half"
printf 'f 12 1' >>"$work/half"
tune --aim "$late" --state "$work/half"
is "$out" "$first" "a search goes on from its state file, also after a line that was cut"
is "$(grep '^f.*|' "$work/half" | sort -u)" "$(grep '^f' "$work/state" | sort -u)" \
	"the runs are those of a search at one go"
tune --aim "$busy" --state "$work/half"
is "$status|$err" \
	"1|equitree tune: $work/half: from a search with other aims, parameters or jobs" \
	"a state file of another search is refused"
tune --aim "$late" --state "$work/jobs"
is "$status|$err" "1|equitree tune: $work/jobs: not a file of equitree tune" \
	"a file that is no state file is refused"

# ---- Bad input -----------------------------------------------------------------------------

while IFS='|' read -r aim want; do
	tune --aim "$aim"
	is "$status" 2 "the aim \"$aim\" is misuse"
	like "$err" "$want" "the aim \"$aim\": the error says what was expected"
done <<'END'
p95 wait of jobs up to 1 hour < 30 minutes|expected <=, up to, longer than, in, of or by instead of "<"
p95 wait of jobs <= 30|expected minutes, hours, days or months at the end
p95 queue of jobs <= 30 minutes|expected "wait" instead of "queue"
share of physics within 5 over a month|expected "%" instead of "over"
share of physics within 500 % over a month|expected more than 0 and less than 100 %
utilisation >= 90 % always|expected no more words instead of "always"
happiness >= 90 %|expected p95 wait, median wait
largest tenth starts within soon|expected a number instead of "soon"
END
while IFS='|' read -r aim want; do
	tune --aim "$aim"
	is "$status|$err" "1|equitree tune: aim \"$aim\": $want" "the aim \"$aim\" finds nothing"
done <<'END'
share of law within 5 %|no account "law"
share of root within 5 %|expected an account below the root
p95 wait of jobs in big <= 1 hour|no partition "big"
mean wait of jobs by zoe <= 1 hour|no user "zoe"
median wait of GPU jobs <= 1 hour|there is no such job in the time that is fitted
END
tune
is "$status" 2 "no aim is misuse"
tune --aim "$late" --hold-out 10-0
is "$status|$err" "1|equitree tune: --hold-out: longer than the time of all jobs" \
	"more is held out than there is"
tune --aims "$work/none"
is "$status" 2 "a file of aims that is not there is misuse"
like "$err" "cannot open $work/none: No such file" "the file that cannot be opened is named"

# ---- The page -----------------------------------------------------------------------------

# The console blocks of docs/TUNING.md, typed; "..." stands for text that differs, on a
# line of its own for any lines.
mkdir "$work/page"
cp "$data/policies/shares.conf" "$work/page/slurm.conf"
cp "$data/policies/equitree.conf" "$work/page/"
cp "$data/sshare.txt" "$work/page/shares.txt"
page=$tools_dir/../../docs/TUNING.md
printf '%s\n' 'p95 wait of jobs up to 1 hour <= 8 hours' 'utilisation >= 65 %' >"$work/page/aims.txt"
awk -v to="$work/block" '/^```console/ { file = to (++n); next } /^```/ { file = "" }
	file { print >file }' "$page"
for block in "$work"/block?; do
	command=$(sed -n '1s/^[$] //p' "$block")
	got=$(cd "$work/page" && PATH=$(dirname "$equitree"):$PATH bash -c "$command" 2>&1 | tr -s ' ')
	want=$(tail -n +2 "$block" | perl -0777 -pe 's/ +/ /g; $_ = quotemeta;
		s/\\\.\\\.\\\./.*/g; s/\\?\s+$//')
	ok "TUNING: ${command%% --*}" perl -0777 -e 'exit !($ARGV[0] =~ /^$ARGV[1]\s*$/s)' \
		"$got" "$want"
done
is "$(compgen -G "$work/block?" | wc -l)" 2 "the blocks of TUNING are found"

done_testing
