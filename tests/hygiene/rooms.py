#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""rooms.py TOP CONF CHECK: print what breaks a rule of CONF, a line each.

Checks: rooms floors only circles folder-circles prefixes statics
statics-repeated-percent comments prototypes crowded stale. Lines that begin with "#"
are remarks and break nothing. rooms.conf tells the rules.
"""
import collections
import pathlib
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
FUNCTION = re.compile(r"^((?:[A-Za-z_][\w]*[ \t\n*]+)+)([A-Za-z_]\w*)\("
                      r"[^;{}]*\)\n\{", re.M)
PROTOTYPE = re.compile(r"^(?:const |struct |enum |int |void |char |double |long "
                       r"|unsigned |float |u?int|s?size_t|bool "
                       r"|[a-z_0-9]+_(?:t|object) )"
                       r"[^=;{]*\([^;{]*\)[^;{]*;", re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
ROOMS = ("lib", "plugins", "tools")
MOST = 32  # .c and .h files in a folder


class Rules:
    def __init__(self, path):
        self.may, self.floors, self.only = {}, {}, {}
        self.limits, self.comments, self.one = {}, {}, {}
        self.unsettled, self.excepted = {}, {}
        for number, line in enumerate(path.read_text().splitlines(), 1):
            line = line.split("#")[0].strip()
            if line and not self.rule(*line.partition(" ")[::2]):
                sys.exit(f"{path}:{number}: no rule: {line}")

    def rule(self, word, rest):
        head, _, tail = rest.partition(":")
        head, tail = head.strip(), tail.strip()
        if word == "may":
            self.may[head] = tail.split()
        elif word == "only":
            self.only[head] = tail.split()
        elif word == "one":
            self.one.update((other, head) for other in tail.split())
        elif word == "floors":
            self.floors[head] = [f.split() for f in tail.split("|")]
        elif word == "unsettled" and tail:
            self.unsettled[head] = tail
        elif word == "except" and tail:
            self.excepted[tuple(head.split())] = tail
        elif word in ("limit", "comments") and len(rest.split()) == 2:
            name, number = rest.split()
            (self.limits if word == "limit" else self.comments)[name] = \
                int(number)
        else:
            return False
        return True


def below(path, room):
    """Is a path the room, or in it?"""
    return room == "." or path == room or path.startswith(room + "/")


def stem(path):
    return re.sub(r"\.[ch]$", "", path)


def module(path):
    """X.c, X.h and the private header X_impl.h are one module."""
    return re.sub(r"_impl$", "", stem(path))


def folder(path):
    return path.rpartition("/")[0]


class Tree:
    def __init__(self, top, rules):
        self.top, self.rules = top, rules
        self.files = {}
        for room in ROOMS:
            for path in sorted(top.glob(f"{room}/**/*.[ch]")):
                self.files[str(path.relative_to(top))] = path.read_text()

    def settled(self, path):
        return not any(below(path, room) for room in self.rules.unsettled)

    @staticmethod
    def search(path):
        """The folders that the compiler searches for an include of a file."""
        yield folder(path)
        if below(path, "plugins/priority"):
            yield "plugins/priority"
        if not below(path, "lib"):
            yield path.split("/")[0]
        yield "lib"

    def resolve(self, path, name):
        """The file of the project that an include means, or None."""
        for root in self.search(path):
            parts = []
            for part in f"{root}/{name}".split("/"):
                if part == ".." and parts:
                    parts.pop()
                elif part not in (".", ".."):
                    parts.append(part)
            if "/".join(parts) in self.files:
                return "/".join(parts)
        return None

    def includes(self):
        """(file, included file) of the whole project."""
        for path, text in self.files.items():
            for name in INCLUDE.findall(text):
                found = self.resolve(path, name)
                if found and stem(found) != stem(path):
                    yield path, found

    def judged(self):
        """Those of them that a rule may refuse."""
        for path, found in self.includes():
            if self.settled(path) and (path, found) not in self.rules.excepted:
                yield path, found

    # ---- The checks ------------------------------------------------------

    def room_of(self, path):
        """The deepest room of the table that a file is in, and its rule."""
        best = None
        for room in self.rules.may:
            if room.endswith("/*"):
                parent = room[:-2]
                if not path.startswith(parent + "/"):
                    continue
                rest = path[len(parent) + 1:]
                if "/" not in rest:
                    continue
                here, depth = f"{parent}/{rest.split('/')[0]}", len(parent) + 1
            elif below(stem(path), room):
                here, depth = room, len(room)
            else:
                continue
            if best is None or depth > best[0]:
                best = depth, here, self.rules.may[room]
        return best[1:] if best else (None, [])

    def check_rooms(self):
        for path in self.files:
            if self.settled(path) and self.room_of(path)[0] is None:
                yield f"{path}: no rule names its room"
        for path, found in self.judged():
            room, may = self.room_of(path)
            if room and not any(below(stem(found), r) for r in [room, *may]):
                yield f"{path} includes {found}"

    def floor_of(self, path, room):
        inside = stem(path)[len(room) + 1:].split("/")[0]
        for number, names in enumerate(self.rules.floors[room]):
            if inside in names:
                return number
        return None

    def check_floors(self):
        for room in self.rules.floors:
            for path in self.files:
                if (path.startswith(room + "/") and self.settled(path)
                        and self.floor_of(path, room) is None):
                    yield f"{path}: on no floor of {room}"
            for path, found in self.judged():
                if not (path.startswith(room + "/")
                        and found.startswith(room + "/")):
                    continue
                low, high = (self.floor_of(p, room) for p in (path, found))
                if low is not None and high is not None and low < high:
                    yield f"{path} includes {found}, which is on a floor above"

    def check_only(self):
        for room, names in self.rules.only.items():
            for path in self.files:
                if (folder(path) == room and self.settled(path)
                        and stem(path).rpartition("/")[2] not in names):
                    yield f"{path}: not one of {room}'s own files"

    def circles(self, name):
        graph = collections.defaultdict(set)
        for path, found in self.judged():
            if self.settled(found) and name(path) != name(found):
                graph[name(path)].add(name(found))
        for group in strong_groups(graph):
            yield "a circle: " + " ".join(sorted(group))

    def check_circles(self):
        return self.circles(module)

    def check_folder_circles(self):
        # Of a folder with "only", each file stands alone beside its folders.
        return self.circles(
            lambda p: module(p) if folder(p) in self.rules.only
            else self.rules.one.get(folder(p), folder(p)))

    def functions(self, static):
        for path, text in self.files.items():
            if not path.endswith(".c"):
                continue
            bare = re.sub(r"__attribute__\(\(.*?\)\)\)?\s*", "",
                          COMMENT.sub("", text))
            for match in FUNCTION.finditer(bare):
                if ("static" in match.group(1).split()) == static:
                    yield path, match.group(2)

    def nouns(self):
        """What the files are called: a function of eqt_NOUN_ is of that file."""
        return {module(p).rpartition("/")[2] for p in self.files}

    def noun_of(self, name, nouns):
        """The longest noun that a function's name begins with, else its first
        word: job_charge of eqt_job_charge_end, and not job."""
        words = name.split("_")[1:]
        for length in range(len(words), 0, -1):
            if "_".join(words[:length]) in nouns:
                return "_".join(words[:length])
        return words[0] if len(words) > 1 else None

    def check_prefixes(self):
        where = collections.defaultdict(set)
        nouns = self.nouns()
        for path, name in self.functions(static=False):
            noun = self.noun_of(name, nouns) if name.startswith("eqt_") else None
            if noun:
                where[noun].add(folder(path))
        for noun, folders in sorted(where.items()):
            if len(folders) > 1:
                yield f"eqt_{noun}_ in {' '.join(sorted(folders))}"

    def check_statics(self):
        where = collections.defaultdict(set)
        for path, name in self.functions(static=True):
            where[folder(path), name].add(path)
        for (_, name), paths in sorted(where.items()):
            if len(paths) > 1:
                yield f"{name} in {' '.join(sorted(paths))}"

    def check_statics_repeated_percent(self):
        where = collections.defaultdict(set)
        for path, name in self.functions(static=True):
            where[name].add(path)
        total = sum(map(len, where.values()))
        again = [(n, p) for n, p in where.items() if len(p) > 1]
        count = sum(len(p) for _, p in again)
        percent = -(-100 * count // total) if total else 0
        worst = sorted(again, key=lambda pair: (-len(pair[1]), pair[0]))[:10]
        yield (f"# {count} of {total}, {percent} percent: "
               + ", ".join(f"{n} {len(p)}" for n, p in worst))
        limit = self.rules.limits.get("statics-repeated-percent", 0)
        if percent > limit:
            yield f"{percent} percent, at most {limit} are allowed"

    def check_comments(self):
        lines, comments = collections.Counter(), collections.Counter()
        for path, text in self.files.items():
            if not path.endswith(".c"):
                continue
            bare = re.sub(r"\A/\*.*?SPDX.*?\*/\n", "", text)
            said = sum(m.group().count("\n") + 1
                       for m in COMMENT.finditer(bare))
            for room in (folder(path), path.split("/")[0]):
                lines[room] += bare.count("\n")
                comments[room] += said
                if "/" not in folder(path):
                    break
        for room in sorted(lines):
            percent = 100 * comments[room] / lines[room] if lines[room] else 0
            rule = max((r for r in self.rules.comments if below(room, r)),
                       key=len, default=None)
            wanted = self.rules.comments.get(rule, 0)
            yield f"# {room}: {percent:.1f} percent"
            if percent < wanted:
                yield (f"{room}: {percent:.1f} percent of the lines are "
                       f"comments, wanted are {wanted}")

    def check_prototypes(self):
        for path, text in self.files.items():
            if not path.endswith(".h"):
                continue
            for match in PROTOTYPE.finditer(blank_comments(text)):
                # The size of a caller's buffer may stand between the two.
                head = re.sub(r"(\*/\n)(#define .*\n)+\Z", r"\1",
                              text[:match.start()])
                before = head.rstrip("\n").splitlines()
                gap = head.endswith("\n\n")
                above = before[-1].strip() if before else ""
                # Prototypes below each other may share the one comment.
                if gap or not (above.endswith("*/") or above.endswith(";")):
                    line = text.count("\n", 0, match.start()) + 1
                    yield f"{path}:{line}: a prototype without a comment"

    def check_crowded(self):
        count = collections.Counter()
        for room in (*ROOMS, "tests", "bench"):
            count.update(folder(str(p.relative_to(self.top)))
                         for p in self.top.glob(f"{room}/**/*.[ch]"))
        for name, files in sorted(count.items()):
            if files > MOST:
                yield f"{name}: {files} files, at most {MOST} are allowed"

    def check_stale(self):
        """Lines of the table that nothing needs any more."""
        for room in self.rules.unsettled:
            if not any(below(p, room) for p in self.files):
                yield f"unsettled {room}: there is no such folder"
        pairs = set(self.includes())
        for pair in self.rules.excepted:
            if pair not in pairs:
                yield f"except {' '.join(pair)}: nobody includes that"


def blank_comments(text):
    return COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def strong_groups(graph):
    """Groups of nodes that reach each other, of two and more (Tarjan)."""
    order, low, stack, on = {}, {}, [], set()
    groups = []
    sys.setrecursionlimit(10000)

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        on.add(node)
        for other in sorted(graph.get(node, ())):
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            group = []
            while True:
                member = stack.pop()
                on.discard(member)
                group.append(member)
                if member == node:
                    break
            if len(group) > 1:
                groups.append(group)

    for node in sorted(graph):
        if node not in order:
            visit(node)
    return groups


def main(top, conf, check):
    rules = Rules(pathlib.Path(conf))
    tree = Tree(pathlib.Path(top), rules)
    lines = list(getattr(tree, "check_" + check.replace("-", "_"))())
    found = [line for line in lines if not line.startswith("#")]
    limit = rules.limits.get(check, 0)
    for line in lines:
        if line.startswith("#"):
            print(line)
    if limit and check != "statics-repeated-percent":
        print(f"# {len(found)}, at most {limit} are allowed")
        if len(found) <= limit:
            return
    print("\n".join(found), end="\n" if found else "")


if len(sys.argv) != 4:
    sys.exit(__doc__)
main(*sys.argv[1:])
