/* SPDX-License-Identifier: GPL-2.0-or-later */
/* style: the style and the script of all pages. */
#ifndef EQT_REPORT_STYLE_H
#define EQT_REPORT_STYLE_H

extern const char eqt_style_css[];

/* The script, and its SHA-256 in the form that a Content-Security-Policy has: a
 * browser runs this script and no other. */
extern const char eqt_style_script[];
extern const char eqt_style_script_hash[];

#endif
