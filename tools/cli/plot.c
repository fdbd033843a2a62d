/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gnuplot reads its commands from a pipe. Titles and names come from users, so they are
 * quoted. Enhanced text mode is off, because it would interpret their characters.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "cli/plot.h"

/* gnuplot's terminal for a file with this suffix, or NULL for an unknown suffix. The
 * background is white, because a page around the drawing may be dark. */
static const char *plot_terminal(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (dot && strcmp(dot, ".svg") == 0)
		return "svg noenhanced background 'white'";
	if (dot && strcmp(dot, ".png") == 0)
		return "pngcairo noenhanced";
	return NULL;
}

int eqt_plot_put(void *to, const char *path, struct eqt_error *err)
{
	memcpy(to, &path, sizeof(path));
	if (plot_terminal(path) && !strpbrk(path, "\r\n"))
		return 0;
	return eqt_error_set(
		err, "\"%.64s\": expected a name with .svg or .png", path);
}

/* Within single quotes only the quote itself has a meaning, so it is doubled. */
void eqt_plot_quoted(FILE *to, const char *text)
{
	fputc('\'', to);
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			fputc('\'', to);
		fputc(*text, to);
	}
	fputc('\'', to);
}

FILE *eqt_plot_open(const char *path, const struct eqt_plot_panels *panels,
		    struct eqt_error *err)
{
	FILE *to;

	if (eqt_plot_put(&path, path, err) < 0)
		return NULL;
	/* gnuplot may exit early, so ignore SIGPIPE. gnuplot writes the drawing to its
	 * stdout if it cannot write the file, so send stdout to /dev/null. */
	(void) signal(SIGPIPE, SIG_IGN);
	to = popen("exec gnuplot >/dev/null", "w");
	if (!to) {
		eqt_error_set(err, "gnuplot: %s", strerror(errno));
		return NULL;
	}
	fprintf(to, "set terminal %s size %d,%d\nset output ",
		plot_terminal(path), panels->columns * panels->width,
		panels->rows * panels->height);
	eqt_plot_quoted(to, path);
	fprintf(to, "\nset multiplot layout %d,%d\n", panels->rows,
		panels->columns);
	return to;
}

void eqt_plot_dates(FILE *to, const char *format)
{
	fprintf(to,
		"set style fill solid 0.9 noborder\nset boxwidth 0.9 relative\n"
		"set xdata time\nset timefmt '%%Y-%%m-%%d'\n"
		"set format x '%s'\nset grid y\nset yrange [0:*]\n"
		"set lmargin 10\n",
		format);
}

/* gnuplot has already printed its own message on stderr. */
int eqt_plot_close(FILE *to, const char *path, struct eqt_error *err)
{
	fprintf(to, "unset multiplot\n");
	if (pclose(to) != 0)
		return eqt_error_set(
			err, "%s: gnuplot failed; is it installed?", path);
	return 0;
}
