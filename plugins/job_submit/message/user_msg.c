/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "user_msg.h"

#define NAME "equitree: "
#define NAME_LENGTH (sizeof(NAME) - 1)

/* Append to a string that slurmctld frees. libslurmfull exports this function,
 * but no public header declares it. */
extern void slurm_xstrcat(char **string, const char *more);

void eqt_user_msg_start(struct eqt_user_msg *notice)
{
	notice->line = (struct eqt_text){ .data = notice->text,
					  .space = EQT_USER_MSG_SIZE };
	notice->text[0] = '\0';
}

/* Begin a line. */
static void line_open(struct eqt_user_msg *notice)
{
	if (notice->text[0] != '\0')
		eqt_text_put(&notice->line, "\n");
	eqt_text_put(&notice->line, NAME);
}

void eqt_user_msg_add(struct eqt_user_msg *notice, const char *text)
{
	while (*(text += strspn(text, "\n")) != '\0') {
		size_t length = strcspn(text, "\n");

		line_open(notice);
		eqt_text_bytes(&notice->line, text, length);
		text += length;
	}
}

/* Add the name to the lines of a text after the first, as far as they have room
 * for it. */
static void lines_name(struct eqt_user_msg *notice, char *text)
{
	struct eqt_text *line = &notice->line;

	line->length += strlen(text);
	while ((text = strchr(text, '\n')) &&
	       line->length + NAME_LENGTH < line->space) {
		text++;
		memmove(text + NAME_LENGTH, text, strlen(text) + 1);
		memcpy(text, NAME, NAME_LENGTH);
		line->length += NAME_LENGTH;
	}
}

void eqt_user_msg_add_price(struct eqt_user_msg *notice,
			    const struct eqt_quote *quote, bool full)
{
	char *text;

	line_open(notice);
	text = notice->text + notice->line.length;
	if (full)
		eqt_price_message_full(quote, text, EQT_PRICE_MESSAGE_SIZE);
	else
		eqt_price_message_brief(quote, text, EQT_PRICE_MESSAGE_SIZE);
	lines_name(notice, text);
}

void eqt_user_msg_send(const struct eqt_user_msg *notice, char **err_msg)
{
	if (notice->text[0] == '\0')
		return;
	if (*err_msg)
		slurm_xstrcat(err_msg, "\n");
	slurm_xstrcat(err_msg, notice->text);
}

void eqt_user_msg_raw(const char *text, char **err_msg)
{
	slurm_xstrcat(err_msg, text);
}
