#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""energy.py EQUITREE CONF DIR [SEED]: the energy and the CO2e of random runs, with a random file of
hours that has gaps, as equitree usage says them and as exact fractions say them second by second.
Prints the number of differences: more than a part in 10^9 and a billionth of a gram, since rates
are whole numbers of 2^-52 and a run has up to 700,000 seconds."""
import json
import random
import subprocess
import sys
import time
from fractions import Fraction

equitree, conf, folder = sys.argv[1:4]
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 35
draw = random.Random(seed)
begin = 1775001600  # 2026-04-01, the first second of the year
year_end = begin + 200 * 86400


def text(at, end="Z"):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) + end


intensity = {}
for hour in range(begin - 7200, year_end + 7200, 3600):
    if draw.random() < 0.9:
        intensity[hour] = draw.choice(["0", "12.5", "300", str(draw.randrange(10**9) / 10**6)])
with open(folder + "/random.csv", "w") as out:
    out.write("utc,gco2e_per_kwh\n")
    for hour, value in intensity.items():
        out.write("%s,%s\n" % (text(hour), value))
with open(folder + "/random.conf", "w") as out:
    out.write(open(conf).read() + 'carbon_intensity_file = "%s/random.csv"\n' % folder)

kwh, grams, unknown = {}, {}, Fraction(0)
with open(folder + "/random.txt", "w") as out:
    out.write("JobIDRaw|Account|User|Partition|QOS|Start|End|ElapsedRaw|Suspended|AllocTRES\n")
    for job in range(1, 2001):
        # Some begin before the year: what is before it does not count.
        start = draw.randrange(begin - 86400, year_end - 9 * 86400)
        length = draw.choice([1, 59, 3600, draw.randrange(1, 8 * 86400)])
        suspended = draw.randrange(0, length) if draw.random() < 0.1 else 0
        joules = draw.choice([0, 1, draw.randrange(10**6), draw.randrange(10**12)])
        out.write("%d|a%d|u|cpu|normal|%s|%s|%d|%d-%02d:%02d:%02d|cpu=1,energy=%d,mem=1M,node=1\n" % (
            job, job, text(start, ""), text(start + length, ""), length - suspended,
            suspended // 86400, suspended // 3600 % 24, suspended // 60 % 60, suspended % 60, joules))
        watts = Fraction(joules, length)
        key = "a%d" % job
        kwh[key] = grams[key] = Fraction(0)
        for hour in range(start // 3600 * 3600, start + length, 3600):
            seconds = min(hour + 3600, start + length) - max(hour, start, begin)
            if seconds <= 0:
                continue
            used = watts * seconds / 3600000
            kwh[key] += used
            if hour in intensity:
                grams[key] += used * Fraction(intensity[hour])
            else:
                unknown += used

said = json.loads(subprocess.run(
    [equitree, "usage", "-f", folder + "/random.conf", "--energy", "--json", "--jobs",
     folder + "/random.txt", "--now", text(year_end, "")],
    check=True, capture_output=True, text=True).stdout)
lines = {line["account"]: line for line in said["usage"]}


def differs(got, want):
    return abs(Fraction(got) - want) > want / 10**9 + Fraction(1, 10**9)


wrong = differs(said["kwh_without_intensity"], unknown)
for key in kwh:
    if kwh[key] == 0 and key not in lines:
        continue
    line = lines[key]
    bad = differs(line["kwh"], kwh[key]) or differs(line["kgco2e"] * 1000, grams[key])
    if bad:
        print(key, line["kwh"], float(kwh[key]), line["kgco2e"] * 1000, float(grams[key]), file=sys.stderr)
    wrong += bad
print("%d runs, %d differences" % (len(kwh), wrong))
