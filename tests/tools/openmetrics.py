#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Read a text with Prometheus' own parsers, as OpenMetrics and in the older
format; print "FAMILIES SAMPLES" and refuse what occurs twice or differs."""
import sys

from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client import parser as older


def samples(families):
    out = []
    for family in families:
        if family.type != "gauge" or not family.documentation:
            sys.exit(f"{family.name}: {family.type}: {family.documentation}")
        out += [(s.name, tuple(sorted(s.labels.items())), str(float(s.value)))
                for s in family.samples]
    return out


text = open(sys.argv[1], encoding="utf-8", newline="").read()
new = list(openmetrics.text_string_to_metric_families(text))
first, second = samples(new), samples(older.text_string_to_metric_families(text))
if first != second:
    sys.exit("the two formats differ")
keys = [s[:2] for s in first]
if len(keys) != len(set(keys)):
    sys.exit("a sample is there twice")
print(len(new), len(first))
for want in sys.argv[2:]:
    name, _, value = want.partition("=")
    found = [s for s in first if s[0] == name and value in dict(s[1]).values()]
    print(*[f"{dict(s[1])} {s[2]}" for s in found], sep="\n")
