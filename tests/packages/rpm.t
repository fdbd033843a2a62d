#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The RPM spec as far as Debian's rpm goes: parsed, judged, a source package, binary
# packages of Debian's own Slurm with --nodeps, and their installation, upgrade and
# removal in a root of their own. What only a system of RPMs can show is not shown:
# its build dependencies, its build flags, systemd's scriptlets.
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
/usr/lib/x86_64-linux-gnu/slurm-wlm/spank_equitree.so
/usr/share/equitree/plugstack.conf.d/plugin.conf" \
	"the rest and the entry for plugstack.conf in equitree-client"
is "$(query equitree --list | grep -E '/system/|/var/')" \
	"/usr/lib/systemd/system/equitree-balance.service
/usr/lib/systemd/system/equitree-balance.timer
/usr/lib/systemd/system/equitree-boost.service
/usr/lib/systemd/system/equitree-boost.timer
/usr/lib/systemd/system/equitree-metrics.service
/usr/lib/systemd/system/equitree-metrics.timer
/usr/lib/systemd/system/equitree-report.service
/usr/lib/systemd/system/equitree-report.timer
/var/lib/equitree" "timers and the folder of leases in equitree"
like "$(in_rpm_root rpmspec -q --define 'slurm_suffix -ohpc' \
	--define "slurm_version $slurm" --requires \
	/equitree/packaging/equitree.spec 2>/dev/null)" \
	"slurm-ohpc[^ ]* = $slurm.*slurm-slurmctld-ohpc[^ ]* = $slurm|slurm-slurmctld-ohpc[^ ]* = $slurm.*slurm-ohpc[^ ]* = $slurm" \
	"slurm_suffix names the packages of OpenHPC"
like "$(query equitree --list)" '/usr/bin/equitree.*equitree\.conf\.5' \
	"the command and its manual in equitree"

# ---- Installed, upgraded, removed --------------------------------------------

mv "$work/rpm/RPMS" "$work/rpm/old"
must "a newer release is built" run_rpmbuild --nodeps --nocheck \
	--define 'dist .next' --define "slurm_source $(slurm_tree)" \
	-tb "/rpm/equitree-$version.tar.xz"
mv "$work/rpm/RPMS" "$work/rpm/new"
last_log=
# Debian's rpm wants to hear that this is meant. Libraries are Debian's, hence --nodeps.
rpm_does() { # ARGUMENT...
	in_rpm_root sh -c 'rpm --force-debian "$@" 2>&1' _ "$@"
}
old_rpms=(/rpm/old/x86_64/equitree-{slurmctld-,client-,}"$version"-1.x86_64.rpm)
new_rpms=(/rpm/new/x86_64/equitree-{slurmctld-,client-,}"$version"-1.next.x86_64.rpm)
entry=/etc/slurm/plugstack.conf.d/equitree.conf
is "$(rpm_does -i "${old_rpms[@]}" | grep -oE 'slurm(-slurmctld)?\(x86-64\) = [0-9.]*' | sort -u)" \
	"slurm(x86-64) = $slurm
slurm-slurmctld(x86-64) = $slurm" "rpm refuses them without that release of Slurm"
is "$(rpm_does -i --nodeps "${old_rpms[@]}")" "" "rpm installs them"
is "$(rpm_does -V --nodeps equitree equitree-client equitree-slurmctld)" "" \
	"what is installed is what the packages have"
is "$(in_rpm_root grep -v '^#' "$entry")" "" \
	"the entry of plugstack.conf.d is a comment"
in_rpm_root sed -i 's/^#include/include/' "$entry"
is "$(rpm_does -U --nodeps "${new_rpms[@]}")" "" "rpm upgrades them"
is "$(in_rpm_root rpm -q equitree-client)" "equitree-client-$version-1.next.x86_64" \
	"the newer release is there"
is "$(in_rpm_root grep -v '^#' "$entry")" \
	"include /usr/share/equitree/plugstack.conf.d/*.conf" \
	"the upgrade keeps what the site has switched on"
in_rpm_root sh -c 'echo PriorityType=priority/equitree >/etc/slurm/slurm.conf'
like "$(rpm_does -e --nodeps equitree-slurmctld)" \
	'PriorityType=priority/equitree.*slurm.conf still names' \
	"removal warns of a slurm.conf that still names the plugins"
rpm_does -e --nodeps equitree equitree-client >/dev/null
is "$(in_rpm_root sh -c 'find / -xdev -name "*equitree*.so" -path "/usr/lib/*"; ls /usr/share/equitree 2>/dev/null')" \
	"" "nothing of the plugins is left"
done_testing
