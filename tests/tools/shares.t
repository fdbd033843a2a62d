#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# equitree shares apply: the steps from a saved tree to the wanted one, and bad
# files. tests/system/share_tree.t does the steps.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# The steps that a file makes, "STEP NAME BEFORE AFTER;...".
steps() {
	cat >"$work/tree.csv"
	run shares apply "$work/tree.csv" --dry-run --assocs "$data/shares/assocs.txt" --csv --no-headings
	tr ',\n' ' ;' <<<"$out"
}
is "$(steps <<<$'Account,Shares\nphysics,10')" ";" "what is as the file says needs no step"
is "$(steps <<<$'account,User,Shares\nPhysics,ada,3\nchemistry,ben,2')" \
	"set user Physics/ada 1 3;set user chemistry/ben parent 2;" "shares of users"
is "$(steps <<<$'Shares,Account,Parent\n6,lasers,\n6,maser,lasers\n,x,')" ";" \
	"a file with an error makes no steps"
is "$(steps <<<$'Account,Parent,User,Shares\nmaser,beams,,6\nmaser,,cleo,parent\nbeams,lasers,,2\nlasers,chemistry,,5')" \
	"add account beams  2;add account maser  6;move account lasers physics chemistry;add user maser/cleo  parent;" \
	"parents are added before what is below them"
is "$(steps <<<$'Account,User,Shares\nlasers,,remove\nchemistry,ben,remove\nchemistry,,remove')" \
	"remove user chemistry/ben parent remove;remove account lasers 5 remove;remove account chemistry 4 remove;" \
	"users are removed before accounts"
is "$(steps <<<$'"Account","Shares"\r\n"physics","11"\r')" "set account physics 10 11;" "quotes and CRLF"
run shares apply "$work/tree.csv" --assocs "$data/shares/assocs.txt"
is "$status" 2 "a saved tree is compared, and not changed"

bad() { # TEXT NAME; the file on stdin
	cat >"$work/bad.csv"
	refuses "$work/bad.csv: $1" "$2" shares apply "$work/bad.csv" --dry-run --assocs "$data/shares/assocs.txt"
}
bad 'line 1: "Price": expected the columns Account, Parent, User and Shares' "an unknown column" <<<$'Account,Price\na,1'
bad 'line 1: expected the columns Account, Parent, User and Shares' "a missing column" <<<$'Account,User\na,b'
bad 'line 2: 1 columns: expected 2' "a line that lacks a cell" <<<$'Account,Shares\na'
bad 'line 2: Shares: "1.5": expected a number, parent or remove' "shares that are no number" <<<$'Account,Shares\na,1.5'
bad 'line 2: Account: "a b": expected a name of letters, digits and . _ - @ + :' "a name with a blank" <<<$'Account,Shares\na b,1'
bad 'line 2: Account: "a,b": expected a name of letters, digits and . _ - @ + :' \
	"a name that sacctmgr would take for two" <<<$'Account,Shares\n"a,b",1'
bad 'line 2: Account: "root": the root has no shares' "shares of the root" <<<$'Account,Shares\nroot,1'
bad 'line 3: Account: "PHYSICS": listed before' "an account that is listed twice" <<<$'Account,Shares\nphysics,1\nPHYSICS,2'
bad 'line 2: Parent: "x": only an account has a parent' "a user with a parent" <<<$'Account,Parent,User,Shares\nphysics,x,ada,1'
bad 'line 2: new: expected its parent' "a new account without a parent" <<<$'Account,Shares\nnew,1'
bad 'line 2: nowhere: no such account' "a parent that does not exist" <<<$'Account,Parent,Shares\nnew,nowhere,1'
bad 'line 2: nowhere: no such account' "a user of an account that does not exist" <<<$'Account,User,Shares\nnowhere,ada,1'
bad 'line 2: physics: it would be below itself' "an account below itself" <<<$'Account,Parent,Shares\nphysics,lasers,1'
bad 'line 2: physics: accounts are below it' "an account that others are below" <<<$'Account,Shares\nphysics,remove'
bad 'line 2: cut off: no line end' "a file that was cut off" < <(printf 'Account,Shares\nphysics,1')
run shares
is "$status" 2 "without a file it is misuse"
run shares undo x
is "$status" 2 "another verb is misuse"
done_testing
