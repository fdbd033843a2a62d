/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log: the plugins' lines in slurmctld's log. Each line starts with the type of
 * the plugin.
 *
 * error: an operator must act.
 * info: an operator should know.
 * debug: one line for each pass.
 * debug2: one line for each job.
 */
#ifndef EQT_LOG_H
#define EQT_LOG_H

#define EQT_LOG_SIZE 1024

/* Log a line with a format of printf(). Lines are cut at EQT_LOG_SIZE - 1
 * bytes, and control characters become '?'. A line whose level slurmctld does
 * not log costs one comparison. */
void eqt_log_error(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
void eqt_log_info(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
void eqt_log_debug(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
void eqt_log_debug2(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

#endif
