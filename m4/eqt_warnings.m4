# SPDX-License-Identifier: GPL-2.0-or-later
# EQT_WARNINGS: the warnings that our sources are held to; errors only where
# --enable-werror asks for it (CI does): a newer compiler must not break a
# site's build.
AC_DEFUN([EQT_WARNINGS], [
AC_ARG_ENABLE([werror],
	[AS_HELP_STRING([--enable-werror], [treat warnings as errors])])
WARN_CFLAGS="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla"
AS_IF([test "$enable_werror" = yes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
AC_SUBST([WARN_CFLAGS])
])

# EQT_SANITIZERS: address and undefined behaviour, for the tests.
AC_DEFUN([EQT_SANITIZERS], [
AC_ARG_ENABLE([sanitizers],
	[AS_HELP_STRING([--enable-sanitizers],
		[build with address and undefined behaviour sanitizers])])
AS_IF([test "$enable_sanitizers" = yes],
	[SAN_CFLAGS="-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined"])
AC_SUBST([SAN_CFLAGS])
])

# EQT_HARDENING: what a distribution's build turns on is on in a plain build, too.
# Plugins bind lazily (slurmctld's own functions exist in slurmctld only), so
# that only the command is bound at its start. _FORTIFY_SOURCE needs an
# optimising build, and the sanitizers check more than it does.
AC_DEFUN([EQT_HARDENING], [
AC_ARG_ENABLE([hardening],
	[AS_HELP_STRING([--disable-hardening],
		[leave out the stack protector, _FORTIFY_SOURCE, RELRO and PIE])],
	[], [enable_hardening=yes])
HARDEN_CFLAGS=
HARDEN_LDFLAGS=
HARDEN_PROGRAM_CFLAGS=
HARDEN_PROGRAM_LDFLAGS=
AS_IF([test "$enable_hardening" = yes], [
	HARDEN_CFLAGS="-fstack-protector-strong"
	HARDEN_LDFLAGS="-Wl,-z,relro"
	HARDEN_PROGRAM_CFLAGS="-fPIE"
	HARDEN_PROGRAM_LDFLAGS="-pie -Wl,-z,now"
	case " $CFLAGS " in
	*" -O0 "*) ;;
	*fsanitize*) ;;
	*" -O"*)
		AS_IF([test "$enable_sanitizers" != yes],
			[HARDEN_CFLAGS="$HARDEN_CFLAGS -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"])
		;;
	esac
])
AC_SUBST([HARDEN_CFLAGS])
AC_SUBST([HARDEN_LDFLAGS])
AC_SUBST([HARDEN_PROGRAM_CFLAGS])
AC_SUBST([HARDEN_PROGRAM_LDFLAGS])
])
