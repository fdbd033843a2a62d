/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log: our lines in slurmctld's log, each starting with the plugin's type.
 *
 * error: an operator must act. info: an operator should know. debug: one line
 * a pass. debug2: one line a job.
 */
#ifndef EQT_LOG_H
#define EQT_LOG_H

#define EQT_LOG_SIZE 1024

/* printf format; cut at EQT_LOG_SIZE - 1 bytes; control characters become '?'.
 * A level that slurmctld does not log costs one comparison. */
void eqt_log_error(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
void eqt_log_info(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
void eqt_log_debug(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
void eqt_log_debug2(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

#endif
