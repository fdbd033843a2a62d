/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remote: the cluster about which Slurm's commands are asked, as with their option -M. */
#ifndef EQT_CLI_REMOTE_H
#define EQT_CLI_REMOTE_H

/* Make Slurm's commands show one cluster to this process, even where a site makes them
 * show all clusters of a federation, because prices, shares and budgets belong to one
 * cluster. Must be called first. */
void eqt_remote_begin(void);

/* Ask about this cluster from now on, in the whole process. There must be no other
 * thread. Returns 0, or -1 if the text is not the name of one cluster. */
int eqt_remote_choose(const char *name);

/* Choose the next cluster of a list "a,b", and move *list behind it. Returns 1, 0 at the
 * end of the list, or -1 if the text is not a name. */
int eqt_remote_next(const char **list);

/* The chosen cluster; NULL means the cluster of slurm.conf. */
const char *eqt_remote_chosen(void);

/*
 * The text of a command for the chosen cluster, which the caller frees with free(). sacct
 * and sshare get -M, and sacctmgr gets cluster=NAME. Other commands are unchanged,
 * because they read SLURM_CLUSTERS, which eqt_remote_choose() sets.
 */
char *eqt_remote_command(const char *command);

/* The word that the caller appends to a command so that it asks about the chosen cluster.
 * NULL: none is needed. */
const char *eqt_remote_word(const char *const *words);

#endif
