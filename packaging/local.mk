# SPDX-License-Identifier: GPL-2.0-or-later
# What makes packages: debian/ for dpkg-buildpackage, a spec file for rpmbuild.
EXTRA_DIST += contrib packaging/equitree.spec \
	debian/README.source debian/changelog debian/control debian/copyright \
	debian/equitree-client.install debian/equitree-slurmctld.install \
	debian/equitree-client.lintian-overrides \
	debian/equitree-slurmctld.lintian-overrides \
	debian/equitree-slurmctld.prerm debian/equitree.docs \
	debian/equitree.examples debian/equitree.install \
	debian/equitree.lintian-overrides debian/equitree.dirs \
	debian/equitree.postrm \
	debian/equitree.equitree-balance.service \
	debian/equitree.equitree-balance.timer \
	debian/equitree.equitree-boost.service \
	debian/equitree.equitree-boost.timer \
	debian/equitree.equitree-metrics.service \
	debian/equitree.equitree-metrics.timer \
	debian/equitree.equitree-report.service \
	debian/equitree.equitree-report.timer \
	debian/plugstack/equitree.conf \
	debian/plugstack/plugin.conf debian/rules debian/slurm-source \
	debian/source/format tests/packages
