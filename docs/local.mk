# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += docs/releases.tsv docs/ARCHITECTURE.md docs/INSTALL.md docs/install docs/PARITY.md docs/OPERATING.md docs/DAY.md \
	docs/SIMULATE.md docs/SITES.md docs/TUNING.md docs/USERS.md docs/design docs/recipes slurm.conf.example \
	equitree.conf.example plugstack.conf.example NEWS.md CONTRIBUTING.md SECURITY.md
dist_man_MANS = docs/equitree.conf.5
dist_man_MANS += docs/equitree.1
dist_man_MANS += docs/equitree-bill.1
dist_man_MANS += docs/equitree-check.1
dist_man_MANS += docs/equitree-tree.1
dist_man_MANS += docs/job_submit_equitree.8
dist_man_MANS += docs/priority_equitree.8
dist_man_MANS += docs/spank_equitree.8
dist_man_MANS += docs/equitree-when.1
dist_man_MANS += docs/equitree-why.1
dist_man_MANS += docs/equitree-recover.1
dist_man_MANS += docs/equitree-overhead.1
dist_man_MANS += docs/equitree-simulate.1
dist_man_MANS += docs/equitree-tune.1
dist_man_MANS += docs/equitree-usage.1
dist_man_MANS += docs/equitree-metrics.1
dist_man_MANS += docs/equitree-report.1
dist_man_MANS += docs/equitree-boost.1
dist_man_MANS += docs/equitree-shares.1
dist_man_MANS += docs/equitree-budget.1
dist_man_MANS += docs/equitree-init.1
dist_man_MANS += docs/equitree-leave.1

# "make html" writes the manual pages to docs/html; a release has them there as well.
man_pages = $(addprefix $(srcdir)/,$(dist_man_MANS))
html-local:
	$(srcdir)/build-aux/man-html docs/html $(man_pages)
clean-local:
	rm -rf docs/html
