/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd: the subcommands of equitree. */
#ifndef EQT_CLI_CMD_H
#define EQT_CLI_CMD_H

#define EXIT_MISUSE 2

/* Each subcommand is called like a main(), with "equitree NAME" as argv[0]. It reports
 * its own errors on stderr and returns EXIT_SUCCESS, EXIT_FAILURE or EXIT_MISUSE. */
int cmd_bill(int argc, char **argv);
int cmd_boost(int argc, char **argv);
int cmd_budget(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_init(int argc, char **argv);
int cmd_leave(int argc, char **argv);
int cmd_metrics(int argc, char **argv);
int cmd_overhead(int argc, char **argv);
int cmd_recover(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_shares(int argc, char **argv);
int cmd_simulate(int argc, char **argv);
int cmd_tree(int argc, char **argv);
int cmd_tune(int argc, char **argv);
int cmd_usage(int argc, char **argv);
int cmd_when(int argc, char **argv);
int cmd_why(int argc, char **argv);

#endif
