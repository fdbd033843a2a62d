/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <pwd.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "submission.h"

static char environment[] = "PATH=/usr/bin:/bin";
static char *const environments[] = { environment, NULL };

/* The users' ids follow each other in the sandbox. */
static uid_t user_of(const struct submission_crowd *crowd, unsigned int turn)
{
	static _Atomic uid_t first;

	if (!first) {
		const struct passwd *user = getpwnam("u1");

		if (!user) {
			fputs("there is no user u1\n", stderr);
			exit(2);
		}
		first = user->pw_uid;
	}
	return first + turn % crowd->users;
}

static unsigned int account_of(const struct submission_crowd *crowd,
			       unsigned int turn)
{
	return 1 + turn / crowd->users % crowd->accounts;
}

bool submission_send(const struct submission_crowd *crowd, unsigned int turn,
		     struct submission_answer *out)
{
	static char script[] = "#!/bin/sh\n", directory[] = "/tmp",
		    name[] = "bench";
	submit_response_msg_t *answer = NULL;
	job_desc_msg_t desc;
	char account[16];

	(void) snprintf(account, sizeof(account), "a%u",
			account_of(crowd, turn));
	slurm_init_job_desc_msg(&desc);
	desc.user_id = user_of(crowd, turn);
	desc.group_id = desc.user_id;
	desc.account = account;
	desc.name = name;
	desc.script = script;
	desc.work_dir = directory;
	desc.environment = (char **) environments;
	desc.env_size = 1;
	desc.num_tasks = 2;
	desc.min_cpus = 2;
	desc.min_nodes = 1;
	desc.max_nodes = 1;
	desc.pn_min_memory = 10000;
	desc.time_limit = 60;
	if (slurm_submit_batch_job(&desc, &answer) != SLURM_SUCCESS)
		return false;
	out->job_id = answer->job_id;
	out->has_message = answer->job_submit_user_msg != NULL;
	slurm_free_submit_response_response_msg(answer);
	return true;
}

/* In the child: what sbatch says is for a user, not for us. */
static void become_sbatch(uid_t user, const char *account)
{
	const int nothing = open("/dev/null", O_RDWR);

	if (dup2(nothing, 0) == 0 && dup2(nothing, 1) == 1 &&
	    dup2(nothing, 2) == 2 && setgid(user) == 0 && setuid(user) == 0)
		(void) execle("/usr/bin/sbatch", "sbatch", account, "-n2",
			      "-N1", "--mem=10000", "-t60", "-D/tmp", "-Jbench",
			      "--wrap=:", (char *) NULL, environments);
	_exit(127);
}

bool submission_sbatch(const struct submission_crowd *crowd, unsigned int turn)
{
	const uid_t user = user_of(crowd, turn);
	char account[16];
	pid_t child;
	int status;

	(void) snprintf(account, sizeof(account), "-Aa%u",
			account_of(crowd, turn));
	child = fork();
	if (child == 0)
		become_sbatch(user, account);
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}
