#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree check --selftest on a live cluster: it finds what an installation may lack, and
# leaves nothing behind.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

equitree=$build/tools/equitree
cluster_up --set PriorityDecayHalfLife=7-0
conf=$dir/etc/equitree.conf
selftest() { in_cluster "$equitree" check --selftest 2>&1; }
finds() { # REGEX NAME
	local out status
	out=$(selftest)
	status=$?
	ok "$2" grep -qE "$1" <<<"$out"
	is "$status|$(grep -cvE "$1" <<<"$out")" "1|0" "$2, and nothing else"
	diag "$out"
}
jobs_of() { in_cluster squeue -h; in_cluster sacct -anXP -o JobID; in_cluster "$equitree" budget list --csv; }

wait_until jobs_ended "$(submit ada 6 -n1)"
wait_pass
sleep 11
before=$(jobs_of)
is "$(selftest)|$?" "nothing found: files, rights, versions, a job in each partition, the proof of usage|0" \
	"an installation without faults"
is "$(jobs_of)" "$before" "no job and no budget is there that was not before"

chmod 666 "$conf"
finds "error: /etc/slurm/equitree.conf can be written by all users: .* \[rights\]" "an equitree.conf that all may write"
chmod 644 "$conf"
# Slurm's own folder is before ours.
plugins=$(in_cluster scontrol show config | sed -nE 's/^PluginDir += [^:]*://p')
[[ -e $plugins/job_submit_equitree.so ]] || bail "the plugins are in a folder of their own" "$plugins"
chmod 775 "$plugins"
finds "error: $plugins can be written by its group: .* \[rights\]" "a folder of plugins that a group may write"
chmod 755 "$plugins"

# Of another release: slurmctld goes on with the file that it has loaded.
python3 - "$plugins" "$(in_cluster sinfo -V)" <<'END'
import os, re, struct, sys
major, minor, micro = (int(n) for n in re.findall(r"\d+", sys.argv[2])[:3])
number = major << 16 | minor << 8 | micro
path = sys.argv[1] + "/job_submit_equitree.so"
data = open(path, "rb").read()
assert struct.pack("<I", number) in data
os.rename(path, path + ".kept")
open(path, "wb").write(data.replace(struct.pack("<I", number), struct.pack("<I", number + 1)))
END
finds "error: $plugins/job_submit_equitree.so is for Slurm .*, and slurmctld is .* \[version\]" "a plugin of another release"
mv "$plugins/job_submit_equitree.so.kept" "$plugins/job_submit_equitree.so"

cp "$conf" "$work/kept"
sed -i 's/cores = 1$/cores = 0.5/; s/memory = 4000M/memory = 2000M/' "$conf"
finds 'error: a job in partition [a-z]+ is told .* \[priced\]' "an equitree.conf that slurmctld has not read"
cp "$work/kept" "$conf"
record=$(echo "$state_dir"/equitree_charges/charges.*)
sed -i '/^c /d' "$record"
finds 'error: .*(none in the record|by the record|0 lines of the record: [0-9]+ differences).* \[proof\]' "a charge that the record lacks"
daemon stop slurmctld
like "$(selftest)" 'equitree check: .*scontrol show config' "without slurmctld there is nothing to test"
done_testing
