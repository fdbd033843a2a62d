# SPDX-License-Identifier: GPL-2.0-or-later
# Compares what each job was told with what it is charged.
#
# Input: lines of "scontrol -o show job", then lines "NUMBER<TAB>ID<TAB>MESSAGE
# <TAB>REQUEST". Output: a line "# ..." or two for each job outside, then
# "ran OUTSIDE EXACT WIDTH": how many ran, fell outside, were told one number,
# and the median of high/low of the others (1 if there are none).
# POOLS: accounts end in _cpu and _gpu, and must be those of what is held.
# ALL: print jobs that are not outside, too.
# GPUS: nodes whose GPUs a job holds though Slurm does not count them; KEPT: the
# same for jobs of --exclusive=user.
BEGIN { FS = "\t"; exact = 0.00006 } # four digits are told

function word(line, key) {
	if (!match(line, " " key "=[^ ]*"))
		return ""
	return substr(line, RSTART + length(key) + 2, RLENGTH - length(key) - 2)
}

# A number of a list of TRES; 0 is not shown.
function tres_of(list, name,    n, item, i) {
	n = split(list, item, ",")
	for (i = 1; i <= n; i++)
		if (index(item[i], name "=") == 1)
			return substr(item[i], length(name) + 2) + 0
	return 0
}

# Of "1 to 2 GPU-equivalents or 32 core-equivalents, ...": low, high, units and
# falls; "at least" has no high end.
function read_message(text,    head, n, i, number) {
	low = high = units = falls = ""
	sub(/^cost /, "", text)
	least = sub(/^at least /, "", text)
	head = text
	sub(/[;,(].*/, "", head)
	units = (head ~ /core-eq/ ? "core" : "") (head ~ /GPU-eq/ ? "GPU" : "")
	n = split(head, number, /[^0-9.]+/)
	for (i = 1; i <= n; i++) {
		if (number[i] !~ /[0-9]/)
			continue
		if (low == "" || number[i] + 0 < low) low = number[i] + 0
		if (high == "" || number[i] + 0 > high) high = number[i] + 0
	}
	while (match(head, /[0-9.]+ to [0-9.]+/)) {
		split(substr(head, RSTART, RLENGTH), number, " to ")
		if (number[2] + 0 < number[1] + 0)
			falls = 1
		head = substr(head, RSTART + RLENGTH)
	}
	quoted = low == high && !least
	width = low > 0 && !least ? high / low : 1000
	if (match(text, /; up to [0-9.]+ without/)) {
		number[1] = substr(text, RSTART + 8) + 0
		if (number[1] > high) high = number[1]
	}
}

function trouble(account, held, billing) {
	if (low == "")
		return "nothing was told"
	if (index(units, held) == 0)
		return "another unit was told"
	if (falls)
		return "the range falls"
	if (POOLS && account !~ (held == "GPU" ? "_gpu$" : "_cpu$"))
		return "account " account " is of the other pool"
	if (billing / 1000 < low - exact ||
	    (!least && (billing - 1) / 1000 >= high + exact))
		return "outside"
	return ""
}

/^JobId=/ {
	id = substr($0, 7)
	sub(/ .*/, "", id)
	record[id] = $0
	next
}

$2 in record {
	line = record[$2]
	if (line !~ / StartTime=[0-9]/ || line !~ / NodeList=[a-z]/)
		next
	tres = word(line, "AllocTRES")
	if (tres == "")
		tres = word(line, "TRES")
	ran++
	read_message($3)
	held = tres ~ /gres\/gpu/ || (GPUS && word(line, "NodeList") ~ GPUS) ||
		($4 ~ /--exclusive=user/ && word(line, "NodeList") ~ KEPT) ?
		"GPU" : "core"
	why = trouble(word(line, "Account"), held,
		      tres_of(tres, "billing"))
	if (low != "" && quoted)
		single++
	else
		widths[++wide] = width
	if (why == "" && !ALL)
		next
	if (why != "")
		outside++
	print "# " NAME "." $1 ": " $4
	print "#   " why ": charged " tres_of(tres, "billing") "/1000 for " tres \
		" on " word(line, "NodeList")
	print "#   told: " $3
}

END {
	for (i = 2; i <= wide; i++) { # sorted by insertion
		one = widths[i]
		for (j = i - 1; j > 0 && widths[j] > one; j--)
			widths[j + 1] = widths[j]
		widths[j + 1] = one
	}
	printf "%d %d %d %.3g\n", ran, outside, single,
		wide ? widths[int((wide + 1) / 2)] : 1
}
