#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs inside a sandbox: starts one daemon in a session of its own and prints
# its process id. What it says before its own log is open goes to a file.
set -euo pipefail

# shellcheck source=SCRIPTDIR/base.sh
. "${BASH_SOURCE[0]%/*}/base.sh"

out=$1
shift
cd "${out%/*}"
ulimit -c 0
(
	close_inherited
	exec setsid "$@" </dev/null >"$out" 2>&1
) >/dev/null &
echo $!
