/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_BILL_JSON_H
#define EQT_BILL_JSON_H

#include "bill/estimate.h"
#include "cli/json.h"

/* A price as a new JSON object. */
json_object *eqt_estimate_json(const struct eqt_conf *conf,
			       const struct eqt_estimate *quote);

/* A number with as few digits as name the same double. */
json_object *eqt_bill_json_frac(struct eqt_frac value);

#endif
