#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Reads CSV in the columns of FOCUS 1.2 on standard input and checks what the specification
# says of charges for usage: the columns that must be there, those that may not be empty,
# allowed values, UTC times, numbers, and sums that fit each other. Prints what is wrong; else
# the rows, and the sum of costs and of quantities by sub account.
import csv, datetime, os, re, sys

# The published columns: name, type, feature level, and whether a cell may be empty.
columns = {}
with open(os.path.join(os.path.dirname(__file__), "data", "focus_1_2.tsv")) as facts:
    for line in facts:
        if not line.startswith("#"):
            name, *of = line.rstrip("\n").split("\t")
            columns[name] = of
mandatory = [name for name, of in columns.items() if of[1] == "mandatory"]
# Of a charge for usage, most columns that may be null must not be where they are there.
nullable = {"BillingAccountName", "ChargeClass", "ChargeDescription", "SkuPriceDetails"}
allowed = {"ChargeCategory": {"Usage"}, "ChargeClass": {""}, "PricingCategory": {"Standard"},
           "ChargeFrequency": {"Usage-Based"}, "ServiceCategory": {"Compute"},
           "ServiceSubcategory": {"Other (Compute)"}}
costs = ["BilledCost", "ContractedCost", "EffectiveCost", "ListCost"]
numbers = [name for name, of in columns.items() if of[0] == "decimal"]
wrong = []

def moment(row, name):
    try: return datetime.datetime.strptime(row[name], "%Y-%m-%dT%H:%M:%SZ")
    except ValueError: wrong.append(f"{name}: {row[name]!r} is no time in UTC")

def check(row):
    for name, cell in row.items():
        if cell == "" and name not in nullable and not name.startswith("x_"):
            wrong.append(f"{name} is empty")
        if name in allowed and cell not in allowed[name]: wrong.append(f"{name}: {cell!r}")
        if name in numbers and not re.fullmatch(r"-?\d+(\.\d+)?", cell): wrong.append(f"{name}: {cell!r} is no number")
    if not re.fullmatch("[A-Z]{3}", row["BillingCurrency"]): wrong.append(f"BillingCurrency: {row['BillingCurrency']!r}")
    if not re.fullmatch("[A-Z][A-Za-z]*-Hours", row["PricingUnit"]): wrong.append(f"PricingUnit: {row['PricingUnit']!r}")
    first, begin, end, last = (moment(row, n) for n in ("BillingPeriodStart", "ChargePeriodStart", "ChargePeriodEnd", "BillingPeriodEnd"))
    if not wrong and not first <= begin < end <= last: wrong.append(f"{begin} to {end} is not in the billing period")
    for cost, price in (("ListCost", "ListUnitPrice"), ("ContractedCost", "ContractedUnitPrice")):
        if not wrong and abs(float(row[price]) * float(row["PricingQuantity"]) - float(row[cost])) > 1e-6:
            wrong.append(f"{cost} is not {price} times PricingQuantity")

reader = csv.DictReader(sys.stdin)
names = reader.fieldnames or []
wrong += [f"no column {name}" for name in mandatory if name not in names]
wrong += [f"{name} is no column of FOCUS" for name in names if name not in columns and not name.startswith("x_")]
wrong += [f"{name} may not be empty" for name in sorted(nullable) if columns[name][2] != "null"]
own = [name.startswith("x_") for name in names]
if own != sorted(own): wrong.append("a column of our own is before one of FOCUS")
rows = list(reader) if not wrong else []
for row in rows: check(row)
for text in sorted(set(wrong)): print(text)
if not wrong:
    hours = {}
    for row in rows: hours[row["SubAccountId"]] = hours.get(row["SubAccountId"], 0) + float(row["PricingQuantity"])
    print(len(rows), "%.4f" % sum(float(row["BilledCost"]) for row in rows), " ".join(sorted({row["BillingCurrency"] for row in rows})),
          " ".join(f"{user}={hours[user]:.4f}" for user in sorted(hours)))
