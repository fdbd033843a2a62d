/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are refused, each with the whole of what is said about it. */
#ifndef CONF_REFUSED_H
#define CONF_REFUSED_H

#define CORES "bundle \"cores\" { cores = 1 }\n"

#define NUMBER_WANTED ": wanted is a number above 0, up to 1000000, with " \
	"at most six decimals"
#define MEMORY_WANTED ": wanted is an amount such as 4000M or 62.5G, up to " \
	"1024T"
#define SCALE_WANTED ": wanted is a whole number from 1 to 1000000"
#define NAME_WANTED ": wanted is cores or a GRES name such as gpu or " \
	"gpu:p100, of at most 63 characters"
#define FROM_0_WANTED ": wanted is a number from 0 to 1000000, with at most " \
	"six decimals"
#define NODES_WANTED ": wanted is a list of nodes such as " \
	"gra[1-10],gra20, of at most 255 characters"
#define FEATURES_WANTED ": wanted is names of features with commas between, " \
	"of at most 255 characters"
#define WAY_WANTED ": wanted is ignore, refuse, warn or bonus"
#define RULE_WANTED ": wanted is a name of at most 63 letters, digits, _, . " \
	"and -"
#define BUNDLES_WANTED ": wanted is names of bundles that are above, with " \
	"commas between"
#define NAME_63 \
	"gpu:p1001234567890123456789012345678901234567890123456789012345"

static const struct {
	const char *name;
	const char *text;
	const char *want;
} bad_rows[] = {
	/* the section without a name */
	{ "priority twice", CORES "priority { order = users }\n"
	  "priority { rank_every = 1 }\n",
	  "FILE:3: the section priority is there twice" },
	{ "priority's key at the top", CORES "allocated_now = 60\n",
	  "FILE:2: no such option 'allocated_now'" },
	{ "a wrong word", CORES "priority { order = groups }\n",
	  "FILE:2: order = \"groups\": wanted is users or jobs" },
	{ "a weight beyond 31 bits", CORES "priority {\n"
	  "access_weight = 1000000001 }\n",
	  "FILE:3: access_weight = \"1000000001\": wanted is points from 0 "
	  "(off) to 1000000000" },
	{ "full at once", CORES "priority { expansion_full = 1 }\n",
	  "FILE:2: expansion_full = \"1\": wanted is a number from 1.1 to "
	  "1000000, with at most six decimals" },
	{ "jobs that count as nothing", CORES "priority { order = jobs }\n",
	  "FILE:2: order = jobs needs allocated_now, or rank_by = allocated" },
	/* what libconfuse finds */
	{ "unknown key", "# 1\n# 2\nbundle \"cores\" {\n\tcores = 1\n"
	  "\twieght = 1\n}\n",
	  "FILE:5: no such option 'wieght'" },
	{ "unknown key at the top", CORES "half_life = 7d\n",
	  "FILE:2: no such option 'half_life'" },
	{ "bundle's key at the top", CORES "cores = 1\n",
	  "FILE:2: no such option 'cores'" },
	{ "top's key in a bundle", "bundle cores { message = off }",
	  "FILE:1: no such option 'message'" },
	{ "bundle in a bundle", "bundle cores {\nbundle gpu { cores = 1 } }",
	  "FILE:2: no such option 'bundle'" },
	{ "bundle twice", CORES "bundle \"gpu:p100\" { cores = 6 }\n"
	  "bundle \"gpu:p100\" { cores = 7 }\n",
	  "FILE:3: found duplicate title 'gpu:p100'" },
	{ "cores twice", CORES CORES, "FILE:2: found duplicate title 'cores'" },
	{ "no title", "bundle {\n\tcores = 1\n}\n",
	  "FILE:1: missing title for section 'bundle'" },
	{ "no brace", "bundle cores\ncores = 1",
	  "FILE:2: missing opening brace for section 'bundle'" },
	{ "brace too many", CORES "}\n", "FILE:2: unexpected closing brace" },
	{ "no equal sign", "bundle cores { cores 1 }",
	  "FILE:1: missing equal sign after option 'cores'" },
	{ "no value", "bundle cores { cores = }",
	  "FILE:1: unexpected token '}'" },
	{ "two values", "bundle cores {\ncores = 1 2 }",
	  "FILE:2: no such option '2'" },
	{ "list", "bundle cores { cores = {1 } }",
	  "FILE:1: unexpected token '{'" },
	{ "equal sign twice", CORES "message == off",
	  "FILE:2: unexpected token '='" },
	{ "end within a key", CORES "message =",
	  "FILE:2: premature end of file" },
	{ "end before a section", CORES "bundle gpu\n",
	  "FILE:3: premature end of file" },
	{ "empty key", CORES "\"\" = 1", "FILE:2: this cannot be read" },
	/* what it would let pass */
	{ "section not closed", CORES "bundle gpu {\n\tcores = 4\n\n",
	  "FILE:2: the section is never closed" },
	{ "section not closed before the next",
	  "bundle cores {\ncores = 1\nbundle gpu {\ncores = 1\n}\n",
	  "FILE:3: no such option 'bundle'" },
	{ "quote not closed", CORES "bundle \"gpu {\n\tcores = 4\n}\n",
	  "FILE:2: the quote is not closed on its line" },
	{ "blank in quotes", CORES "message = \" off\"\n",
	  "FILE:2: unexpected character ' '" },
	{ "quote not closed on its line", CORES "message = \"off\n",
	  "FILE:2: the quote is not closed on its line" },
	{ "quote not closed at the end", CORES "message = 'off",
	  "FILE:2: the quote is not closed on its line" },
	{ "quote closed by the other", CORES "message = 'off\"\n",
	  "FILE:2: the quote is not closed on its line" },
	{ "quote in a quote", CORES "message = 'o\"ff'\n",
	  "FILE:2: unexpected character '\"'" },
	{ "lone quote at the end", CORES "\"",
	  "FILE:2: the quote is not closed on its line" },
	{ "quote over two lines", CORES "message = \"of\nf\"\n",
	  "FILE:2: the quote is not closed on its line" },
	{ "include", CORES "include(\"/etc/passwd\")\n",
	  "FILE:2: unexpected character '('" },
	{ "include without parentheses", CORES "include = x\n",
	  "FILE:2: no such option 'include'" },
	{ "environment", CORES "message = ${HOME}\n",
	  "FILE:2: unexpected character '$'" },
	{ "environment in quotes", CORES "message = \"${HOME}\"\n",
	  "FILE:2: unexpected character '$'" },
	{ "escape in quotes", CORES "message = \"of\\x66\"\n",
	  "FILE:2: unexpected character '\\'" },
	{ "C comment", CORES "/* message = off */\n",
	  "FILE:2: unexpected character '/'" },
	{ "appended", CORES "message += off\n",
	  "FILE:2: unexpected character '+'" },
	{ "the reader's own key", CORES "\"!reader\" = 1\n",
	  "FILE:2: unexpected character '!'" },
	{ "control character", CORES "\033\n", "FILE:2: unexpected byte 0x1b" },
	{ "UTF-8", CORES "bundle \"gpu:\xc3\xa9\" {\n",
	  "FILE:2: unexpected byte 0xc3" },
	/* what the schema refuses */
	{ "key twice", "bundle cores {\n\tcores = 1\n\tcores = 1\n}\n",
	  "FILE:3: cores is there twice" },
	{ "key twice at the top", CORES "message = off\nmessage = full\n",
	  "FILE:3: message is there twice" },
	{ "no cores", CORES "bundle \"gpu:p100\" {\n\tmemory = 1\n}\n",
	  "FILE:4: bundle \"gpu:p100\" has no cores" },
	{ "cores of 0", "bundle cores {\ncores = 0\n}",
	  "FILE:2: cores = \"0\"" NUMBER_WANTED },
	{ "cores of 0.0", "bundle cores { cores = 0.0 }",
	  "FILE:1: cores = \"0.0\"" NUMBER_WANTED },
	{ "negative cores", "bundle cores { cores = -1 }",
	  "FILE:1: cores = \"-1\"" NUMBER_WANTED },
	{ "too many cores", "bundle cores { cores = 1000000.000001 }",
	  "FILE:1: cores = \"1000000.000001\"" NUMBER_WANTED },
	{ "too many decimals", "bundle cores { cores = 3.5000000 }",
	  "FILE:1: cores = \"3.5000000\"" NUMBER_WANTED },
	{ "cores with a suffix", "bundle cores { cores = 4K }",
	  "FILE:1: cores = \"4K\"" NUMBER_WANTED },
	{ "empty value", "bundle cores { cores = \"\" }",
	  "FILE:1: cores = \"\"" NUMBER_WANTED },
	{ "negative memory", "bundle cores {\ncores = 1\nmemory = -4000M\n}",
	  "FILE:3: memory = \"-4000M\"" MEMORY_WANTED },
	{ "memory in words", "bundle cores { memory = lots }",
	  "FILE:1: memory = \"lots\"" MEMORY_WANTED },
	{ "memory in MB", "bundle cores { memory = 4000MB }",
	  "FILE:1: memory = \"4000MB\"" MEMORY_WANTED },
	{ "a suffix alone", "bundle cores { memory = M }",
	  "FILE:1: memory = \"M\"" MEMORY_WANTED },
	{ "two suffixes", "bundle cores { memory = 4KK }",
	  "FILE:1: memory = \"4KK\"" MEMORY_WANTED },
	{ "unknown suffix", "bundle cores { memory = 4P }",
	  "FILE:1: memory = \"4P\"" MEMORY_WANTED },
	{ "too much memory", "bundle cores { memory = 1025T }",
	  "FILE:1: memory = \"1025T\"" MEMORY_WANTED },
	{ "memory that wraps", "bundle cores { memory = 18446744073709T }",
	  "FILE:1: memory = \"18446744073709T\"" MEMORY_WANTED },
	{ "long memory",
	  "bundle cores { memory = 0000000000000000000000000000000001M }",
	  "FILE:1: memory = \"0000000000000000000000000000000001M\""
	  MEMORY_WANTED },
	{ "weight of 0", CORES "bundle gpu { cores = 1 weight = 0 }",
	  "FILE:2: weight = \"0\"" NUMBER_WANTED },
	{ "weight of cores", "bundle cores {\ncores = 1\nweight = 2\n}",
	  "FILE:4: the weight of bundle \"cores\" is always 1" },
	{ "message", CORES "message = loud\n",
	  "FILE:2: message = \"loud\": wanted is off, brief or full" },
	{ "message in capitals", CORES "message = OFF\n",
	  "FILE:2: message = \"OFF\": wanted is off, brief or full" },
	{ "scale of 0", CORES "billing_scale = 0\n",
	  "FILE:2: billing_scale = \"0\"" SCALE_WANTED },
	{ "scale too large", CORES "billing_scale = 1000001\n",
	  "FILE:2: billing_scale = \"1000001\"" SCALE_WANTED },
	{ "scale with a point", CORES "billing_scale = 1.0\n",
	  "FILE:2: billing_scale = \"1.0\"" SCALE_WANTED },
	{ "rounding", CORES "billing_round = up\n",
	  "FILE:2: billing_round = \"up\": wanted is floor, nearest or ceil" },
	{ "bundle twice for its nodes",
	  CORES "bundle gpu { cores = 1 nodes = a }\n"
	  "bundle gpu { cores = 1 nodes = b }\n"
	  "bundle gpu { cores = 1 nodes = a }",
	  "FILE:4: found duplicate title 'gpu'" },
	{ "bundle twice, the second one empty",
	  CORES "bundle gpu { cores = 1 }\nbundle gpu { }",
	  "FILE:3: bundle \"gpu\" has no cores" },
	{ "nodes of cores", "bundle cores { cores = 1 nodes = a }",
	  "FILE:1: bundle \"cores\" is that of all nodes" },
	{ "no nodes", CORES "bundle gpu { nodes = \"\" }",
	  "FILE:2: nodes = \"\"" NODES_WANTED },
	{ "nodes without an end", CORES "bundle gpu { nodes = a[1-2 }",
	  "FILE:2: nodes = \"a[1-2\"" NODES_WANTED },
	{ "nodes without a begin", CORES "bundle gpu { nodes = a1-2],b }",
	  "FILE:2: nodes = \"a1-2],b\"" NODES_WANTED },
	{ "nodes in nodes", CORES "bundle gpu { nodes = a[1-[2]] }",
	  "FILE:2: nodes = \"a[1-[2]]\"" NODES_WANTED },
	{ "no features", CORES "bundle gpu { cores = 1 features = '' }",
	  "FILE:2: features = \"\"" FEATURES_WANTED },
	{ "empty feature", CORES "bundle gpu { cores = 1 features = a,,b }",
	  "FILE:2: features = \"a,,b\"" FEATURES_WANTED },
	{ "expression of features",
	  CORES "bundle gpu { cores = 1 features = a[1] }",
	  "FILE:2: features = \"a[1]\"" FEATURES_WANTED },
	{ "cores with features", "bundle cores { cores = 1 features = a }",
	  "FILE:1: bundle \"cores\" is that of all nodes" },
	{ "same features twice",
	  CORES "bundle gpu { cores = 1 features = a }\n"
	  "bundle gpu { cores = 2 features = a }",
	  "FILE:3: found duplicate title 'gpu'" },
	/* grants */
	{ "what is no way", CORES "grant \"*\" { spent = kill }",
	  "FILE:2: spent = \"kill\"" WAY_WANTED },
	{ "a bonus without its QOS", CORES "grant \"*\" {\nspent = bonus\n}",
	  "FILE:4: grant \"*\" names no bonus" },
	{ "a scarce bonus without its QOS",
	  CORES "grant \"*\" { scarce = bonus }",
	  "FILE:2: grant \"*\" names no bonus" },
	{ "a QOS in capitals", CORES "grant \"*\" { bonus = Free }",
	  "FILE:2: bonus = \"Free\": wanted is the name of a QOS, in lower "
	  "case, of at most 63 characters" },
	{ "what is no account", CORES "grant \"a:b\" { }",
	  "FILE:2: grant \"a:b\": wanted is an account's name, in which * is "
	  "any part, of at most 63 characters" },
	{ "an account in no quotes", CORES "grant * { }",
	  "FILE:2: unexpected character '*'" },
	{ "a grant twice", CORES "grant a { }\ngrant a { }",
	  "FILE:3: found duplicate title 'a'" },
	/* the rules */
	{ "negative factor", CORES "partition a {\nfactor = -1\n}",
	  "FILE:3: factor = \"-1\"" FROM_0_WANTED },
	{ "factor too large", CORES "qos a { factor = 1000001 }",
	  "FILE:2: factor = \"1000001\"" FROM_0_WANTED },
	{ "factor twice", CORES "qos a {\nfactor = 1\nfactor = 2\n}",
	  "FILE:4: factor is there twice" },
	{ "partition twice", CORES "partition a { }\npartition a { }",
	  "FILE:3: found duplicate title 'a'" },
	{ "partition without a name", CORES "partition \"\" { }",
	  "FILE:2: partition \"\"" RULE_WANTED },
	{ "several partitions", CORES "partition a,b { }",
	  "FILE:2: partition \"a,b\"" RULE_WANTED },
	{ "QOS with a partition's key", CORES "qos a { max = 2 }",
	  "FILE:2: no such option 'max'" },
	{ "bundle that is not there", CORES "partition a { bundles = gpu }",
	  "FILE:2: bundles = \"gpu\"" BUNDLES_WANTED },
	{ "bundle that is below", CORES "partition a { bundles = cores,gpu }\n"
	  "bundle gpu { cores = 1 }",
	  "FILE:2: bundles = \"cores,gpu\"" BUNDLES_WANTED },
	{ "no bundle", CORES "partition a { bundles = \"\" }",
	  "FILE:2: bundles = \"\"" BUNDLES_WANTED },
	{ "comma too many", CORES "partition a { bundles = cores, }",
	  "FILE:2: bundles = \"cores,\"" BUNDLES_WANTED },
	{ "unknown requirement", CORES "partition a { require = time,disk }",
	  "FILE:2: require = \"time,disk\": wanted is any of time, memory "
	  "and cores, with commas between" },
	{ "cap of 0", CORES "partition a { max = 0 }",
	  "FILE:2: max = \"0\"" NUMBER_WANTED },
	{ "unknown key with a comma", CORES "a,b = 1",
	  "FILE:2: no such option 'a,b'" },
	{ "blank after a comma", CORES "partition a { require = time, cores }",
	  "FILE:2: require = \"time,\": wanted is any of time, memory and "
	  "cores, with commas between" },
	{ "unknown pool", CORES "pool disk { suffix = _disk }",
	  "FILE:2: pool \"disk\": wanted is cpu or gpu" },
	{ "pool without a suffix", CORES "pool cpu { }",
	  "FILE:2: pool \"cpu\" has no suffix" },
	{ "suffix of no account", CORES "pool cpu { suffix = a:b }",
	  "FILE:2: suffix = \"a:b\": wanted is the end of account names, such "
	  "as _gpu, of at most 63 characters" },
	{ "suffix of both pools", CORES "pool cpu { suffix = _x }\n"
	  "pool gpu { suffix = _x }",
	  "FILE:3: both pools have the suffix _x" },
	{ "negative minimum", CORES "minimum = -1",
	  "FILE:2: minimum = \"-1\"" FROM_0_WANTED },
	{ "unit with a point", CORES "round_unit = 0.5",
	  "FILE:2: round_unit = \"0.5\": wanted is a whole number from 0 "
	  "(exact) to 1000000" },
	{ "neither yes nor no", CORES "charge_suspended = maybe",
	  "FILE:2: charge_suspended = \"maybe\": wanted is yes or no" },
	{ "the reader's own comma", CORES "partition a { require = time\001 }",
	  "FILE:2: unexpected byte 0x01" },
	{ "empty name", CORES "bundle \"\" { cores = 1 }",
	  "FILE:2: bundle \"\"" NAME_WANTED },
	{ "name without a type", CORES "bundle \"gpu:\" { cores = 1 }",
	  "FILE:2: bundle \"gpu:\"" NAME_WANTED },
	{ "type without a name", CORES "bundle \":p100\" { cores = 1 }",
	  "FILE:2: bundle \":p100\"" NAME_WANTED },
	{ "name with a count", CORES "bundle \"gpu:p100:2\" { cores = 1 }",
	  "FILE:2: bundle \"gpu:p100:2\"" NAME_WANTED },
	{ "name too long", CORES "bundle \"" NAME_63 "x\" { cores = 1 }",
	  "FILE:2: bundle \"" NAME_63 "x\"" NAME_WANTED },
	{ "empty file", "", "FILE: there is no bundle \"cores\"" },
	{ "comment only", "# nothing", "FILE: there is no bundle \"cores\"" },
	{ "no bundle cores", "bundle gpu { cores = 1 }\nmessage = off\n",
	  "FILE: there is no bundle \"cores\"" },
};

#endif
