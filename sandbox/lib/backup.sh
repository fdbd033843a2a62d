#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs inside a sandbox, with a host name and mounts of its own: the second
# slurmctld.
set -euo pipefail

mount --bind /run/spare /run/slurmctld
echo spare >/proc/sys/kernel/hostname
exec slurmctld -D -L "$@"
