/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "slurm/env_names.h"
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

/* ---- How much is printed --------------------------------------------------------- */

/* The variable in which Slurm sends the client plugin's option --bill. */
#define BILL_OPTION "_SLURM_SPANK_OPTION_equitree_bill="

/* The largest number of entries that are read. Slurm limits neither their
 * number nor their length, and slurmctld's locks are held. The plugins of a
 * site have some dozens of options, and an environment has some hundreds of
 * variables. */
#define ENTRIES_MAX 1024

/* What a submission says about the message; NULL where it says nothing. */
struct client_words {
	const char *option; /* The argument of --bill. */
	const char *sent; /* The client plugin's copy of the user's variable. */
	const char *terminal; /* "yes" or "no". */
	/* The variables in a batch job's own environment. */
	const char *sbatch_env, *env;
};

/* Set *value to the value of an entry NAME=VALUE, if the entry has that
 * name. */
static void entry_value(const char **value, const char *entry, const char *name)
{
	const size_t length = strlen(name);

	if (strncmp(entry, name, length) == 0)
		*value = entry + length;
}

static void words_read_sent(struct client_words *words,
			    const job_desc_msg_t *desc)
{
	for (uint32_t i = 0; i < desc->spank_job_env_size && i < ENTRIES_MAX;
	     i++) {
		const char *entry = desc->spank_job_env[i];

		if (!entry)
			continue;
		entry_value(&words->option, entry, BILL_OPTION);
		entry_value(&words->sent, entry, EQT_SENT_BILL "=");
		entry_value(&words->terminal, entry, EQT_SENT_TERMINAL "=");
	}
}

/* Read the job's environment, which only batch jobs send to slurmctld. */
static void words_read_env(struct client_words *words,
			   const job_desc_msg_t *desc)
{
	for (uint32_t i = 0;
	     desc->environment && i < desc->env_size && i < ENTRIES_MAX; i++) {
		const char *entry = desc->environment[i];

		if (!entry)
			continue;
		entry_value(&words->sbatch_env, entry,
			    EQT_USER_SBATCH_BILL "=");
		entry_value(&words->env, entry, EQT_USER_BILL "=");
	}
}

/* Apply a word to the choice. A missing or unknown word leaves the choice
 * unchanged. */
static void choice_override(enum eqt_message *choice, const char *word)
{
	if (word)
		(void) eqt_message_parse(choice, word);
}

enum eqt_message eqt_user_msg_choose(const struct eqt_conf *conf,
				     const job_desc_msg_t *desc)
{
	struct client_words words = { .option = NULL };
	enum eqt_message choice = conf->message;

	words_read_sent(&words, desc);
	if (!words.terminal)
		words_read_env(&words, desc);
	/* A later call overrides an earlier one, so --bill takes precedence,
	   then the client plugin's copy of the environment. */
	choice_override(&choice, words.env);
	choice_override(&choice, words.sbatch_env);
	choice_override(&choice, words.sent);
	choice_override(&choice, words.option);
	if (choice != EQT_MESSAGE_AUTO)
		return choice;
	if (!words.terminal)
		return conf->message_without_spank;
	return strcmp(words.terminal, "yes") == 0 ? EQT_MESSAGE_BRIEF
						  : EQT_MESSAGE_OFF;
}
