#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Who gets to read the price of a submission: a person at a terminal, and no
# program; what the option --bill, the user's environment and the site choose; and
# what happens without the client plugin.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v script >/dev/null || skip_all "script(1) is not there"
site=$work/site-auto
mkdir "$site"
cp "$system_dir"/../../sandbox/sites/cedar/* "$site/"
sed -i '/^#/d; /^message/d' "$site/equitree.conf"
cluster_up --site "$site"
conf=$dir/etc/equitree.conf
home=$dir/home/ada
printf '#!/bin/sh\n#SBATCH --parsable\ntrue\n' >"$home/parsable.sh"
printf '#!/bin/sh\ntrue\n' >"$home/plain.sh"
printf '#!/bin/sh\ntrue\n' >"$home/.command.run"

# What USER ada sees of a shell command, through a pipe and at a terminal of her
# own; numbers of jobs are N.
numbers() { tr -d '\r' | sed -E 's/job [0-9]+/job N/; s/^[0-9]+$/N/'; }
piped() { as ada bash -c "$1" 2>&1 </dev/null | numbers; }
at_terminal() { as ada script -qec "$1" /dev/null </dev/null 2>&1 | numbers; }
price='^s[a-z]*: equitree: cost 2.5 core-equivalents'
slurm_alone='Submitted batch job N'
ask='-N1 -n2 --mem=10000M -t1 -o /dev/null'

# ---- sbatch -------------------------------------------------------------------

like "$(at_terminal "sbatch $ask plain.sh")" "$price.*$slurm_alone" \
	"sbatch at a terminal prints the price"
is "$(piped "sbatch $ask plain.sh")" "$slurm_alone" \
	"sbatch through a pipe prints what Slurm prints, and nothing else"
is "$(at_terminal "sbatch --parsable $ask plain.sh")" "N" \
	"sbatch --parsable prints no price at a terminal"
is "$(at_terminal "sbatch $ask parsable.sh")" "N" \
	"sbatch prints no price at a terminal if the script says --parsable"
is "$(at_terminal "sbatch $ask plain.sh 2>err; cat err")" "$slurm_alone" \
	"sbatch at a terminal prints no price into a file"
like "$(at_terminal "id=\$(sbatch $ask plain.sh); echo \"\$id\"")" \
	"$price.*$slurm_alone" \
	"a person who keeps the output alone sees the price on standard error"
printf '#!/bin/sh\nsbatch %s plain.sh\n' "$ask" >"$home/outer.sh"
id=$(as ada sbatch --parsable -n1 -t1 -o "$home/outer.out" outer.sh)
wait_until grep -qs Submitted "$home/outer.out"
is "$(numbers <"$home/outer.out")" "$slurm_alone" \
	"a job that submits a job gets no price (job $id)"
like "$(at_terminal "sbatch $ask : $ask plain.sh" | grep -c 'equitree: cost')" '^[12]$' \
	"a heterogeneous job prints its price at a terminal"

wrong=$(at_terminal "sbatch -p gpu --gpus=h200:1 $ask plain.sh")
like "$wrong" "equitree: gpu:h200 has no price; GPUs here are gpu:p100, gpu:v100" \
	"an unknown GPU model is named, and those that there are"
is "$(grep -cE 'cost |charged to' <<<"$wrong")" 0 \
	"a request that Slurm refuses for its model has no price and no account"

# ---- Names that Slurm does not know ------------------------------------------

failed='sbatch: error: Batch job submission failed:'
unknown=$'sbatch: error: invalid partition specified: nix\n'"$failed Invalid partition name specified"
while IFS='|' read -r words said; do
	[[ $said ]] && said="$failed $said" || said=$unknown
	is "$(at_terminal "sbatch $words -n1 plain.sh")" "$said" \
		"a name that Slurm does not know is Slurm's to refuse, without a price: $words"
done <<-'END'
	-p nix|
	-p cpu,nix|
	-p nix -t 30-0|
	-q nix|Invalid qos specification
	-A nix|Invalid account or account/partition combination specified
	-A chemistry|Invalid account or account/partition combination specified
END

wrong=$(at_terminal "sbatch -n1 --mem=900000M -t1 plain.sh")
like "$wrong" "equitree: no node here is large enough for the request" \
	"a request that no node can hold is told so"
like "$wrong" "Requested node configuration is not available" \
	"Slurm refuses a request that no node can hold"
is "$(grep -cE 'cost |charged to' <<<"$wrong")" 0 \
	"a request that no node can hold has no price"

# Later releases take some such jobs, which then wait for ever.
never='(Requested node configuration is not available|Submitted batch job N)'
for few in "-N1 -n33" "-N1 -p gpu --gpus=5" \
	"-N1 -p gpu --gpus=5 --exclusive"
do
	wrong=$(at_terminal "sbatch $few --mem=1G -t1 plain.sh")
	like "$wrong" "equitree: the request allows fewer nodes .-N. than it needs.*$never" \
		"a request that needs more nodes than it allows is told so: $few"
	is "$(grep -cE 'cost |charged to' <<<"$wrong")" 0 \
		"a request that allows too few nodes has no price: $few"
done

wrong=$(at_terminal "sbatch -n1 -p gpu --gpus=5 --mem=1G -t1 plain.sh")
like "$wrong" "equitree: the request has fewer tasks .-n. than it needs nodes.*$never" \
	"one task with the GPUs of two nodes is told that it has too few tasks"
is "$(grep -cE 'cost |charged to' <<<"$wrong")" 0 \
	"a request of too few tasks has no price"

# What Slurm accepts and never starts.
in_cluster scontrol update PartitionName=gpu MinNodes=2
in_cluster scontrol update NodeName=cpu1 AvailableFeatures=fast ActiveFeatures=fast
while IFS='|' read -r words said; do
	is "$(at_terminal "sbatch $words --mem=1G -t1 plain.sh" | head -n 1 |
		sed 's/^.*equitree: //')" "$said" \
		"a request that never starts is told so, and has no price: $words"
done <<-'END'
	-N3 -p cpu|the partition gives a job fewer nodes than the request wants (-N)
	-N1 -p gpu|the partition gives a job more nodes than the request allows (-N)
	-n1 -p gpu -C fast|no node here has what the request wants of one
END
in_cluster scontrol update PartitionName=gpu MinNodes=1
in_cluster scancel -u ada

# One line of an ordinary request has a hundred characters at most.
while read -r words; do
	line=$(at_terminal "sbatch -t1:00:00 -o /dev/null $words plain.sh" |
		grep -o 'equitree: .*')
	ok "at most 100 characters: $words (${#line})" \
		test "${#line}" -gt 20 -a "$((${#line} - 10))" -le 100
done <<-'END'
	-N1 -n2 --mem=10000M
	-n2 --mem=10000M
	-n9 --mem=8G
	-N2 -n40 --mem=100000M
	-N1 -n1 --exclusive
	-p gpu -n9 --gpus=p100:1 --mem=8G
	-p gpu -n1 --gpus=v100:2 --mem=100000M
	-p gpu -n4 --gres=gpu:1 --mem=8G
	-N1 -n2 -a 1-10
	-n2 --mem=10000M -a 1-10
END
in_cluster scancel -u ada

sum=$(piped "sbatch --bill=brief $ask : --bill=brief $ask : --bill=brief $ask plain.sh")
like "$sum" "2: equitree: components 0 to 2 together: cost 7.5 core-equivalents" \
	"the last component of a heterogeneous job has the sum of all"
is "$(grep -c '0: equitree: components' <<<"$sum")" 0 \
	"the first component of a heterogeneous job has no sum"
sum=$(piped "sbatch --bill=brief $ask : --bill=brief -p gpu --gpus=p100:1 $ask plain.sh")
is "$(grep -c 'together' <<<"$sum")" 0 \
	"components of different units have no sum at sbatch"
in_cluster scancel -u ada

# ---- salloc and srun ------------------------------------------------------------

for client in salloc srun; do
	like "$(at_terminal "$client -N1 -n2 --mem=10000M -t1 true")" "$price" \
		"$client at a terminal prints the price"
	is "$(piped "$client -N1 -n2 --mem=10000M -t1 true" |
		grep -c equitree)" 0 "$client through a pipe prints no price"
	like "$(piped "$client --bill=brief -N1 -n2 --mem=10000M -t1 true")" \
		"$price" "$client --bill=brief prints the price through a pipe"
	like "$(piped "EQUITREE_BILL=brief SBATCH_EQUITREE_BILL=off $client \
		-N1 -n2 --mem=10000M -t1 true")" "$price" \
		"$client takes EQUITREE_BILL, and not the variable of sbatch"
done

# ---- As workflow systems call it ------------------------------------------------

# snakemake: subprocess, one string of both streams, the number alone.
cat >"$home/snakemake.py" <<'END'
import subprocess, sys
call = "sbatch --parsable --job-name=rule " + sys.argv[1] + " --wrap='true'"
out = subprocess.check_output(call, shell=True, text=True,
                              stderr=subprocess.STDOUT).strip()
print("jobid", int(out.split(";")[0]) > 0)
END
is "$(at_terminal "python3 snakemake.py '$ask'")" "jobid True" \
	"snakemake's call at a terminal reads the number of the job"
is "$(piped "python3 snakemake.py '$ask'")" "jobid True" \
	"snakemake's call without a terminal reads the number of the job"

# Nextflow: both streams into one pipe, a script of that name, one line expected.
is "$(at_terminal "sbatch $ask .command.run 2>&1 | cat")" "$slurm_alone" \
	"Nextflow's call reads one line, which is Slurm's"
# batchtools and EasyBuild: the output of the command, parsed as a whole.
is "$(at_terminal "python3 -c 'import subprocess; print(subprocess.run(
	[\"sbatch\"] + \"$ask plain.sh\".split(), text=True, stdout=-1,
	stderr=-2).stdout.strip())'")" "$slurm_alone" \
	"a program that merges both streams reads one line"

# ---- The user's choice ----------------------------------------------------------

like "$(piped "sbatch --bill=brief $ask plain.sh")" "$price" \
	"--bill=brief prints the price through a pipe"
is "$(at_terminal "sbatch --bill=off $ask plain.sh")" "$slurm_alone" \
	"--bill=off prints nothing at a terminal"
like "$(piped "EQUITREE_BILL=brief sbatch $ask plain.sh")" "$price" \
	"EQUITREE_BILL=brief prints the price through a pipe"
like "$(piped "EQUITREE_BILL=full sbatch $ask plain.sh")" "which decides" \
	"EQUITREE_BILL=full prints each resource"
is "$(at_terminal "EQUITREE_BILL=off sbatch $ask plain.sh")" "$slurm_alone" \
	"EQUITREE_BILL=off prints nothing at a terminal"
is "$(piped "EQUITREE_BILL=brief SBATCH_EQUITREE_BILL=off sbatch $ask plain.sh")" \
	"$slurm_alone" "SBATCH_EQUITREE_BILL overrides EQUITREE_BILL"
like "$(piped "SBATCH_EQUITREE_BILL=brief sbatch --parsable $ask plain.sh")" \
	"$price" "SBATCH_EQUITREE_BILL=brief prints the price with --parsable"
is "$(piped "EQUITREE_BILL=brief SBATCH_EQUITREE_BILL=full sbatch --bill=off \
	$ask plain.sh")" "$slurm_alone" "--bill overrides both variables"
is "$(piped "EQUITREE_BILL=full sbatch --bill=auto $ask plain.sh")" \
	"$slurm_alone" "--bill=auto asks for the terminal again"
wrong=$(piped "EQUITREE_BILL=loud sbatch $ask plain.sh")
like "$wrong" "EQUITREE_BILL: expected auto, off, brief or full" \
	"a wrong word of EQUITREE_BILL is an error that names it"
like "$wrong" "$slurm_alone" "a wrong word of EQUITREE_BILL stops no job"
like "$(piped "sbatch --bill=loud $ask plain.sh")" \
	"expected auto, off, brief or full" "a wrong word of --bill is an error"

# ---- The site's choice ----------------------------------------------------------

site_says() { # LINE...: into equitree.conf, and in force
	sed -i '/^message/d' "$conf"
	printf '%s\n' "$@" >>"$conf"
	in_cluster scontrol reconfigure
	wait_until daemon pid slurmctld
}
site_says 'message = brief'
like "$(piped "sbatch $ask plain.sh")" "$price" \
	"message = brief prints the price through a pipe"
is "$(piped "sbatch --bill=auto $ask plain.sh")" "$slurm_alone" \
	"--bill=auto overrides message = brief"
site_says 'message = off'
is "$(at_terminal "sbatch $ask plain.sh")" "$slurm_alone" \
	"message = off prints nothing at a terminal"
like "$(at_terminal "sbatch --bill=auto $ask plain.sh")" "$price" \
	"--bill=auto overrides message = off at a terminal"

# Slurm's time of slurm.conf is in whole seconds.
now_says() { site_says "message = $1" && piped "sbatch $ask plain.sh"; } # WORD
for _ in 1 2 3; do
	like "$(now_says brief)" "$price" "message = brief prints the price at once after another change"
	is "$(now_says off)" "$slurm_alone" "message = off prints nothing at once after another change"
done

# ---- Without the client plugin --------------------------------------------------

: >"$dir/etc/plugstack.conf"
site_says 'message = auto'
is "$(at_terminal "sbatch $ask plain.sh")" "$slurm_alone" \
	"without the client plugin auto prints nothing, not even at a terminal"
like "$(piped "EQUITREE_BILL=brief sbatch $ask plain.sh")" "$price" \
	"without the client plugin EQUITREE_BILL of a batch job counts"
is "$(piped "EQUITREE_BILL=brief SBATCH_EQUITREE_BILL=off sbatch $ask plain.sh")" \
	"$slurm_alone" "without the client plugin sbatch's own variable comes first"
site_says 'message = auto' 'message_without_spank = brief'
like "$(piped "sbatch $ask plain.sh")" "$price" \
	"message_without_spank = brief prints the price without the client plugin"
like "$(piped "srun -N1 -n2 --mem=10000M -t1 true")" "$price" \
	"message_without_spank = brief prints the price of srun"
is "$(piped "EQUITREE_BILL=off sbatch $ask plain.sh")" "$slurm_alone" \
	"EQUITREE_BILL=off overrides message_without_spank"
no_equitree_errors
done_testing
