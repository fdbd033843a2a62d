# SPDX-License-Identifier: GPL-2.0-or-later
# What Slurm's headers at hand have. Releases of one line differ, too: each
# thing is tried by itself, and no version is asked.
#
# EQT_SLURM_FEATURES writes plugins/slurm/features.h, where each EQT_HAVE_NAME is
# 1 or 0. EQT_SLURM_KNOWN stops configure when the plugins' sources do not compile
# with these headers, so that make does not have to.

# EQT_SLURM_TRY(NAME, WHAT, BODY): does BODY compile?
AC_DEFUN([EQT_SLURM_TRY], [
AC_MSG_CHECKING([whether Slurm has $2])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[$eqt_slurm_prolog]], [[$3]])],
	[eqt_has=1], [eqt_has=0])
AS_IF([test $eqt_has = 1], [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
eqt_slurm_features="$eqt_slurm_features $1=$eqt_has"
])

AC_DEFUN([EQT_SLURM_FEATURES], [
eqt_slurm_features=
eqt_save_CPPFLAGS=$CPPFLAGS
eqt_save_CFLAGS=$CFLAGS
# What a compiler may take with a warning is no yes.
eqt_slurm_strict="-Werror=implicit-function-declaration -Werror=incompatible-pointer-types -Werror=int-conversion"
CFLAGS="$CFLAGS $eqt_slurm_strict"

eqt_slurm_prolog='
#include <stdbool.h>
#include <stdint.h>
#include <slurm/slurm.h>
#include <slurm/slurmdb.h>'
EQT_SLURM_TRY([SELECT_NAMES], [the names SELECT_CPU and SELECT_MEMORY],
	[return SELECT_CPU | SELECT_MEMORY;])
EQT_SLURM_TRY([DESC_STEP_ID], [a step's name in a description],
	[job_desc_msg_t desc; return (int) sizeof(desc.step_id.job_id);])
# Only clients of tests and bench use these two.
EQT_SLURM_TRY([LOAD_JOB_STEP], [slurm_load_job() by a step's name],
	[job_info_msg_t *answer; slurm_step_id_t id; return slurm_load_job(&answer, id, 0);])
EQT_SLURM_TRY([LOAD_PRIO_FILTER], [slurm_load_job_prio() of some jobs],
	[priority_factors_response_msg_t *answer;
	 return slurm_load_job_prio(&answer, NULL, NULL, NULL, 0);])

AS_IF([test "$slurm_internal" = yes], [EQT_SLURM_FEATURES_INTERNAL])

CPPFLAGS=$eqt_save_CPPFLAGS
CFLAGS=$eqt_save_CFLAGS
AC_CONFIG_COMMANDS([plugins/slurm/features.h], [
	mkdir -p plugins/slurm
	{
		echo "/* Made by configure: what Slurm's headers have. */"
		for feature in $eqt_slurm_features; do
			echo "#define EQT_HAVE_${feature%=*} ${feature#*=}"
		done
	} >plugins/slurm/features.new
	# Untouched where it says the same: nothing is built anew.
	if cmp -s plugins/slurm/features.new plugins/slurm/features.h; then
		rm -f plugins/slurm/features.new
	else
		mv -f plugins/slurm/features.new plugins/slurm/features.h
	fi
], [eqt_slurm_features='$eqt_slurm_features'])
])

AC_DEFUN([EQT_SLURM_FEATURES_INTERNAL], [
eqt_slurm_cppflags="-I`cd "$srcdir" && pwd`/plugins/slurm/slurm-config -D_GNU_SOURCE $SLURM_INTERNAL_CPPFLAGS"
CPPFLAGS="$eqt_slurm_cppflags $CPPFLAGS"
AC_MSG_CHECKING([whether Slurm has the folder src/interfaces])
AS_IF([test -f "$slurm_source/src/interfaces/priority.h"],
	[eqt_has=1
	 eqt_slurm_moved='
#include "src/interfaces/priority.h"
#include "src/interfaces/site_factor.h"'
	 AC_MSG_RESULT([yes])],
	[eqt_has=0
	 eqt_slurm_moved='
#include "src/common/slurm_priority.h"
#include "src/common/site_factor.h"'
	 AC_MSG_RESULT([no])])
eqt_slurm_features="$eqt_slurm_features INTERFACES=$eqt_has"
eqt_slurm_prolog="$eqt_slurm_prolog"'
#include "src/common/assoc_mgr.h"
#include "src/common/node_conf.h"
#include "src/common/slurm_protocol_api.h"
#include "src/common/run_in_daemon.h"
'"$eqt_slurm_moved"'
#include "src/slurmctld/slurmctld.h"'

AC_MSG_CHECKING([whether the internal headers compile])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[$eqt_slurm_prolog]])],
	[AC_MSG_RESULT([yes])],
	[AC_MSG_RESULT([no])
	 eqt_first=`sed -n "s|^$slurm_source/||; s/^\([[^ ]]*\):\([[0-9]]*\):[[0-9]]*: \(fatal \)*error: /\1:\2: /p" conftest.err | sed 1q`
	 EQT_SLURM_REFUSE([the headers of $slurm_source do not compile: ${eqt_first:-config.log says why}])])

EQT_SLURM_TRY([JOB_DETAILS_T], [the type job_details_t],
	[job_details_t *details = 0; return !details;])
EQT_SLURM_TRY([LIST_T], [the types list_t and list_itr_t],
	[list_t *list = 0; list_itr_t *next = 0; return !list && !next;])
EQT_SLURM_TRY([NODE_FEATURE_T], [features of nodes in slurmctld.h],
	[node_feature_t *feature = 0; return !feature || !active_feature_list;])
EQT_SLURM_TRY([JOB_QOS_LIST], [a list of a job's QOS],
	[job_record_t *job = 0; return !job->qos_list;])
EQT_SLURM_TRY([JOB_PRIO_MULT], [a job's priorities in prio_mult],
	[job_record_t *job = 0; return !job->prio_mult->priority_array;])
EQT_SLURM_TRY([JOB_PART_PRIO], [a job's priorities in part_prio],
	[job_record_t *job = 0; return !job->part_prio->priority_array;])
EQT_SLURM_TRY([PRIORITY_ARRAY_PARTS], [names of partitions beside them],
	[job_record_t *job = 0; return !job->part_prio->priority_array_parts;])
EQT_SLURM_TRY([FACTORS_T], [the type priority_factors_t],
	[priority_factors_t *factors = 0; slurm_destroy_priority_factors(factors);])
EQT_SLURM_TRY([FACTORS_REQUEST], [a request of sprio that the plugin reads],
	[priority_factors_request_msg_t request; return !priority_g_get_priority_factors_list(&request, 0);])
EQT_SLURM_TRY([FACTORS_STEP_ID], [a step's name in what sprio is sent],
	[priority_factors_object_t object; object.step_id.job_id = 0; return (int) object.step_id.job_id;])
EQT_SLURM_TRY([THREAD_START], [the hook priority_p_thread_start],
	[priority_g_thread_start();])
EQT_SLURM_TRY([RECOVER], [the hook priority_p_recover],
	[return (int) priority_g_recover(0);])
EQT_SLURM_TRY([CALC_FS_FACTOR], [the hook priority_p_calc_fs_factor],
	[return priority_g_calc_fs_factor(0, 0) > 0;])
EQT_SLURM_TRY([SITE_FACTOR_G_INIT], [site_factor_g_init()],
	[return site_factor_g_init() + site_factor_g_fini();])
EQT_SLURM_TRY([COORDINATOR_LOCKED], [coordinators asked for under a lock],
	[return assoc_mgr_is_user_acct_coord((void *) 0, 0, (char *) 0, false);])
EQT_SLURM_TRY([ACTIVE_NODES], [a count of the nodes that there are],
	[return active_node_record_count;])
EQT_SLURM_TRY([ARRAY_SPLIT_LIST], [job_array_split() with two parameters],
	[job_record_t *job = 0; return !job_array_split(job, true);])
EQT_SLURM_TRY([ASSOC_MGR_ALLOC_TEXT], [assoc_mgr_set_job_tres_alloc_str()],
	[job_record_t *job = 0; assoc_mgr_set_job_tres_alloc_str(job, true);])
EQT_SLURM_TRY([USED_RUN_SECS], [run-seconds of accounts and users],
	[slurmdb_used_limits_t used; return !used.tres_run_secs;])
EQT_SLURM_TRY([EXCLUSIVE_TOPO], [jobs alone on a block of the topology],
	[job_details_t *details = 0; part_record_t *part = 0;
	 return (details->whole_node & WHOLE_TOPO) == JOB_SHARED_TOPO &&
		(part->flags & PART_FLAG_EXCLUSIVE_TOPO);])
EQT_SLURM_TRY([IMPLICIT_MAX_NODES], [a mark for a most of nodes not asked for],
	[job_record_t *job = 0; return (job->bit_flags & JOB_IMPLICIT_MAX_NODES) != 0;])
EQT_SLURM_TRY([MAX_CPUS_PER_SOCKET], [MaxCPUsPerSocket of a partition],
	[part_record_t *part = 0; return (int) part->max_cpus_per_socket;])
# What only the stand-in slurmctld of the tests uses.
EQT_SLURM_TRY([ASSOC_ARGS_LOCATION], [a folder told to assoc_mgr],
	[assoc_init_args_t args; return !args.state_save_location;])
EQT_SLURM_TRY([ASSOC_LFT], [an association's place in slurmdbd's order],
	[slurmdb_assoc_rec_t assoc; return (int) assoc.lft;])
EQT_SLURM_TRY([UPDATE_QOS_USAGE], [an update of a QOS's usage],
	[return SLURMDB_UPDATE_QOS_USAGE;])
EQT_SLURM_TRY([DAEMON_NAMES], [the name IS_SLURMCTLD],
	[return IS_SLURMCTLD != 0;])
])

# EQT_SLURM_KNOWN: every source of the plugins that needs internal headers is
# checked by the compiler; what the first error is, is configure's one line.
AC_DEFUN([EQT_SLURM_KNOWN], [
AS_IF([test "$slurm_internal" = yes], [
	AC_MSG_CHECKING([whether the plugins' sources compile with Slurm $slurm_version])
	rm -rf conftest.dir
	mkdir -p conftest.dir/slurm
	for feature in $eqt_slurm_features; do
		echo "#define EQT_HAVE_${feature%=*} ${feature#*=}"
	done >conftest.dir/slurm/features.h
	(cd "$srcdir" && find plugins/slurm plugins/priority plugins/job_submit \
		-name '*.c') >conftest.list
	eqt_here=`pwd`
	eqt_sources=`cat conftest.list`
	AS_IF([(cd "$srcdir" && $CC -std=c11 -fsyntax-only $CFLAGS $eqt_slurm_strict \
		-I"$eqt_here/conftest.dir" -Ilib -Iplugins -Iplugins/priority \
		-DEQT_HAVE_INTERNAL -DEQT_VERSION='""' $eqt_slurm_cppflags $CPPFLAGS \
		$ZLIB_CFLAGS $eqt_sources) >conftest.err 2>&1],
		[AC_MSG_RESULT([yes])
		 rm -rf conftest.dir],
		[AC_MSG_RESULT([no])
		 rm -rf conftest.dir
		 cat conftest.err >&AS_MESSAGE_LOG_FD
		 eqt_first=`sed -n 's/^\([[^ ]]*\):\([[0-9]]*\):[[0-9]]*: \(fatal \)*error: \(.*\)/\4 (\1:\2)/p' conftest.err | sed 1q`
		 EQT_SLURM_REFUSE([Slurm $slurm_version has something that priority/equitree does not know: ${eqt_first:-config.log says what}])])
])
AS_IF([test $slurm_number -ge 1705472], [AC_MSG_WARN([Slurm $slurm_version is newer than 26.05, the newest that equitree has been tried on: watch its first days])])
])
