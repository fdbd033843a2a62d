#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Packages for the Debian that has Slurm 24.11.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

suite trixie order env restart
