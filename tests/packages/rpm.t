#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The RPM spec as far as Debian's rpm goes: parsed, judged, a source package, and
# binary packages of Debian's own Slurm with --nodeps. What only a system of RPMs
# can show is not shown: its build dependencies, its build flags, an installation.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

make_rpm_root() {
	layers_of bookworm || return 1
	rpm_layer=$(basename "${lower_build%%:*}")-rpm
	layer_make "$rpm_layer" "$lower_build" "
		apt-get -q update
		apt-get -q -y --no-install-recommends install rpm rpmlint"
}

in_rpm_root() { # COMMAND...
	overlay "$work/upper-rpm" "$layers/$rpm_layer:$lower_build" \
		-b "$top:/equitree" -b "$work/rpm:/rpm" -- unshare --net "$@"
}

run_rpmbuild() { # ARGUMENT...
	in_rpm_root rpmbuild --define '_topdir /rpm' \
		--define '_libdir /usr/lib/x86_64-linux-gnu' \
		--define 'slurm_plugindir %{_libdir}/slurm-wlm' \
		--define "slurm_version $slurm" "$@"
}

query() { # PACKAGE OPTION...
	local package=$1
	shift
	in_rpm_root sh -c 'rpm -qp "$@" /rpm/RPMS/*/"$0"-[0-9]*.rpm' \
		"$package" "$@" 2>/dev/null
}

layer_lock
must "a root with rpm and the build dependencies of Debian" make_rpm_root
layer_unlock
slurm=$(slurm_tree)
slurm=${slurm##*/slurm-}
must "the tarball of make dist" unpack_tarball "$work/unpacked"
mkdir -p "$work/rpm"
mv "$work/equitree-$version.tar.xz" "$work/rpm/"

must "rpmspec reads it" in_rpm_root rpmspec -P /equitree/packaging/equitree.spec
last_log=
# Debian's rpmlint is an old one: it wants a tag that rpm dropped since, and a
# tarball at a URL.
is "$(in_rpm_root rpmlint /equitree/packaging/equitree.spec 2>&1 |
	grep -E ': [EW]: ' |
	grep -vE 'no-buildroot-tag|invalid-url Source0')" "" "rpmlint has nothing to say of the spec"
must "the tarball makes a source package" run_rpmbuild -ts \
	"/rpm/equitree-$version.tar.xz"
run_rpmbuild --nodeps -tb "/rpm/equitree-$version.tar.xz" \
	>"$work/log" 2>&1 </dev/null
like "$(cat "$work/log")" 'give --define "slurm_source DIR"' \
	"without Slurm's source the build says what is missing"
must "binary packages are built and checked" run_rpmbuild --nodeps \
	--define "slurm_source $(slurm_tree)" -tb "/rpm/equitree-$version.tar.xz"
last_log=
like "$(query equitree-slurmctld --requires)" "slurm-slurmctld[^ ]* = $slurm" \
	"equitree-slurmctld wants exactly that slurmctld"
like "$(query equitree-client --requires)" "slurm[^ ]* = $slurm" \
	"equitree-client wants exactly that Slurm"
is "$(query equitree-slurmctld --list | grep '\.so$')" \
	"/usr/lib/x86_64-linux-gnu/slurm-wlm/job_submit_equitree.so" \
	"the submission plugin is in equitree-slurmctld"
is "$(query equitree-client --list | grep -E '\.so$|\.conf$')" \
	"/etc/slurm/plugstack.conf.d/equitree.conf
/usr/lib/x86_64-linux-gnu/slurm-wlm/priority_equitree.so
/usr/lib/x86_64-linux-gnu/slurm-wlm/spank_equitree.so" \
	"the rest and the entry for plugstack.conf in equitree-client"
like "$(query equitree --list)" '/usr/bin/equitree.*equitree\.conf\.5' \
	"the command and its manual in equitree"
done_testing
