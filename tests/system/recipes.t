#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/recipes/*.md: each is a configuration, brought up as it stands there, and
# what its console blocks show comes out. With arguments only those pages.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=pages.sh
. "$(dirname "$0")/pages.sh"
recipes=$system_dir/../../docs/recipes

for page in "$recipes"/*.md; do
	name=$(basename "$page")
	[[ $name != README.md ]] || continue
	[[ $# == 0 || " $* " == *" $name "* ]] || continue
	page_up "$page"
	play "$page"
	no_equitree_errors
	cluster purge
done
done_testing
