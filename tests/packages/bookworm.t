#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Packages for the Debian that has Slurm 22.05.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

suite bookworm order env restart
