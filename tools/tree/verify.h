/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify: numbers that sshare and sprio printed, recomputed from others that they
 * printed. Each number was rounded or cut off when it was printed, so a range of
 * numbers fits.
 */
#ifndef EQT_VERIFY_H
#define EQT_VERIFY_H

#include "slurm/sshare.h"

/* Half a unit of the sixth decimal, and a margin for errors of doubles. */
#define EQT_VERIFY_DIGIT 6e-7

/* A printed number that does not fit. */
struct eqt_verify_difference {
	const char *file; /* owned by struct eqt_verify */
	size_t line;
	char who[96]; /* "physics/ada", "job 12" */
	const char *column; /* static */
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
	bool fair_tree; /* there are ranks for eqt_verify_ranks() */
	size_t associations, users;
	size_t newer; /* rows whose usage has grown since the last ranking */
	size_t ambiguous; /* pairs that the printed digits do not order */
	size_t jobs, direct; /* direct: with a priority set by an operator */
	bool points; /* fair-share points were compared with FairShare */
};

/* Free what *verify owns. *verify is empty afterwards. */
void eqt_verify_free(struct eqt_verify *verify);

/* Add a difference between an association's cell of that column and what was expected. */
void eqt_verify_add_assoc(struct eqt_verify *verify,
			  const struct eqt_sshare *shares, uint32_t i,
			  const char *column, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* A cell as a number, INFINITY for "inf"; NAN if it is not a number. */
double eqt_verify_cell(const struct eqt_sshare *shares, uint32_t i,
		       const char *column);

/*
 * Recompute NormShares and LevelFS, or without Fair Tree EffectvUsage and FairShare, of
 * what "sshare -alP" printed. Returns 0, or -1 with err filled. Possible errors: a
 * missing column.
 */
int eqt_verify_shares(struct eqt_verify *verify,
		      const struct eqt_sshare *shares, struct eqt_error *err);

/* Recompute the ranks of Fair Tree, and FairShare from them. stock: only by the rules of
 * Slurm's own plugin. */
void eqt_verify_ranks(struct eqt_verify *verify,
		      const struct eqt_sshare *shares, bool stock);

/*
 * Recompute PRIORITY of what "sprio -l" printed at path, and FAIRSHARE if weights (a file
 * with the output of "sprio -wl") is not NULL. Returns 0, or -1 with err filled. Possible
 * errors: what eqt_sprio_read() refuses.
 */
int eqt_verify_priorities(struct eqt_verify *verify,
			  const struct eqt_sshare *shares, const char *path,
			  const char *weights, struct eqt_error *err);

/* Print all differences in the file of sshare and, unless NULL, that of sprio.
 * Returns EXIT_SUCCESS if there are none, EXIT_FAILURE otherwise. */
int eqt_verify_print(const struct eqt_verify *verify, const char *shares,
		     const char *priorities, bool json);

#endif
