#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#SBATCH --job-name="fit, 3rd try"  --time=2:00:00
#SBATCH --ntasks=2 --mem-per-cpu=10G   # as in the small case
#SBATCH --array=0-9

srun ./fit
