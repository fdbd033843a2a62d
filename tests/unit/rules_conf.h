/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A configuration of three bundles and what a test adds to them. */
#ifndef RULES_CONF_H
#define RULES_CONF_H

#include <stdio.h>
#include <unistd.h>

#include "conf/conf.h"
#include "scratch_file.h"
#include "unit.h"

static const char bundles[] =
	"bundle cores { cores = 1 memory = 4000M }\n"
	"bundle gpu:p100 { cores = 6 memory = 32000M }\n"
	"bundle gpu:v100 { cores = 8 memory = 48000M weight = 2 }\n";

/* Read the bundles and more; the caller frees. */
static inline const struct eqt_conf *conf_of(const char *rules)
{
	char path[SCRATCH_PATH_SIZE], text[2048];
	const struct eqt_conf *conf;
	struct eqt_error err = { "" };
	int fd = scratch_file(path), length;

	length = snprintf(text, sizeof(text), "%s%s\n", bundles, rules);
	ck_assert_int_eq((int) write(fd, text, (size_t) length), length);
	conf = eqt_conf_read(path, &err);
	close(fd);
	ck_assert_msg(conf != NULL, "%s", err.text);
	return conf;
}

#endif
