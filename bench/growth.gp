# SPDX-License-Identifier: GPL-2.0-or-later
# The plot of bench/run -o: "jobs" (jobs, nanoseconds a job of ours and of Slurm's own)
# and "tree" (users, nanoseconds a user of ours and of a bare sort), both in DIR.
set terminal svg size 900,380 font "sans-serif,12" background "white"
set output dir."/growth.svg"
set multiplot layout 1,2
set logscale x
set format x "10^{%T}"
set yrange [0:*]
set grid ytics linecolor "#dddddd"
set key bottom right

set title "A pass: CPU time for each job"
set xrange [1e4:1e6]
set xlabel "pending jobs, and a tenth as many that run"
set ylabel "ns a job"
plot dir."/jobs" using 1:2 with linespoints lw 2 pt 7 lc "#1b6ca8" title "equitree", \
	dir."/jobs" using 1:3 with linespoints lw 2 pt 5 lc "#c8553d" title "multifactor"

# c n log n is c log n a user: c is that of the smallest tree.
stats dir."/tree" using 2 every ::0::0 name "first" nooutput
stats dir."/tree" using 1 every ::0::0 name "users" nooutput
c = first_max / log(users_max)
set key center right
set title "Ranking a share tree: CPU time for each user"
set xrange [1e3:1e6]
set xlabel "users"
set ylabel "ns a user"
plot dir."/tree" using 1:2 with linespoints lw 2 pt 7 lc "#1b6ca8" title "equitree", \
	dir."/tree" using 1:3 with linespoints lw 2 pt 5 lc "#888888" title "a bare qsort of as many keys", \
	c * log(x) with lines lw 1 dt 2 lc "#1b6ca8" title "n log n from the smallest on"
