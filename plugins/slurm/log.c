/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write lines to slurmctld's log with libslurm's public functions, so that the
 * same object file works in all plugins. */
#include <stdarg.h>
#include <stdio.h>

/* declares slurm_error(), slurm_info(), slurm_debug() */
#include <slurm/spank.h>

#include "slurm/log.h"

/* Slurm requires each plugin to define the symbol plugin_type. */
extern const char plugin_type[];

/* libslurm exports this function, but no public header declares it. */
extern int slurm_get_log_level(void);

/* Values of Slurm's log_level_t, which only an internal header defines. */
enum { HOST_INFO = 3, HOST_DEBUG = 5, HOST_DEBUG2 = 6 };

/* Replace control characters, because a text from a user must not start a new
 * line in the log. */
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

/* The level is checked before the line is formatted, because most lines are not
 * logged. */
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
