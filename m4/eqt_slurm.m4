# SPDX-License-Identifier: GPL-2.0-or-later
# EQT_SLURM: which Slurm is installed, where its plugins live, and whether the
# internal headers at hand are of exactly that release.
#
# Slurm loads a priority plugin only when major, minor and micro agree, and its
# structs do change inside a micro series: a tree of another release is refused
# here, since nothing would notice later.
#
# Sets SLURM_INTERNAL_CPPFLAGS, plugindir, and the conditional
# HAVE_SLURM_INTERNAL.

# EQT_SLURM_REFUSE(REASON): stop, and say what can be built all the same.
AC_DEFUN([EQT_SLURM_REFUSE], [
AC_MSG_ERROR([$1; without --with-slurm-source the command, job_submit (its public part) and SPANK are built])
])

AC_DEFUN([EQT_SLURM], [
AC_ARG_WITH([slurm-source],
	[AS_HELP_STRING([--with-slurm-source=DIR],
		[Slurm's source tree of the installed release, for its internal headers])],
	[], [with_slurm_source=no])
AC_ARG_WITH([slurm],
	[AS_HELP_STRING([--with-slurm=PREFIX],
		[the prefix that Slurm is installed in @<:@where packages put it@:>@])],
	[], [with_slurm=no])
AC_ARG_WITH([plugindir],
	[AS_HELP_STRING([--with-plugindir=DIR],
		[where the plugins go @<:@Slurm's own plugin folder@:>@])])

AC_ARG_ENABLE([plugins],
	[AS_HELP_STRING([--disable-plugins],
		[build the command alone, which needs nothing of Slurm to build])])

slurm_internal=no
slurm_source=
slurm_libdir=
plugindir=
AS_IF([test "$enable_plugins" = no],
	[slurm_version=none
	 slurm_number=0
	 slurm_internal_text=no
	 build_priority_text=no
	 build_job_submit_text=no
	 build_spank_text=no],
	[build_spank_text=yes
	 EQT_SLURM_FIND])
AC_SUBST([SLURM_INTERNAL_CPPFLAGS])
AC_SUBST([SLURM_SOURCE], [$slurm_source])
AC_SUBST([SLURM_LIBS])
AC_SUBST([slurm_libdir])
AC_SUBST([plugindir])
AM_CONDITIONAL([BUILD_PLUGINS], [test "$enable_plugins" != no])
AM_CONDITIONAL([HAVE_SLURM_INTERNAL], [test "$slurm_internal" = yes])
AM_CONDITIONAL([HAVE_SLURMFULL], [test -n "$slurm_libdir"])
])

# EQT_SLURM_FIND: the part of EQT_SLURM that the plugins need.
AC_DEFUN([EQT_SLURM_FIND], [
slurm_daemon_path=$PATH:/usr/sbin:/usr/local/sbin
AS_IF([test "$with_slurm" != no], [
	AS_IF([test ! -f "$with_slurm/include/slurm/slurm_version.h"],
		[AC_MSG_ERROR([$with_slurm has no include/slurm/slurm_version.h: it is no prefix of an installed Slurm])])
	CPPFLAGS="$CPPFLAGS -isystem $with_slurm/include"
	slurm_daemon_path=$with_slurm/sbin
])
AC_CHECK_HEADER([slurm/spank.h], [],
	[AC_MSG_ERROR([Slurm's public headers are missing (Debian: libslurm-dev); --disable-plugins builds the command without them])])
AC_COMPUTE_INT([slurm_number], [SLURM_VERSION_NUMBER],
	[#include <slurm/slurm_version.h>],
	[AC_MSG_ERROR([no SLURM_VERSION_NUMBER in slurm/slurm_version.h])])
AC_MSG_CHECKING([for the version of Slurm's public headers])
slurm_version=`printf '%d.%02d.%d' \
	$(($slurm_number / 65536)) $(($slurm_number / 256 % 256)) $(($slurm_number % 256))`
AC_MSG_RESULT([$slurm_version])

dnl The daemons print their version without a slurm.conf; the clients do not.
AC_PATH_PROGS([SLURM_DAEMON], [slurmctld slurmd], [no], [$slurm_daemon_path])
AC_MSG_CHECKING([for the version of the installed Slurm])
slurm_installed=unknown
AS_IF([test "$SLURM_DAEMON" != no],
	[slurm_installed=`$SLURM_DAEMON -V | sed 's/^[[^ ]]* //; s/-.*//'`])
AC_MSG_RESULT([$slurm_installed])
AS_IF([test "$slurm_installed" != unknown && test "$slurm_installed" != "$slurm_version"],
	[AC_MSG_ERROR([the public headers are of Slurm $slurm_version, but Slurm $slurm_installed is installed])])

AC_MSG_CHECKING([for Slurm's internal headers])
slurm_internal=no
slurm_internal_text="no (give --with-slurm-source=DIR)"
AS_IF([test "$with_slurm_source" != no], [
	AS_IF([test ! -f "$with_slurm_source/META"],
		[EQT_SLURM_REFUSE([$with_slurm_source has no META: it is no source tree of Slurm])])
	slurm_meta=`sed -n 's/^[[ \t]]*Version:[[ \t]]*//p' "$with_slurm_source/META"`
	AS_IF([test -z "$slurm_meta"],
		[EQT_SLURM_REFUSE([$with_slurm_source/META names no version])])
	AS_IF([test "$slurm_meta" != "$slurm_version"],
		[EQT_SLURM_REFUSE([$with_slurm_source is Slurm $slurm_meta, but Slurm $slurm_version is installed: internal structs differ, give the tree of $slurm_version])])
	AS_IF([test ! -f "$with_slurm_source/src/slurmctld/slurmctld.h"],
		[EQT_SLURM_REFUSE([$with_slurm_source has no src/slurmctld/slurmctld.h: it is no whole source tree of Slurm])])
	# (No "#" in the expressions: for m4 it begins a comment.)
	# META is a text that anybody may edit; the headers say which line they are of,
	# and in a tree that was configured their release.
	slurm_line=`sed -n 's/^.define SLURM_PROTOCOL_VERSION SLURM_\([[0-9]]*\)_\([[0-9]]*\)_.*/\1.\2/p' \
		"$with_slurm_source/src/common/slurm_protocol_common.h" 2>/dev/null`
	AS_CASE([$slurm_version], ["$slurm_line".*], [],
		[AS_IF([test -n "$slurm_line"],
			[EQT_SLURM_REFUSE([the headers of $with_slurm_source are of Slurm $slurm_line, although its META says $slurm_meta])])])
	slurm_tree_number=`sed -n 's/^.define SLURM_VERSION_NUMBER \(0x[[0-9a-f]]*\).*/\1/p' \
		"$with_slurm_source/slurm/slurm_version.h" 2>/dev/null`
	AS_IF([test -n "$slurm_tree_number" && test $(($slurm_tree_number)) -ne $slurm_number],
		[EQT_SLURM_REFUSE([$with_slurm_source/slurm/slurm_version.h is of another release than its META, which says $slurm_meta])])
	AS_IF([test $slurm_number -lt 1443072],
		[EQT_SLURM_REFUSE([Slurm $slurm_version is older than 22.05, the oldest that priority/equitree knows])])
	slurm_internal=yes
	slurm_source=`cd "$with_slurm_source" && pwd`
	slurm_internal_text="$slurm_meta ($slurm_source)"
	SLURM_INTERNAL_CPPFLAGS="-isystem $slurm_source"
])
AC_MSG_RESULT([$slurm_internal])
AS_IF([test "$slurm_internal" = yes],
	[build_priority_text=yes
	 build_job_submit_text=yes],
	[build_priority_text="left out: needs the internal headers"
	 build_job_submit_text="yes, without partitions' defaults and pools' accounts (internal headers are missing)"])

# Where Slurm's own library lies tells where its plugins do; the daemon knows, in
# whatever prefix it is.
AC_MSG_CHECKING([for libslurmfull])
slurm_multiarch=`$CC -print-multiarch 2>/dev/null`
slurm_libdir=
slurm_ldd_dir=
AS_IF([test "$SLURM_DAEMON" != no],
	[slurm_ldd_dir=`ldd "$SLURM_DAEMON" 2>/dev/null |
		sed -n 's|.* => \(/.*\)/libslurmfull\.so .*|\1|p'`])
slurm_lib_dirs="$with_slurm/lib/slurm $with_slurm/lib64/slurm"
AS_IF([test "$with_slurm" = no], [slurm_lib_dirs="/usr/lib/$slurm_multiarch/slurm-wlm /usr/lib/$slurm_multiarch/slurm \
	/usr/lib64/slurm /usr/lib/slurm /usr/local/lib/slurm /opt/slurm/lib/slurm"])
for dir in $slurm_ldd_dir $slurm_lib_dirs; do
	AS_IF([test -z "$slurm_libdir" && test -e "$dir/libslurmfull.so"], [slurm_libdir=$dir])
done
AC_MSG_RESULT([${slurm_libdir:-no}])

# The public library, for clients of tests and bench: that of the prefix.
SLURM_LIBS=-lslurm
AS_IF([test "$with_slurm" != no], [
	for dir in "$with_slurm/lib" "$with_slurm/lib64"; do
		AS_IF([test -e "$dir/libslurm.so"],
			[SLURM_LIBS="-L$dir -Wl,-rpath,$dir -lslurm"])
	done
])

AC_MSG_CHECKING([for Slurm's plugin folder])
AS_IF([test -n "$with_plugindir"], [plugindir=$with_plugindir],
	[test -n "$slurm_libdir"], [plugindir=$slurm_libdir],
	[plugindir='${libdir}/slurm'])
AC_MSG_RESULT([$plugindir])

EQT_SLURM_FEATURES
])
