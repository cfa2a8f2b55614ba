#!/usr/bin/env python3
"""Ships as clauses, with an at-most-one constraint of PySAT (`pip install python-sat`).

Reads a board in the judge's format, and prints DIMACS CNF. A variable `covered r1c1` stands for each unknown square.
"""
import argparse
import sys

from pysat.card import CardEnc, EncType
from pysat.formula import IDPool

STANDARD = "xx\nxx\n\n.xx\nxx.\n\nxx.\n.xx\n\nx..\nxxx\n\n.x.\nxxx\n\n..x\nxxx\n\nxxxx"
AMO = "pairwise seqcounter sortnetwrk cardnetwrk bitwise ladder totalizer mtotalizer kmtotalizer".split()
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--amo", default="seqcounter", choices=AMO, help="the at-most-one encoding")
parser.add_argument("--fleet", help="a file with pictures of the ships, a blank line after each")
args = parser.parse_args()


def at_most_one(lits):
    if len(lits) > 1:
        clauses.extend(CardEnc.atmost(lits, vpool=pool, encoding=getattr(EncType, args.amo)).clauses)


def shapes(picture):
    rows = enumerate(picture.split("\n"))
    cells = {(r, c) for r, row in rows for c, mark in enumerate(row) if mark == "x"}
    for _ in range(4):
        cells = {(c, -r) for r, c in cells}
        top, left = min(r for r, _ in cells), min(c for _, c in cells)
        yield frozenset((r - top, c - left) for r, c in cells)


pictures = (open(args.fleet).read() if args.fleet else STANDARD).strip("\n").split("\n\n")
width, height = map(int, sys.stdin.readline().split())
board = {(r, c): mark for r in range(height) for c, mark in enumerate(sys.stdin.readline().strip())}
pool, clauses, at = IDPool(), [], {cell: [] for cell in board}
for ship, picture in enumerate(pictures):
    turned = set(shapes(picture))
    shifted = ({(top + r, left + c) for r, c in shape} for shape in turned for top, left in board)
    places = [cells for cells in shifted if all(board.get(cell, "o") != "o" for cell in cells)]
    here = [pool.id((ship, frozenset(cells))) for cells in places]
    clauses.append(here)
    at_most_one(here)
    for var, cells in zip(here, places):
        for cell in cells:
            at[cell].append(var)
for cell, mark in board.items():
    at_most_one(at[cell])
    if mark == "x":
        clauses.append(at[cell])
    elif mark == ".":
        covered = pool.id("covered r%dc%d" % (cell[0] + 1, cell[1] + 1))
        print("c varname", covered, pool.obj(covered))
        clauses += [[-var, covered] for var in at[cell]] + [at[cell] + [-covered]]
print("p cnf", pool.top, len(clauses))
for clause in clauses:
    print(*clause, 0)
