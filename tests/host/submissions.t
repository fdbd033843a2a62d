#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The submission plugin without a cluster, called as later releases call it: for
# another user's submission in the middle of one, and while nodes change.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=rows.sh
. "$here/rows.sh"

submit=$build/tests/submit/submit
if [[ ! -x $submit ]]; then
	echo "1..0 # SKIP $submit is not built (no internal headers of Slurm)"
	exit 0
fi

plugin=$build/plugins/job_submit/.libs/job_submit_equitree.so

said=$("$submit" "$plugin" between 2000 2>&1)
row 'a submission in the middle of another: both end as they do alone' $? \
	"$said"
[[ $said =~ ^[1-9][0-9]{3}\ submissions ]]
row 'there were thousands' $? "$said"

# Processor time of the thread, four times what is wanted: caches that other programs
# use are part of it. tests/submit/README.md says how to look for 2 ms.
said=$("$submit" "$plugin" bound 8000 "${ROUNDS:-60}" "${SEED:-1}" 2>&1)
row 'the worst description is judged in a bounded time' $? "$said"
worst=$(grep -o '^worst: .*' <<<"$said")
[[ $worst ]]
row 'the search for the worst description has an end' $? "$said"
echo "# $worst (seed ${SEED:-1}, ${ROUNDS:-60} rounds)"

said=$("$submit" "$plugin" list 2>&1)
row 'a user lists a hundred budgets in answers of 16 accounts' \
	"$(grep -qx '100 budgets in 5 answers' <<<"$said"; echo $?)" "$said"

for seed in ${SEED:-1 2 5 6}; do
	said=$("$submit" "$plugin" dearest 40 "$seed" 2>&1)
	row "a price in hundreds of partitions is no lower than that in any of them (seed $seed)" \
		$? "$said"
done

for seed in ${SEED:-1 2}; do
	said=$("$submit" "$plugin" turned 3000 "$seed" 2>&1 >"$work/told")
	row "the price in three partitions is the same whichever comes first (seed $seed)" \
		$? "$said"
done

said=$("$submit" "$plugin" nodes 2>&1)
row 'a price follows the nodes from one submission to the next' $? "$said"

said=$("$submit" "$plugin" second 2>&1)
row 'a second reconfigure within one second is seen' $? "$said"

said=$("$submit" "$plugin" components 2>&1)
row 'a heterogeneous job has its own sum while 255 threads submit others' $? \
	"$said"
echo "1..$count"
