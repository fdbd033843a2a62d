/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remote: the other cluster that Slurm's commands are asked about. */
#ifndef EQT_CLI_REMOTE_H
#define EQT_CLI_REMOTE_H

/* Where a site lets Slurm's commands show all clusters of a federation, they show one to
 * this process: prices, shares and budgets are those of one. Called first. */
void eqt_remote_begin(void);

/* Ask about this cluster from now on, as -M of Slurm's commands does; for the whole
 * process, and not beside other threads. 0, or -1 for what is no name of one cluster. */
int eqt_remote_choose(const char *name);

/* Choose the next cluster of a list "a,b", and move *list behind it. 1; 0 at the end of the
 * list; -1 for what is no name. */
int eqt_remote_next(const char **list);

/* The chosen one; NULL: that of slurm.conf. */
const char *eqt_remote_chosen(void);

/*
 * The command for the chosen cluster. sacct and sshare get -M, and sacctmgr
 * cluster=NAME; the others know the cluster from SLURM_CLUSTERS, which is set. Without
 * a choice it is the same command. To be freed with free().
 */
char *eqt_remote_command(const char *command);

/* The word that a command without a shell gets behind its words; NULL: none. */
const char *eqt_remote_word(const char *const *words);

#endif
