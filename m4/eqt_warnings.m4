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
