/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>

#include <slurm/slurm_errno.h>

#include "records/associations.h"
#include "decision.h"

void eqt_decision_note(struct eqt_decision *out, const char *text)
{
	/* Copy the note, because it is both read and written below. The limits
	   in the formats leave room for both texts. */
	const struct eqt_error before = out->note;

	if (before.text[0])
		(void) eqt_error_set(&out->note, "%.200s; %.300s", before.text,
				     text);
	else
		(void) eqt_error_set(&out->note, "%s", text);
}

void eqt_decision_name_number(struct eqt_error *refusal, uint64_t nodes)
{
	const struct eqt_error before = *refusal;

	(void) eqt_error_set(refusal,
			     "%.400s, if it gets more than %" PRIu64
			     " node%s: -N%" PRIu64 " prevents that",
			     before.text, nodes, nodes == 1 ? "" : "s", nodes);
}

int eqt_decision_move(struct eqt_decision *out, const struct eqt_owner *owner,
		      const char *why, const char *qos)
{
	struct eqt_error text;

	/* Otherwise slurmctld would refuse the QOS later, without mentioning
	   the grant or the budget. */
	if (!eqt_associations_may(owner, qos)) {
		(void) eqt_error_set(&out->refusal,
				     "%.400s; you may not use QOS %s instead",
				     why, qos);
		return ESLURM_ACCOUNTING_POLICY;
	}
	(void) eqt_error_set(&text, "%.400s; the job goes to QOS %s", why, qos);
	eqt_decision_note(out, text.text);
	(void) eqt_associations_qos(&out->qos, owner, qos);
	out->moved = true;
	return SLURM_SUCCESS;
}
