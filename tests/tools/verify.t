#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree tree --verify: what sshare and sprio printed, recomputed.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# What an edit of a file makes of its rows: "LINE WHO COLUMN PRINTED EXPECTED".
edited() { # FILE SED-SCRIPT [OPTION...]
	sed "$2" "$1" >"$work/edited"
	run tree --verify "$work/edited" "${@:3}"
	sed -n "s|^$work/edited:\([0-9]*\): \(.*\): \([A-Za-z]*\) is \([^,]*\), expected |\1 \2 \3 \4 |p" <<<"$out"
}

# ---- What Slurm has printed --------------------------------------------------

for release in . 24.11 26.05; do
	run tree --verify "$data/$release/sshare.txt" \
		--priorities "$data/$release/sprio.txt" \
		--weights "$data/$release/sprio-weights.txt"
	is "$status|$err|$(tail -n 1 <<<"$out")" "0||0 differences" \
		"saved output of release ${release/./22.05} fits" || diag "$out"
done
for flags in classic oblivious; do
	run tree --verify "$data/classic/$flags.txt"
	is "$status|$err|$(tail -n 1 <<<"$out")" "0||0 differences" \
		"saved output without Fair Tree fits: $flags" || diag "$out"
done
like "$out" "DEPTH_OBLIVIOUS" "the rule of DEPTH_OBLIVIOUS is recognized"

# ---- One wrong number --------------------------------------------------------

sshare=$data/sshare.txt
is "$(edited "$sshare" '5s/0.090090/0.090900/')" \
	"5 bloggs.prj NormShares 0.090900 0.090090" "a wrong NormShares"
edited "$sshare" '5s/0.090090/0.090900/' >/dev/null
is "$status" 1 "a difference is exit status 1"
is "$(edited "$sshare" '8s/0.354838/0.454838/')" \
	"8 bloggs.prj/xyz789 LevelFS 0.454838 0.353495 to 0.356275" \
	"a wrong LevelFS"
is "$(edited "$sshare" '6s/0.142857/0.071429/')" \
	"6 bloggs.prj/abc123 FairShare 0.071429 0.142857 (rank 2 of 14)" \
	"a wrong FairShare"
is "$(edited "$sshare" 's/|0.142857|/|X|/; s/|0.071429|/|0.142857|/; s/|X|/|0.071429|/' |
	cut -d' ' -f2-4 | xargs)" \
	"bloggs.prj/abc123 FairShare 0.071429 bloggs.prj/xyz789 FairShare 0.142857" \
	"two exchanged ranks"
edited "$sshare" '6s/0.142857//' >/dev/null
like "$out" 'FairShare is empty, expected 0.142857' "a missing FairShare"
is "$(edited "$sshare" '7s/|inf|/|0.000000|/' | head -n 1)" \
	"7 bloggs.prj/ijk456 LevelFS 0.000000 at least 87.666667" \
	"a LevelFS of nobody's usage"
edited "$data/classic/classic.txt" '/ada|/s/|0\.\([0-9]*\)||/|0.9\1||/' >/dev/null
like "$out" 'physics/ada: FairShare is 0.9' "a wrong classic FairShare"

# sprio.txt: one point more is rounding, ten are not.
priorities() { # SED-SCRIPT [OPTION...]
	sed "$1" "$data/sprio.txt" >"$work/prio"
	run tree --verify "$sshare" --priorities "$work/prio" "${@:2}"
	sed -n "s|^$work/prio:\([0-9]\)|\1|p" <<<"$out"
}
is "$(priorities 's/71429613/71429614/')" "" "a sum is rounded"
is "$(priorities 's/71429613/71429713/')" \
	"2: job 7: PRIORITY is 71429713, expected 71429613" "a wrong PRIORITY"
is "$(priorities 's/71429613   /72429613   /; s/71428571/72428571/' \
	--weights "$data/sprio-weights.txt")" \
	"2: job 7: FAIRSHARE is 72428571, expected 71428600" "a wrong FAIRSHARE"
is "$(priorities 's/     ada /nobody /' --weights "$data/sprio-weights.txt" |
	head -n 1)" \
	"2: job 7: FAIRSHARE is 71428571, expected no association of that user" \
	"a job of somebody without an association"
priorities '2,$d' --weights "$data/sprio-weights.txt" >/dev/null
is "$status|$(tail -n 1 <<<"$out")" "0|0 differences" \
	"an idle cluster, where sprio prints its column names alone"
priorities d >/dev/null
is "$status|$err" "1|equitree tree: $work/prio: empty" \
	"an empty file is no output of sprio"

# ---- Random trees -------------------------------------------------------------

# A tree with many ties, as sshare prints it; fill adds what a ranking says.
random_tree() { # SEED
	perl -e '
		srand shift;
		sub some { $_[int rand @_] }
		my $n = 0;
		sub node { my ($depth, $account, $left) = @_;
			my ($total, @rows) = (0);
			for (1 .. 1 + int rand 4) {
				my $shares = some(0, 1, 1, 2, 3, $depth > 1 ? "parent" : 1);
				if ($left && rand() < 0.6) {
					my $name = "a" . ++$n;
					my ($usage, @below) = node($depth + 1, $name, $left - 1);
					push @rows, [$depth, $name, "", $shares, $usage], @below;
					$total += $usage;
				} else {
					my $usage = some(0, 0, 10, 20, 20, 40, int rand 1000);
					push @rows, [$depth, $account, "u" . ++$n, $shares, $usage];
					$total += $usage;
				}
			}
			return ($total, @rows) }
		my ($total, @rows) = node(1, "root", 3);
		print "Account|User|RawShares|RawUsage\nroot|||$total\n";
		print " " x $$_[0], join("|", @$_[1 .. 4]), "\n" for @rows' "$1"
}
fill() { # FILE [--stock]
	"$equitree" tree --shares "$1" --json "${@:2}" |
		perl -MJSON::PP -e '
			my $rows = decode_json(join "", <STDIN>);
			open my $in, shift or die;
			<$in>;
			print "Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS\n";
			for my $row (@$rows) {
				my ($account, $user, $shares, $usage) = split /\||\n/, <$in>;
				my $level = $$row{level_fs};
				$level = "" if !defined $level || $shares eq "parent";
				$level = sprintf "%.6f", $level if $level =~ /^[0-9]/;
				printf "%s|%s|%s|%.6f|%s|0.000000|%.6f|%s|%s\n", $account, $user,
					$shares, $$row{norm_shares}, $usage, $$row{effective_usage},
					defined $$row{fair_share} ? sprintf("%.6f", $$row{fair_share}) : "",
					$level;
			}' "$1"
}
wrong=
unseen=
for seed in {1..25}; do
	random_tree "$seed" >"$work/tree"
	for stock in "" --stock; do
		fill "$work/tree" $stock >"$work/full"
		"$equitree" tree --verify "$work/full" $stock >"$work/said" ||
			wrong+="seed $seed $stock: $(grep -v : "$work/said") "
		# The best user takes the place of the last one.
		awk -F'|' -v OFS='|' 'NR > 1 && $2 != "" && !done && $8 < 1 {
			$8 = "1.000000"; done = 1 } { print }' "$work/full" >"$work/bad"
		cmp -s "$work/full" "$work/bad" ||
			! "$equitree" tree --verify "$work/bad" >/dev/null ||
			unseen+="seed $seed $stock "
	done
done
is "$wrong" "" "random trees fit, ranked by both rules"
is "$unseen" "" "one wrong rank in a random tree is seen"

# Two accounts without shares are tied.
ties=$data/ties.txt
rules() { sed -n 's/ *"rules": *"\(.*\)",/\1/p' <<<"$out"; }
fill "$ties" >"$work/documented"
fill "$ties" --stock >"$work/stock"
run tree --verify "$work/documented" --json
is "$status $(rules)" "0 documented" "merged ties are recognized"
run tree --verify "$work/stock" --json
is "$status $(rules)" "0 stock" "ties of Slurm's own plugin are recognized"
run tree --verify "$work/documented" --stock
is "$status|$(grep -c FairShare <<<"$out")" "1|2" \
	"--stock: merged ties are differences"
# Slurm leaves the order of tied accounts open: b before a is as good.
{ sed -n 1,2p "$ties"; sed -n 6,8p "$ties"; sed -n 3,5p "$ties"; sed -n '9,$p' "$ties"; } >"$work/other"
fill "$work/other" --stock >"$work/full"
{ sed -n 1,2p "$work/full"; sed -n 6,8p "$work/full"; sed -n 3,5p "$work/full"; sed -n '9,$p' "$work/full"; } >"$work/full.order"
run tree --verify "$work/full.order"
is "$status|$(tail -n 1 <<<"$out")" "0|0 differences" \
	"tied accounts may stand in any order" || diag "$out"

# ---- JSON, and wrong usage ------------------------------------------------------

sed '6s/0.142857/0.071429/' "$sshare" >"$work/edited"
run tree --verify "$work/edited" --json
is "$status|$(tr -d ' \n' <<<"$out")" \
	"1|{\"rules\":\"documented\",\"associations\":21,\"users\":14,\"newer_usage\":0,\"ambiguous\":0,\"differences\":[{\"file\":\"$work/edited\",\"line\":6,\"of\":\"bloggs.prj/abc123\",\"column\":\"FairShare\",\"printed\":\"0.071429\",\"expected\":\"0.142857(rank2of14)\"}]}" \
	"JSON: all that the text has"
refuses "$ties: line 1: no column \"NormShares\" among Account, User, RawShares, RawUsage" \
	"a file without NormShares" \
	tree --verify "$ties"
misuse() { # TEXT NAME OPTION...
	run tree "${@:3}"
	is "$status|${err%%$'\n'*}" "2|equitree tree: $1" "$2"
}
misuse "--verify takes none of --shares, --set, --user and --active" \
	"--verify with --set" --verify "$sshare" --set physics=1
misuse "--priorities needs --verify" "--priorities alone" --priorities "$sshare"
misuse "--weights needs --priorities" "--weights alone" \
	--verify "$sshare" --weights "$data/sprio-weights.txt"
done_testing
