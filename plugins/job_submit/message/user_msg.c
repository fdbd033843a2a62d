/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "user_msg.h"

#define NAME "equitree: "

/* Append to a string that slurmctld frees. libslurmfull exports this function,
 * but no public header declares it. */
extern void slurm_xstrcat(char **string, const char *more);

void eqt_user_msg_start(struct eqt_user_msg *notice)
{
	notice->line = (struct eqt_text){ .data = notice->text,
					  .space = EQT_USER_MSG_SIZE };
	notice->text[0] = '\0';
}

void eqt_user_msg_add(struct eqt_user_msg *notice, const char *text)
{
	while (*(text += strspn(text, "\n")) != '\0') {
		size_t length = strcspn(text, "\n");

		if (notice->text[0] != '\0')
			eqt_text_put(&notice->line, "\n");
		eqt_text_put(&notice->line, NAME);
		eqt_text_bytes(&notice->line, text, length);
		text += length;
	}
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
