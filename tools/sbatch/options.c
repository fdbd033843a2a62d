/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * argp parses sbatch's options once per component: first the words of the script, and
 * then those of the command line, which override them. An error in the script must not
 * exit within argp, because its message names a line of the script.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sbatch/lsf_pbs.h"
#include "sbatch/options.h"
#include "sbatch/request.h"
#include "cli/alloc.h"
#include "cli/cmd.h"

/* ---- Words --------------------------------------------------------------------------
 * The request of a command line as words for sbatch itself. These are the options that
 * may change its price, ":" between components, and the script with its arguments. */

/* Append a text, which the list then owns. */
static void sbatch_words_take(struct eqt_sbatch_words *words, char *text)
{
	EQT_ALLOC_ROOM(words->word, words->count);
	words->word[words->count++] = text;
}

/* Append a copy of a word. */
static void sbatch_words_add(struct eqt_sbatch_words *words, const char *word)
{
	sbatch_words_take(words, eqt_alloc_text(word));
}

/* Free what *words owns. *words is empty afterwards. */
static void sbatch_words_free(struct eqt_sbatch_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->word[i]);
	free(words->word);
	*words = (struct eqt_sbatch_words){ .count = 0 };
}

/* ---- Ignored ------------------------------------------------------------------------
 * Options of sbatch (22.05 to 24.11) and of the SPANK plugin that do not change a price.
 * They must be known, because it depends on whether an option takes a value which word is
 * the next option. */

enum { KEY_IGNORED = 1 << 12 };

/* Each word is "name" or "name|letter". "=" after it means that the option takes a value,
 * and "=?" that the value may be left out. */
static const char ignored_words[] =
	"acctg-freq= batch= bb= bbf= bell bill= chdir|D= cluster= "
	"cluster-constraint= clusters|M= comment= consolidate-segments "
	"container= container-id= context= cpu-freq= cpus-per-tres= "
	"deadline= delay-boot= dependency|d= error|e= export= export-file= "
	"external-launcher extra= get-user-env=? gid= gpu-bind= gpu-freq= "
	"hold|H input|i= job-name|J= kill-on-invalid-dep= mail-type= "
	"mail-user= mcs-label= mem-bind= network= nice=? no-bell "
	"no-kill|k=? no-requeue nodefile|F= ntasks-per-tres= open-mode= "
	"output|o= oversubscribe|s parsable power= priority= profile= "
	"propagate=? quiet|Q reboot requeue resv-ports=? segment= share "
	"shared signal= spread-segments stepmgr switches= test-only "
	"time-min= tmp= tres-bind= uid= use-min-nodes verbose|v wait|W "
	"wait-all-nodes= wckey= workdir= wrap=";

#define IGNORED_MOST 96

/* The same options in the form of argp. */
struct ignored_options {
	char words[sizeof(ignored_words)];
	struct argp_option row[IGNORED_MOST + 1];
};

static void ignored_options_make(struct ignored_options *out)
{
	struct argp_option *row = out->row;
	char *saved, *word;

	*out = (struct ignored_options){ .words = "" };
	memcpy(out->words, ignored_words, sizeof(ignored_words));
	for (word = strtok_r(out->words, " ", &saved);
	     word && row < out->row + IGNORED_MOST;
	     word = strtok_r(NULL, " ", &saved), row++) {
		char *end = word + strcspn(word, "|=");

		row->name = word;
		row->key = *end == '|' ? end[1] : KEY_IGNORED;
		row->arg = strchr(end, '=') ? "X" : NULL;
		row->flags = OPTION_HIDDEN |
			     (strchr(end, '?') ? OPTION_ARG_OPTIONAL : 0);
		*end = '\0';
	}
}

/* A callback of argp: accept an option that does not change the price. Its value is not
 * checked. */
static error_t ignored_option_parse(int key, char *arg,
				    struct argp_state *state)
{
	const struct parsing *parsing = state->input;
	const struct argp_option *row = parsing->known;

	(void) arg;
	while (row->name && row->key != key)
		row++;
	return row->name ? 0 : ARGP_ERR_UNKNOWN;
}

/* ---- Options -------------------------------------------------------------- */

static const struct argp_option options_table[] = {
	{ NULL, 0, NULL, 0,
	  "Options of sbatch (all others are accepted, too, and ignored):", 1 },
	{ "ntasks", 'n', "N", 0, NULL, 1 },
	{ "cpus-per-task", 'c', "N", 0, NULL, 1 },
	{ "nodes", 'N', "MIN[-MAX]", 0, NULL, 1 },
	{ "ntasks-per-node", KEY_TASKS_PER_NODE, "N", 0, NULL, 1 },
	{ "tasks-per-node", 0, NULL, OPTION_ALIAS, NULL, 1 },
	{ "ntasks-per-gpu", KEY_TASKS_PER_GPU, "N", 0, NULL, 1 },
	{ "sockets-per-node", KEY_SOCKETS_PER_NODE, "N", 0, NULL, 1 },
	{ "ntasks-per-core", KEY_NTASKS_PER_CORE, "N", 0, NULL, 1 },
	{ "ntasks-per-socket", KEY_TASKS_PER_SOCKET, "N", 0, NULL, 1 },
	{ "distribution", 'm', "plane=N", 0, NULL, 1 },
	{ "gres-flags", KEY_GRES_FLAGS, "enforce-binding", 0, NULL, 1 },
	{ "threads-per-core", KEY_THREADS_PER_CORE, "N", 0, NULL, 1 },
	{ "cores-per-socket", KEY_CORES_PER_SOCKET, "N", 0, NULL, 1 },
	{ "extra-node-info", 'B', "SOCKETS[:CORES[:THREADS]]", 0, NULL, 1 },
	{ "hint", KEY_HINT, "nomultithread", 0, NULL, 1 },
	{ "spread-job", KEY_SPREAD_JOB, NULL, 0, NULL, 1 },
	{ "mincpus", KEY_MINCPUS, "N", 0, NULL, 1 },
	{ "mem", KEY_MEM, "SIZE", 0, NULL, 1 },
	{ "mem-per-cpu", KEY_MEM_PER_CPU, "SIZE", 0, NULL, 1 },
	{ "mem-per-gpu", KEY_MEM_PER_GPU, "SIZE", 0, NULL, 1 },
	{ "gpus", 'G', "[TYPE:]N", 0, NULL, 1 },
	{ "gpus-per-node", KEY_GPUS_PER_NODE, "[TYPE:]N", 0, NULL, 1 },
	{ "gpus-per-socket", KEY_GPUS_PER_SOCKET, "[TYPE:]N", 0, NULL, 1 },
	{ "gpus-per-task", KEY_GPUS_PER_TASK, "[TYPE:]N", 0, NULL, 1 },
	{ "cpus-per-gpu", KEY_CPUS_PER_GPU, "N", 0, NULL, 1 },
	{ "tres-per-task", KEY_TRES_PER_TASK, "LIST", 0, NULL, 1 },
	{ "gres", KEY_GRES, "LIST", 0, NULL, 1 },
	{ "time", 't', "TIME", 0, NULL, 1 },
	{ "array", 'a', "INDEXES", 0, NULL, 1 },
	{ "partition", 'p', "NAME", 0, NULL, 1 },
	{ "account", 'A', "NAME", 0, NULL, 1 },
	{ "qos", 'q', "NAME", 0, NULL, 1 },
	{ "exclusive", KEY_EXCLUSIVE, "user|mcs|topo", OPTION_ARG_OPTIONAL,
	  NULL, 1 },
	{ "core-spec", KEY_CORE_SPEC, "N", 0, NULL, 1 },
	{ "thread-spec", KEY_THREAD_SPEC, "N", 0, NULL, 1 },
	{ "constraint", 'C', "FEATURES", 0, NULL, 1 },
	{ "prefer", KEY_PREFER, "FEATURES", 0, NULL, 1 },
	{ "contiguous", KEY_CONTIGUOUS, NULL, 0, NULL, 1 },
	{ "nodelist", 'w', "NODES", 0, NULL, 1 },
	{ "exclude", 'x', "NODES", 0, NULL, 1 },
	{ "overcommit", 'O', NULL, 0, NULL, 1 },
	{ "begin", 'b', "TIME", 0, NULL, 1 },
	{ "licenses", 'L', "LIST", 0, NULL, 1 },
	{ "reservation", KEY_RESERVATION, "NAME", 0, NULL, 1 },
	{ "ignore-pbs", KEY_IGNORE_PBS, NULL, 0, NULL, 1 },
	{ 0 }
};

/* Append the option with this key under its long name, with its argument. arg is NULL if
 * it has none. */
static void sbatch_words_option(struct eqt_sbatch_words *words, int key,
				const char *arg)
{
	const struct argp_option *option = options_table;
	size_t size;
	char *text;

	while (!option->name || option->key != key)
		option++;
	size = strlen(option->name) + (arg ? strlen(arg) : 0) + sizeof("--=");
	text = eqt_alloc(size, 1);
	(void) snprintf(text, size, "--%s%s%s", option->name, arg ? "=" : "",
			arg ? arg : "");
	sbatch_words_take(words, text);
}

/* Pass a word to the command. Returns 1 if the command took it, 0 if not, or -1 with err
 * filled. */
static int sbatch_take_command_word(struct parsing *parsing, const char *word)
{
	const struct eqt_sbatch_command *command = parsing->command;

	if (!command->word || strcmp(word, ":") == 0)
		return 0;
	return parsing->own_taken
		       ? 1
		       : command->word(command->into, word, parsing->err);
}

/* Keep the script and its arguments. The script is the word before the next one. */
static void sbatch_note_script(struct parsing *parsing,
			       const struct argp_state *state)
{
	struct eqt_sbatch_words *words = &parsing->options->words;

	for (int i = state->next - 1; !parsing->own_taken && i < state->argc;
	     i++)
		sbatch_words_add(words, state->argv[i]);
	words->script = true;
}

/* Take a word that is not an option: the script, or ":" before the next component. */
static error_t sbatch_take_word(struct argp_state *state, const char *word)
{
	struct parsing *parsing = state->input;
	int taken;

	if (parsing->words)
		return eqt_sbatch_error(state, "\"%.64s\": expected an option",
					word);
	taken = sbatch_take_command_word(parsing, word);
	if (taken != 0)
		return taken < 0 ? eqt_sbatch_error(state, "%s",
						    parsing->err->text)
				 : 0;
	if (strcmp(word, ":") != 0) {
		parsing->options->any = true;
		parsing->options->script_path = word;
		/* All words after the script belong to the script. */
		parsing->begin[parsing->components] = (size_t) state->next;
		sbatch_note_script(parsing, state);
		state->next = state->argc;
		return 0;
	}
	if (parsing->components == EQT_SCRIPT_COMPONENTS_MAX)
		return eqt_sbatch_error(
			state,
			"more components than a heterogeneous job may have");
	if (!parsing->own_taken)
		sbatch_words_add(&parsing->options->words, word);
	parsing->begin[parsing->components++] = (size_t) state->next;
	return 0;
}

/* Take an option of the command itself, once. A script must not have options of the
 * command, because sbatch would refuse them there. */
static error_t sbatch_parse_own(int key, char *arg, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	const struct eqt_sbatch_command *command = parsing->command;
	struct eqt_error why;
	int rc;

	if (key >= ARGP_KEY_END || key == ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (parsing->words)
		return eqt_sbatch_error(
			state, "this is an option of equitree, not of sbatch");
	if (parsing->own_taken)
		return 0;
	rc = eqt_options_take(command->own, command->into, key, arg, &why);
	if (rc < 0)
		return eqt_sbatch_error(state, "%s", why.text);
	return rc > 0 ? ARGP_ERR_UNKNOWN : 0;
}

/* After the last word, check the options together, and join lists such as --gres and
 * --gpus-per-node. */
static error_t sbatch_parse_end(struct argp_state *state)
{
	struct parsing *parsing = state->input;
	const struct eqt_sbatch_command *command = parsing->command;
	struct eqt_error why;

	if (!parsing->own_taken && command->check &&
	    command->check(command->into, parsing->options->any, &why) < 0)
		return eqt_sbatch_error(state, "%s", why.text);
	return eqt_sbatch_join_lists(state);
}

/* A callback of argp. An error in a word of a script names its line and must not end the
 * process. */
static error_t sbatch_parse_key(int key, char *arg, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	error_t rc;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = parsing->words
						 ? &parsing->ignored
						 : &parsing->options->common;
		state->child_inputs[1] = parsing;
		state->child_inputs[2] = parsing;
		return 0;
	case ARGP_KEY_ARG:
		return sbatch_take_word(state, arg);
	case ARGP_KEY_END:
		return sbatch_parse_end(state);
	case ARGP_KEY_ERROR:
		if (parsing->words)
			(void) eqt_sbatch_error(
				state,
				"\"%.64s\": unknown option of sbatch, or its "
				"value is missing",
				state->argv[state->next - 1]);
		return ARGP_ERR_UNKNOWN;
	default:
		break;
	}
	rc = eqt_sbatch_take(state, key, arg);
	if (rc == 0 && !parsing->words) {
		parsing->options->any = true;
		/* Only when the command line is parsed for the first time. */
		if (!parsing->own_taken)
			sbatch_words_option(&parsing->options->words, key, arg);
	}
	return rc;
}

/* Run argp on some words. argp expects a title in front of them. ARGP_IN_ORDER prevents
 * argp from reading the words after the script as options of sbatch. */
static error_t sbatch_parse_words(struct parsing *parsing, int argc,
				  char **argv, unsigned int flags)
{
	const struct eqt_sbatch_command *command = parsing->command;
	struct argp_option rows[EQT_OPTIONS_MAX + 1];
	struct ignored_options known;
	const struct argp ignored = { .options = known.row,
				      .parser = ignored_option_parse };
	const struct argp own = { .options = rows, .parser = sbatch_parse_own };
	const struct argp_child children[] = {
		command->csv ? eqt_output_table_children[0]
			     : eqt_output_children[0],
		{ &own, 0, NULL, 0 },
		{ &ignored, 0, NULL, 0 },
		{ NULL, 0, NULL, 0 },
	};
	const struct argp argp = { .options = options_table,
				   .parser = sbatch_parse_key,
				   .args_doc = command->words,
				   .doc = command->doc,
				   .children = children };

	eqt_options_rows(rows, command->own);
	ignored_options_make(&known);
	parsing->known = known.row;
	return argp_parse(&argp, argc, argv, flags | ARGP_IN_ORDER, NULL,
			  parsing);
}

/* Parse words of the script, from "begin" up to but not including "end". */
static int sbatch_parse_script(struct parsing *parsing,
			       const struct eqt_script_words *from,
			       size_t begin, size_t end, char *title)
{
	const size_t count = end - begin;
	char **words;
	error_t rc;

	if (count == 0)
		return 0;
	words = eqt_alloc(count + 2, sizeof(*words));

	words[0] = title;
	for (size_t i = 0; i < count; i++)
		words[1 + i] = from->word[begin + i].text;
	parsing->words = from->word + begin;
	rc = sbatch_parse_words(parsing, (int) count + 1, words,
				ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT);
	free(words);
	parsing->words = NULL;
	if (parsing->ignored.json || parsing->ignored.no_headings ||
	    parsing->ignored.csv || parsing->ignored.coloured)
		return eqt_error_set(parsing->err,
				     "%s: --json%s, --no-headings and --color "
				     "are options of equitree, not of sbatch",
				     parsing->script->name,
				     parsing->command->csv ? ", --csv" : "");
	return rc ? -1 : 0;
}

/* sbatch resets most options before each component. The options here are kept from the
 * previous component. The first component has the last values on the command line. */
static void sbatch_carry(struct eqt_sbatch_component *to,
			 const struct eqt_sbatch_component *from)
{
	const struct eqt_job_spec *spec = &from->spec;
	const unsigned int memory = from->given & EQT_SBATCH_MEMORY;

	/* --mem belongs to this component, or was kept from the previous one. */
	if (memory ? memory & EQT_SBATCH_MEM : spec->mem != EQT_MEM_NOT_GIVEN) {
		to->spec.mem = spec->mem;
		to->spec.mem_mib = spec->mem_mib;
		to->given |= EQT_SBATCH_MEM;
	}
	to->spec.minutes = spec->minutes;
	to->spec.array = spec->array;
	to->spec.exclude = spec->exclude;
	to->account = from->account;
	to->qos = from->qos;
	to->begin = from->begin;
	to->reservation = from->reservation;
}

/* Parse the script's words for a component, and then those of the command line. */
static int sbatch_parse_component(struct parsing *parsing, int component,
				  char **argv)
{
	struct eqt_sbatch_options *options = parsing->options;
	const struct eqt_script *script = &options->script;
	size_t count;

	parsing->into = &options->component[component];
	sbatch_carry(parsing->into, component > 0
					    ? &options->component[component - 1]
					    : &parsing->all);
	/* The component may still have --mem-per-cpu. */
	if (component == 0)
		parsing->into->given = 0;
	if (component < script->components &&
	    sbatch_parse_script(parsing, &script->own, script->begin[component],
				script->begin[component + 1], argv[0]) < 0)
		return -1;
	if (component == 0 && !parsing->ignore_foreign &&
	    eqt_lsf_pbs_translate(&options->script, parsing->err) < 0)
		return -1;
	if (!parsing->ignore_foreign &&
	    sbatch_parse_script(parsing, &script->foreign, 0,
				script->foreign.count, argv[0]) < 0)
		return -1;
	if (component >= parsing->components)
		return 0;
	/* argp expects a title in front. The word there is a ":" or the name of the
	 * command. */
	argv += parsing->begin[component] - 1;
	count = parsing->begin[component + 1] - parsing->begin[component];
	(void) sbatch_parse_words(parsing, (int) count, argv, 0);
	return 0;
}

/* Parse the whole command line once, to store the command's own options and to find where
 * each component begins. */
static void sbatch_find_components(struct parsing *parsing, int argc,
				   char **argv)
{
	parsing->into = &parsing->all;
	parsing->begin[0] = 1;
	parsing->components = 1;
	parsing->begin[1] = (size_t) argc + 1;
	if (sbatch_parse_words(parsing, argc, argv, 0) != 0)
		exit(EXIT_MISUSE);
	parsing->own_taken = true;
	if (!parsing->options->script_path)
		parsing->begin[parsing->components] = (size_t) argc + 1;
	for (int i = 0; i < EQT_SBATCH_LISTS; i++)
		free(parsing->all.lists[i]);
}

/* As in sbatch, components of the script and of the command line are paired by number.
 * Either may have more components than the other. */
int eqt_sbatch_options_parse(struct eqt_sbatch_options *options,
			     const struct eqt_sbatch_command *command, int argc,
			     char **argv, struct eqt_error *err)
{
	struct parsing parsing = { .options = options,
				   .command = command,
				   .script = &options->script,
				   .err = err };
	int i, rc = 0;

	*options = (struct eqt_sbatch_options){ .script.components = 1 };
	err->text[0] = '\0';
	sbatch_find_components(&parsing, argc, argv);
	if (options->script_path &&
	    eqt_script_read(&options->script, options->script_path, err) < 0) {
		sbatch_words_free(&options->words);
		return -1;
	}
	options->components = parsing.components;
	if (options->components < options->script.components)
		options->components = options->script.components;
	options->component = eqt_alloc((size_t) options->components,
				       sizeof(*options->component));

	for (i = 0; rc == 0 && i < options->components; i++)
		rc = sbatch_parse_component(&parsing, i, argv);
	if (rc < 0)
		eqt_sbatch_options_free(options);
	return rc;
}

int eqt_sbatch_options_apply(struct eqt_sbatch_options *options,
			     unsigned int release, struct eqt_error *err)
{
	int i, rc = 0;

	for (i = 0; rc == 0 && i < options->components; i++)
		rc = eqt_sbatch_rules_apply(&options->component[i], release,
					    err);
	return rc;
}

void eqt_sbatch_options_free(struct eqt_sbatch_options *options)
{
	for (int i = 0; options->component && i < options->components; i++) {
		for (int list = 0; list < EQT_SBATCH_LISTS; list++)
			free(options->component[i].lists[list]);
	}
	free(options->component);
	eqt_script_free(&options->script);
	sbatch_words_free(&options->words);
	*options = (struct eqt_sbatch_options){ .components = 0 };
}
