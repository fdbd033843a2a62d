/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmstepd does not know which file a batch script writes to. The process
 * that becomes the script has that file open and sends its descriptor through a
 * pair of sockets. So slurmstepd never opens a file by a name that a user
 * chose.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/spank.h>

#include "end_note.h"
#include "slurm/env_names.h"

/* A name in equitree.conf(5) has at most 63 letters. */
#define WORD_SIZE 80
#define LINE_SIZE 512

/* The first socket is the script's end, the second is slurmstepd's. */
static int pair[2] = { -1, -1 };
/* The Unix time at which slurmstepd prepared the script. */
static time_t begun;

static bool step_is_batch(spank_t spank)
{
	uint32_t step = 0;

	return spank_get_item(spank, S_JOB_STEPID, &step) == ESPANK_SUCCESS &&
	       step == SLURM_BATCH_SCRIPT;
}

static void pair_close(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		if (pair[i] >= 0)
			(void) close(pair[i]);
		pair[i] = -1;
	}
}

void end_note_begin(spank_t spank)
{
	if (!step_is_batch(spank))
		return;
	begun = time(NULL);
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
		       pair) < 0)
		slurm_error("job_end_note: cannot make a socket: %s",
			    strerror(errno));
}

/* A message of one byte with room for one file descriptor. */
struct parcel {
	char byte;
	struct iovec part;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
	struct msghdr message;
};

static void parcel_make(struct parcel *parcel)
{
	memset(parcel, 0, sizeof(*parcel));
	parcel->part.iov_base = &parcel->byte;
	parcel->part.iov_len = sizeof(parcel->byte);
	parcel->message.msg_iov = &parcel->part;
	parcel->message.msg_iovlen = 1;
	parcel->message.msg_control = parcel->control;
	parcel->message.msg_controllen = sizeof(parcel->control);
}

void end_note_send(void)
{
	const int output = STDOUT_FILENO;
	struct parcel parcel;
	struct cmsghdr *header;

	if (pair[0] < 0)
		return;
	parcel_make(&parcel);
	header = CMSG_FIRSTHDR(&parcel.message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(output));
	memcpy(CMSG_DATA(header), &output, sizeof(output));
	(void) sendmsg(pair[0], &parcel.message, MSG_NOSIGNAL);
}

/* Receive the descriptor of the script's output. The caller closes it. Returns
 * -1 if there is none. */
static int output_receive(void)
{
	struct parcel parcel;
	struct cmsghdr *header;
	int output = -1;

	if (pair[1] < 0)
		return -1;
	parcel_make(&parcel);
	if (recvmsg(pair[1], &parcel.message, MSG_CMSG_CLOEXEC) < 0)
		return -1;
	header = CMSG_FIRSTHDR(&parcel.message);
	if (header && header->cmsg_type == SCM_RIGHTS &&
	    header->cmsg_len == CMSG_LEN(sizeof(output)))
		memcpy(&output, CMSG_DATA(header), sizeof(output));
	return output;
}

/* Read a variable of the job. Returns false if it is not set or empty. */
static bool word_read(char word[WORD_SIZE], spank_t spank, const char *name)
{
	return spank_getenv(spank, name, word, WORD_SIZE) == ESPANK_SUCCESS &&
	       word[0] != '\0';
}

/* Read a number that is not negative. A text such as "<0.0001" is not a
 * number. */
static bool number_read(double *number, spank_t spank, const char *name)
{
	char word[WORD_SIZE], *end;

	if (!word_read(word, spank, name))
		return false;
	*number = strtod(word, &end);
	/* The comparison also rejects infinity and NaN. */
	return end != word && *end == '\0' && *number >= 0 && *number < 1e15;
}

/* The seconds since the job started, according to SLURM_JOB_START_TIME. Without
 * that variable, the seconds since the script started. */
static time_t seconds_run(spank_t spank)
{
	time_t now = time(NULL), start = begun;
	double told;

	if (number_read(&told, spank, "SLURM_JOB_START_TIME") && told > 0 &&
	    told <= (double) begun)
		start = (time_t) told;
	return now > start ? now - start : 0;
}

/* Add text to the line. Text that does not fit is cut off. */
static void __attribute__((format(printf, 2, 3)))
line_add(char line[LINE_SIZE], const char *format, ...)
{
	size_t length = strlen(line);
	va_list words;

	va_start(words, format);
	(void) vsnprintf(line + length, LINE_SIZE - length, format, words);
	va_end(words);
}

/* Add a number with at most four decimals, without zeros at the end. */
static void line_add_number(char line[LINE_SIZE], double number)
{
	char digits[32];
	size_t length;

	length = (size_t) snprintf(digits, sizeof(digits), "%.4f", number);
	while (digits[length - 1] == '0')
		digits[--length] = '\0';
	if (digits[length - 1] == '.')
		digits[--length] = '\0';
	line_add(line, "%s", digits);
}

/* Add "2.5", or "2.5 to 3" if the price depended on the allocation. */
static void line_add_range(char line[LINE_SIZE], double low, double high)
{
	line_add_number(line, low);
	if (high > low) {
		line_add(line, " to ");
		line_add_number(line, high);
	}
}

/* Add a time in Slurm's form, [days-]hours:minutes:seconds. */
static void line_add_time(char line[LINE_SIZE], time_t seconds)
{
	if (seconds >= 86400)
		line_add(line, "%ld-%02ld", (long) (seconds / 86400),
			 (long) (seconds / 3600 % 24));
	else
		line_add(line, "%ld", (long) (seconds / 3600));
	line_add(line, ":%02ld:%02ld", (long) (seconds / 60 % 60),
		 (long) (seconds % 60));
}

/* Add " (memory decides)" or " (cores decide)", or nothing if the job has no
 * such variable. */
static void line_add_decided(char line[LINE_SIZE], spank_t spank)
{
	char word[WORD_SIZE];

	if (!word_read(word, spank, EQT_ENV_DECIDED_BY))
		return;
	line_add(line,
		 word[strlen(word) - 1] == 's' ? " (%s decide)"
					       : " (%s decides)",
		 word);
}

/* Add an amount such as " (0.06 EUR)", if the site has set a rate of money. */
static void line_add_money(char line[LINE_SIZE], spank_t spank, double hours)
{
	char currency[WORD_SIZE];
	double rate;

	if (number_read(&rate, spank, EQT_ENV_MONEY_RATE) &&
	    word_read(currency, spank, EQT_ENV_CURRENCY))
		line_add(line, " (%.2f %s)", rate * hours, currency);
}

/* Compose the line. Returns false if the job has no price. */
static bool line_make(char line[LINE_SIZE], spank_t spank)
{
	double price, price_max, rate, rate_max, hours;
	char unit[WORD_SIZE], word[WORD_SIZE];
	time_t seconds = seconds_run(spank);

	if (!number_read(&price, spank, EQT_ENV_PRICE) ||
	    !number_read(&price_max, spank, EQT_ENV_PRICE_MAX) ||
	    !number_read(&rate, spank, EQT_ENV_RATE) ||
	    !number_read(&rate_max, spank, EQT_ENV_RATE_MAX) ||
	    !word_read(unit, spank, EQT_ENV_UNIT))
		return false;
	hours = (double) seconds / 3600;
	line[0] = '\0';
	line_add(line, "equitree: cost ");
	line_add_range(line, price, price_max);
	line_add(line, " %s", unit);
	line_add_decided(line, spank);
	line_add(line, ", ");
	line_add_range(line, rate * hours, rate_max * hours);
	line_add(line, " h");
	if (rate == rate_max)
		line_add_money(line, spank, hours);
	line_add(line, " for ");
	line_add_time(line, seconds);
	if (word_read(word, spank, "SLURM_HET_SIZE"))
		line_add(line, ", component 0 of %s", word);
	return true;
}

/* Only a regular file gets the line. A pipe may have no reader, and slurmstepd
 * must not wait for one. */
void end_note_write(spank_t spank)
{
	char line[LINE_SIZE];
	struct stat status;
	int output = output_receive();

	if (output >= 0 && fstat(output, &status) == 0 &&
	    S_ISREG(status.st_mode) && line_make(line, spank))
		(void) (dprintf(output, "%s\n", line) < 0);
	if (output >= 0)
		(void) close(output);
	pair_close();
}
