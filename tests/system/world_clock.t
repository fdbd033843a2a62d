#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# world.t with steps of slurmctld's clock: an hour ahead, back, and an hour behind.
export WORLD_CLOCK=yes WORLD_SEED=${WORLD_SEED:-42}
exec "$(dirname "$0")/world.t"
