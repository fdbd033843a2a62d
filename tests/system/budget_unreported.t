#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# budget_usage.t where AccountingStorageEnforce has no limits, so that slurmctld reports no
# end of a job: budgets are charged what the looks of the plugin find.
BUDGET_USAGE_LIMITS=no exec "$(dirname "$0")/budget_usage.t"
