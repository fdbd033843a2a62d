/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify: recomputes numbers that sshare and sprio printed from other numbers that they
 * printed. Each number was rounded or cut when it was printed, so a range of numbers is
 * accepted.
 */
#ifndef EQT_VERIFY_H
#define EQT_VERIFY_H

#include "slurm/sshare.h"

/* Half a unit of the sixth decimal, and a margin for errors of doubles. */
#define EQT_VERIFY_DIGIT 6e-7

/* A printed number that does not agree. */
struct eqt_verify_difference {
	const char *file; /* owned by struct eqt_verify */
	size_t line;
	char who[96]; /* such as "physics/ada", "job 12" */
	const char *column; /* static text */
	char printed[32];
	char expected[64];
};

/* The rules that the printed ranks follow. */
enum eqt_verify_rules {
	EQT_VERIFY_DOCUMENTED, /* Fair Tree with merged ties */
	EQT_VERIFY_STOCK, /* Fair Tree as Slurm's own plugin ranks */
	EQT_VERIFY_BOTH, /* both rules rank this tree in the same way */
	EQT_VERIFY_CLASSIC, /* NO_FAIR_TREE */
	EQT_VERIFY_OBLIVIOUS, /* NO_FAIR_TREE with DEPTH_OBLIVIOUS */
};

/* The result. Owns its memory; {0} is empty. */
struct eqt_verify {
	struct eqt_verify_difference *differences;
	size_t count;
	enum eqt_verify_rules rules;
	bool fair_tree; /* there are ranks, so call eqt_verify_ranks() */
	size_t associations, users;
	size_t newer; /* rows whose usage has grown since the last ranking */
	size_t ambiguous; /* pairs whose order the printed digits do not tell */
	/* "direct" counts jobs whose priority an operator has set */
	size_t jobs, direct;
	bool points; /* fair-share points were compared with FairShare */
};

/* Free what *verify owns. *verify is empty afterwards. */
void eqt_verify_free(struct eqt_verify *verify);

/* Add a difference between an association's cell in this column and what was expected. */
void eqt_verify_add_assoc(struct eqt_verify *verify,
			  const struct eqt_sshare *shares, uint32_t i,
			  const char *column, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* A cell as a number. INFINITY for "inf", and NAN if the cell is not a number. */
double eqt_verify_cell(const struct eqt_sshare *shares, uint32_t i,
		       const char *column);

/*
 * Recompute NormShares and LevelFS from the output of "sshare -alP", or EffectvUsage and
 * FairShare without Fair Tree. Returns 0, or -1 with err filled if a column is missing.
 */
int eqt_verify_shares(struct eqt_verify *verify,
		      const struct eqt_sshare *shares, struct eqt_error *err);

/* Recompute the ranks of Fair Tree, and FairShare from them. With "stock", use only the
 * rules of Slurm's own plugin. */
void eqt_verify_ranks(struct eqt_verify *verify,
		      const struct eqt_sshare *shares, bool stock);

/*
 * Recompute PRIORITY from the output of "sprio -l" in the file at path. If weights, a
 * file with the output of "sprio -wl", is not NULL, also recompute FAIRSHARE. Returns 0,
 * or -1 with err filled like eqt_sprio_read().
 */
int eqt_verify_priorities(struct eqt_verify *verify,
			  const struct eqt_sshare *shares, const char *path,
			  const char *weights, struct eqt_error *err);

/* Print all differences in the file of sshare and, unless it is NULL, in that of sprio.
 * Returns EXIT_SUCCESS if there are none, or EXIT_FAILURE. */
int eqt_verify_print(const struct eqt_verify *verify, const char *shares,
		     const char *priorities, bool json);

#endif
