/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "price/price_terms.h"

/* Where bundles differ, two resources that are apart in one of them are apart: the union
 * of such relations is one again, since what is not counted is apart from all. */
void eqt_price_terms_raise(struct eqt_terms *terms,
			   const struct eqt_bundle *bundle)
{
	for (int i = 0; i < EQT_RESOURCES; i++)
		eqt_price_terms_raise_rate(
			&terms->rate[i],
			eqt_price_terms_rate(bundle, (enum eqt_resource) i));
	if (bundle->terms)
		terms->apart |= bundle->terms->apart;
}
