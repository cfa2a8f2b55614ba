#!/usr/bin/env python3
"""Ships as clauses, with the at-most-one encoding that the argument names. Needs only Python's standard library.

Reads a board in the judge's format and prints DIMACS CNF. The constraints are those of our encoding `placement`, without
redundant ones and with all ships placed, in the same order. So the formulas are equal clause by clause wherever the
at-most-one encodings are:

    python3 ships_amo.py sequential < board.txt | grep -v '^c'
    counterpoint encode ships board.txt -e sat:placement/leaders=no/idle=placed/amo=sequential | grep -v '^c'
"""
import itertools
import math
import sys

FLEET = {"O": "xx/xx", "S": ".xx/xx.", "Z": "xx./.xx", "J": "x../xxx", "T": ".x./xxx", "L": "..x/xxx", "I": "xxxx"}
clauses, names, top = [], [], 0


def new_var(name=None):
    global top
    top += 1
    if name:
        names.append((top, name))
    return top


def pairwise(lits):
    """A clause for each pair. Folklore."""
    clauses.extend((-a, -b) for a, b in itertools.combinations(lits, 2))


def sequential(lits):
    """`before` is forced true once one of the literals so far is. C. Sinz, CP 2005, section 2, k = 1."""
    before = lits[0]
    for i, lit in enumerate(lits[1:]):
        any_so_far = new_var()
        clauses.append((-before, any_so_far))
        if i > 0:
            clauses.append((-lits[i], any_so_far))
        clauses.append((-lit, -any_so_far))
        before = any_so_far


def regular(lits):
    """`after[i]`: the true literal comes after position i, or there is none. Each literal is equivalent to its place.

    I. P. Gent, P. Nightingale, ModRef 2004; C. Ansotegui, F. Manya, SAT 2004. Both papers write the equivalence; they
    need no last variable, because they have exactly one true literal.
    """
    after = [new_var() for _ in lits]
    clauses.extend((-later, before) for before, later in zip(after, after[1:]))
    for i, lit in enumerate(lits):
        here = [-after[i]] + ([after[i - 1]] if i > 0 else [])
        clauses.extend((-lit, part) for part in here)
        clauses.append((lit, *(-part for part in here)))


def bitwise(lits):
    """A true literal spells its index in binary. S. D. Prestwich, Handbook of Satisfiability, 2.2.5."""
    bits = [new_var() for _ in range((len(lits) - 1).bit_length())]
    clauses.extend((-lit, bit if i >> k & 1 else -bit) for i, lit in enumerate(lits) for k, bit in enumerate(bits))


def nested_product(lits):
    """The literals form a grid of p columns; at most one row and one column are true, by the same encoding.

    J. Chen, ModRef 2010: p = ceil(sqrt n), q = ceil(n / p), nested. Up to four literals, pairs are shorter.
    """
    if len(lits) <= 4:
        return pairwise(lits)
    p = math.isqrt(len(lits) - 1) + 1
    rows = [new_var() for _ in range(-(-len(lits) // p))]
    columns = [new_var() for _ in range(p)]
    for i, lit in enumerate(lits):
        clauses.extend([(-lit, rows[i // p]), (-lit, columns[i % p])])
    nested_product(rows)
    nested_product(columns)


def commander(lits):
    """Groups of three. A commander is true iff a literal of its group is. W. Klieber, G. Kwon, CFV 2007.

    Up to four literals, pairs are shorter. A literal that is alone in its group commands itself.
    """
    if len(lits) <= 4:
        return pairwise(lits)
    commanders = []
    for group in (lits[i : i + 3] for i in range(0, len(lits), 3)):
        if len(group) > 1:
            chief = new_var()
            pairwise(group)
            clauses.extend((-lit, chief) for lit in group)
            clauses.append((-chief, *group))
            group = [chief]
        commanders += group
    commander(commanders)


def bimander(lits):
    """Groups of four. A true literal spells the index of its group. V.-H. Nguyen, S. T. Mai, SoICT 2015."""
    groups = [lits[i : i + 4] for i in range(0, len(lits), 4)]
    bits = [new_var() for _ in range(max(1, (len(groups) - 1).bit_length()))]
    for index, group in enumerate(groups):
        for k, bit in enumerate(bits):
            clauses.extend((-lit, bit if index >> k & 1 else -bit) for lit in group)
        pairwise(group)


ENCODINGS = {
    "pairwise": pairwise,
    "sequential": sequential,
    "bitwise": bitwise,
    "commander": commander,
    "bimander": bimander,
    "regular": regular,
    "nested-product": nested_product,
}


def shapes(picture):
    """The distinct clockwise turns of a ship, each as its sorted cells, in the order of our own encoding."""
    cells = [(r, c) for r, row in enumerate(picture.split("/")) for c, mark in enumerate(row) if mark == "x"]
    found = []
    for _ in range(4):
        top, left = min(r for r, _ in cells), min(c for _, c in cells)
        shape = sorted((r - top, c - left) for r, c in cells)
        found += [shape] if shape not in found else []
        cells = [(c, -r) for r, c in cells]
    return found


def main():
    encode = ENCODINGS[sys.argv[1]]
    at_most_one = lambda lits: encode(lits) if len(lits) > 1 else None
    width, height = map(int, sys.stdin.readline().split())
    board = {(r, c): mark for r in range(height) for c, mark in enumerate(sys.stdin.readline().strip())}
    at = {cell: [] for cell in board}
    for ship, picture in FLEET.items():
        shifted = ([(top + r, left + c) for r, c in shape] for shape in shapes(picture) for top, left in board)
        places = [cells for cells in shifted if all(board.get(cell, "o") != "o" for cell in cells)]
        here = [new_var() for _ in places]
        for var, cells in zip(here, places):
            for cell in cells:
                at[cell].append(var)
        clauses.append(here)
        at_most_one(here)
    for lits in at.values():
        at_most_one(lits)
    clauses.extend(at[cell] for cell, mark in board.items() if mark == "x")
    for (r, c), mark in board.items():
        if mark == ".":
            covered = new_var("covered r%dc%d" % (r + 1, c + 1))
            clauses.extend((-lit, covered) for lit in at[r, c])
            clauses.append((*at[r, c], -covered))
    lines = ["c varname %d %s" % name for name in names] + ["p cnf %d %d" % (top, len(clauses))]
    sys.stdout.write("\n".join(lines) + "\n" + "".join(" ".join(map(str, c)) + " 0\n" for c in clauses))


main()
