/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_BILL_JSON_H
#define EQT_BILL_JSON_H

#include "bill/estimate.h"
#include "cli/json.h"

/* A price as a new JSON object. */
json_object *eqt_estimate_json(const struct eqt_conf *conf,
			       const struct eqt_estimate *quote);

#endif
