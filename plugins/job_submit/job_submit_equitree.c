/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_submit_equitree: tell each submission its price.
 *
 * slurmctld calls job_submit() with its conf, job, node and part locks held,
 * at least for reading; later releases call it from several threads at once.
 * Nothing here refuses a job, ends the daemon or changes a description.
 */
#include <stdio.h>
#include <string.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "../common/log.h"
#include "ask_from_desc.h"
#include "eqt_bill.h"
#include "reload.h"
#ifdef EQT_HAVE_INTERNAL
#include "partition_defaults.h"
#endif

const char plugin_name[] = "equitree: the price of a submission";
const char plugin_type[] = "job_submit/equitree";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

/* libslurmfull exports it; no public header declares it. Appends to a string
 * that slurmctld frees. */
extern void slurm_xstrfmtcat(char **string, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

struct job_record;

int init(void);
int fini(void);
int job_submit(job_desc_msg_t *job_desc, uint32_t submit_uid, char **err_msg);
int job_modify(job_desc_msg_t *job_desc, struct job_record *job_ptr,
	       uint32_t submit_uid);

/* A broken equitree.conf is an error here, so that slurmctld does not start. */
int init(void)
{
	struct eqt_error err;

	if (eqt_reload_init(&err) < 0) {
		eqt_log_error("%s", err.text);
		return SLURM_ERROR;
	}
	return SLURM_SUCCESS;
}

int fini(void)
{
	eqt_reload_fini();
	return SLURM_SUCCESS;
}

/* Append a text to what other plugins said, each line with our name. */
static void tell(char **err_msg, char *text)
{
	char *rest = text, *line;

	while ((line = strtok_r(rest, "\n", &rest)))
		slurm_xstrfmtcat(err_msg, "%sequitree: %s",
				 *err_msg ? "\n" : "", line);
}

/* The price of a request into bill; 0, or -1 when it has none. */
static int price(struct eqt_bill *bill, const struct eqt_conf *conf,
		 const job_desc_msg_t *job_desc)
{
	struct eqt_error err;
	struct eqt_ask ask;

	eqt_ask_from_desc(&ask, job_desc);
#ifdef EQT_HAVE_INTERNAL
	eqt_ask_add_partition(&ask, job_desc->partition);
#endif
	if (eqt_bill_make(bill, &conf->prices, &ask, &err) < 0) {
		eqt_log_debug("a submission of uid %u has no price: %s",
			      (unsigned int) job_desc->user_id, err.text);
		return -1;
	}
	return 0;
}

int job_submit(job_desc_msg_t *job_desc, uint32_t submit_uid, char **err_msg)
{
	const struct eqt_shared_conf *shared = eqt_reload_get();
	enum eqt_message message;
	char text[EQT_BILL_TEXT];
	struct eqt_bill bill;

	(void) submit_uid;
	if (!shared)
		return SLURM_SUCCESS;
	message = eqt_message_from_desc(job_desc, shared->conf->message);
	if (message != EQT_MESSAGE_OFF &&
	    price(&bill, shared->conf, job_desc) == 0)
		tell(err_msg,
		     message == EQT_MESSAGE_FULL
			     ? eqt_bill_full(&bill, text, sizeof(text))
			     : eqt_bill_brief(&bill, text, sizeof(text)));
	eqt_reload_put(shared);
	return SLURM_SUCCESS;
}

/* Slurm 22.05 has not yet checked here who asks: no effect, no message. */
int job_modify(job_desc_msg_t *job_desc, struct job_record *job_ptr,
	       uint32_t submit_uid)
{
	(void) job_desc;
	(void) job_ptr;
	(void) submit_uid;
	return SLURM_SUCCESS;
}
