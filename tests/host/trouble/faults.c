/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../fail.h"
#include "faults.h"
#include "power.h"

enum call { OPEN, READ, WRITE, SYNC, RENAME, LINK, ANY };

enum what { GOES_ON, FAILS, SHORT, HANGS };

static const char *const call_names[] = {
	[OPEN] = "open",     [READ] = "read", [WRITE] = "write",
	[SYNC] = "sync",     [RENAME] = "rename", [LINK] = "link",
	[ANY] = "any",
};

static const struct {
	const char *name;
	int number;
} errors[] = {
	{ "EACCES", EACCES }, { "EIO", EIO },	    { "EMFILE", EMFILE },
	{ "ENFILE", ENFILE }, { "ENOMEM", ENOMEM }, { "ENOSPC", ENOSPC },
	{ "EROFS", EROFS },   { "EDQUOT", EDQUOT }, { "EINTR", EINTR },
};

static struct {
	pthread_mutex_t lock; /* protects all variables below; times is read without */
	pthread_cond_t over;
	enum call call;
	enum what what;
	int error;
	int64_t skip; /* calls that succeed before the fault */
	_Atomic int64_t times; /* calls that fail then; 0: no fault */
	int64_t met;
	unsigned int serial; /* of the fault, for calls that hang in it */
} fault = { .lock = PTHREAD_MUTEX_INITIALIZER,
	    .over = PTHREAD_COND_INITIALIZER };

static bool is_ours(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && (!strncmp(name, "/equitree_", 10) ||
			!strncmp(name, "/priority_last_decay_ran", 24) ||
			!strcmp(name, "/state"));
}

static bool fd_is_ours(int fd)
{
	char link[64], path[PATH_MAX];
	ssize_t length;

	(void) snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (length <= 0)
		return false;
	path[length] = '\0';
	return is_ours(path);
}

/* Wait until the fault is over. The lock is held. */
static void hang(void)
{
	unsigned int serial = fault.serial;

	if (gettid() == getpid())
		fail("slurmctld's own thread waits for the disk");
	while (fault.serial == serial)
		pthread_cond_wait(&fault.over, &fault.lock);
}

/* The fate of this call: GOES_ON, or FAILS with errno set. */
static enum what meet(enum call call)
{
	enum what what = GOES_ON;

	pthread_mutex_lock(&fault.lock);
	if (fault.times && (fault.call == call || fault.call == ANY)) {
		if (fault.skip) {
			fault.skip--;
		} else {
			fault.times--;
			fault.met++;
			what = fault.what;
			errno = fault.error;
		}
	}
	if (what == HANGS)
		hang();
	pthread_mutex_unlock(&fault.lock);
	return what;
}

/* The same of a call on an open file. Its name costs as much as the call: it is looked
 * up only while there is a fault. */
static enum what meet_on(int fd, enum call call)
{
	return fault.times && fd_is_ours(fd) ? meet(call) : GOES_ON;
}

/* ---- What everybody else calls ------------------------------------------- */

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;
	int fd;

	if (flags & O_CREAT) {
		va_start(args, flags);
		mode = va_arg(args, mode_t);
		va_end(args);
	}
	if (is_ours(path) && meet(OPEN) == FAILS)
		return -1;
	fd = (int) syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	if (fd >= 0 && flags & O_CREAT)
		power_created(path);
	return fd;
}

ssize_t read(int fd, void *data, size_t length)
{
	enum what what = meet_on(fd, READ);

	if (what == FAILS)
		return -1;
	if (what == SHORT && length > 1)
		length /= 2;
	return syscall(SYS_read, fd, data, length);
}

ssize_t write(int fd, const void *data, size_t length)
{
	enum what what = meet_on(fd, WRITE);
	ssize_t done;

	if (what == FAILS)
		return -1;
	if (what == SHORT && length > 1)
		length /= 2;
	done = syscall(SYS_write, fd, data, length);
	/* What is written now may be lost. */
	power_written();
	return done;
}

int fsync(int fd)
{
	if (meet_on(fd, SYNC) == FAILS)
		return -1;
	if (syscall(SYS_fsync, fd) < 0)
		return -1;
	power_synced(fd);
	return 0;
}

int fdatasync(int fd)
{
	if (meet_on(fd, SYNC) == FAILS)
		return -1;
	if (syscall(SYS_fdatasync, fd) < 0)
		return -1;
	power_synced(fd);
	return 0;
}

int rename(const char *from, const char *to)
{
	if (is_ours(to) && meet(RENAME) == FAILS)
		return -1;
	if (syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to) < 0)
		return -1;
	power_renamed(from, to);
	return 0;
}

int link(const char *from, const char *to)
{
	if (is_ours(to) && meet(LINK) == FAILS)
		return -1;
	if (syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0) < 0)
		return -1;
	power_linked(from, to);
	return 0;
}

int unlink(const char *path)
{
	if (syscall(SYS_unlinkat, AT_FDCWD, path, 0) < 0)
		return -1;
	power_unlinked(path);
	return 0;
}

/* ---- What the history says ------------------------------------------------ */

static int error_named(const char *name)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (!strcmp(errors[i].name, name))
			return errors[i].number;
	fail("unknown error \"%s\"", name);
}

static enum call call_named(const char *name)
{
	for (size_t i = 0; i < sizeof(call_names) / sizeof(*call_names); i++)
		if (!strcmp(call_names[i], name))
			return (enum call) i;
	fail("unknown call \"%s\"", name);
}

static void fault_arm(const struct words *words)
{
	const char *what = words_at(words, 3, "what becomes of it");

	fault.call = call_named(words_at(words, 1, "the call"));
	fault.what = !strcmp(what, "short")  ? SHORT
		     : !strcmp(what, "hang") ? HANGS
					     : FAILS;
	fault.error = fault.what == FAILS ? error_named(what) : 0;
	fault.skip = words_int_at(words, 2, "which call") - 1;
	fault.times = words_int(words, "times", 1);
}

void faults_set(const struct words *words)
{
	bool none = !strcmp(words_at(words, 1, "the call"), "none");

	pthread_mutex_lock(&fault.lock);
	if (none) {
		printf("fault met %lld\n", (long long) fault.met);
		fault.met = 0;
	} else {
		fault_arm(words);
	}
	pthread_mutex_unlock(&fault.lock);
	if (none)
		faults_clear();
}

bool faults_met(void)
{
	bool met;

	pthread_mutex_lock(&fault.lock);
	met = fault.met > 0;
	pthread_mutex_unlock(&fault.lock);
	return met;
}

void faults_clear(void)
{
	pthread_mutex_lock(&fault.lock);
	fault.times = 0;
	fault.serial++;
	pthread_cond_broadcast(&fault.over);
	pthread_mutex_unlock(&fault.lock);
}
