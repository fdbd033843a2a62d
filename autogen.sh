#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes configure and Makefile.in out of configure.ac and Makefile.am.
set -e
cd "$(dirname "$0")"
exec autoreconf --install --warnings=all,no-portability
