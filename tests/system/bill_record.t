#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Bills that read the record of charges: the rows of bill_jobs.t, which reads billing.
BILL_RECORD=yes
# shellcheck source=bill_jobs.t
. "$(dirname "$0")/bill_jobs.t"
