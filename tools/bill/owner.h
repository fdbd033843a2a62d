/* SPDX-License-Identifier: GPL-2.0-or-later */
/* owner: the accounts and QOS of who asks for a price, and the UsageFactors of QOS, from
 * sacctmgr. */
#ifndef EQT_BILL_OWNER_H
#define EQT_BILL_OWNER_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/text/columns.h"

/* Owned; {0} knows nothing. */
struct eqt_bill_owner {
	struct eqt_columns assocs, qos;
};

/* Ask sacctmgr; what it does not answer is not known. */
void eqt_bill_owner_ask(struct eqt_bill_owner *out);

/* Free what *owner owns; it is empty then. */
void eqt_bill_owner_free(struct eqt_bill_owner *owner);

/* The default account; NULL: not known. */
const char *eqt_bill_owner_account(const struct eqt_bill_owner *owner);

/* The QOS of a job that names none; NULL: not known. */
const char *eqt_bill_owner_qos(const struct eqt_bill_owner *owner,
			       const char *account, const char *partition);

/* The UsageFactor of a QOS, in millionths. false: not known. */
bool eqt_bill_owner_factor(uint64_t *factor_u,
			   const struct eqt_bill_owner *owner, const char *qos);

#endif
