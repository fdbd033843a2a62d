/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remote: the cluster that Slurm's commands are asked about, as -M of those commands. */
#ifndef EQT_CLI_REMOTE_H
#define EQT_CLI_REMOTE_H

/* Have Slurm's commands show one cluster to this process, also where a site lets them show
 * all clusters of a federation: prices, shares and budgets belong to one. Called first. */
void eqt_remote_begin(void);

/* Ask about this cluster from now on, in the whole process; there must be no other
 * thread. 0, or -1: not the name of one cluster. */
int eqt_remote_choose(const char *name);

/* Choose the next cluster of a list "a,b", and move *list behind it. 1; 0 at the end of
 * the list; -1: not a name. */
int eqt_remote_next(const char **list);

/* The chosen cluster; NULL: that of slurm.conf. */
const char *eqt_remote_chosen(void);

/*
 * The text of a command for the chosen cluster, for free(): sacct and sshare get -M, and
 * sacctmgr gets cluster=NAME. Other commands stay as they are, since they read
 * SLURM_CLUSTERS, which eqt_remote_choose() sets.
 */
char *eqt_remote_command(const char *command);

/* The word to append to the words of a command for the chosen cluster; NULL: none. */
const char *eqt_remote_word(const char *const *words);

#endif
