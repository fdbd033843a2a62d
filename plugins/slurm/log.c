/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>

#include <slurm/spank.h> /* for slurm_error() and its kin */

#include "slurm/log.h"

/* Each plugin defines it: Slurm demands the symbol. */
extern const char plugin_type[];

/* libslurm exports it; no public header declares it. */
extern int slurm_get_log_level(void);

/* Slurm's log_level_t, which only an internal header names. */
enum { HOST_INFO = 3, HOST_DEBUG = 5, HOST_DEBUG2 = 6 };

/* Nothing that a user typed may start a line of its own in the log. */
static void flatten(char *text)
{
	for (; *text; text++)
		if ((unsigned char) *text < ' ' || *text == 0x7f)
			*text = '?';
}

static void format_line(char *line, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static void format_line(char *line, const char *format, va_list args)
{
	(void) vsnprintf(line, EQT_LOG_SIZE, format, args);
	flatten(line);
}

void eqt_log_error(const char *format, ...)
{
	char line[EQT_LOG_SIZE];
	va_list args;

	va_start(args, format);
	format_line(line, format, args);
	va_end(args);
	slurm_error("%s: %s", plugin_type, line);
}

#define DEFINE_LEVEL(level, host)                           \
	void eqt_log_##level(const char *format, ...)       \
	{                                                   \
		char line[EQT_LOG_SIZE];                    \
		va_list args;                               \
                                                            \
		if (slurm_get_log_level() < (host))         \
			return;                             \
		va_start(args, format);                     \
		format_line(line, format, args);            \
		va_end(args);                               \
		slurm_##level("%s: %s", plugin_type, line); \
	}

DEFINE_LEVEL(info, HOST_INFO)
DEFINE_LEVEL(debug, HOST_DEBUG)
DEFINE_LEVEL(debug2, HOST_DEBUG2)
