#!/usr/bin/env python3
"""Ships as clauses, with an at-most-one constraint of PySAT: reads a board, and prints DIMACS CNF."""
import argparse
import sys

from pysat.card import CardEnc, EncType
from pysat.formula import IDPool

STANDARD = "xx\nxx\n\n.xx\nxx.\n\nxx.\n.xx\n\nx..\nxxx\n\n.x.\nxxx\n\n..x\nxxx\n\nxxxx"
AMO = "pairwise seqcounter sortnetwrk cardnetwrk bitwise ladder totalizer mtotalizer kmtotalizer".split()
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--amo", default="seqcounter", choices=AMO, help="the at-most-one encoding")
parser.add_argument("--fleet", default="standard", help="pictures of the ships, a blank line after each")
args = parser.parse_args()
fleet = STANDARD if args.fleet == "standard" else args.fleet
pool, clauses = IDPool(), []


def at_most_one(lits):
    if len(lits) > 1:
        clauses.extend(CardEnc.atmost(lits, vpool=pool, encoding=getattr(EncType, args.amo)).clauses)


def shapes(picture):
    """The cells of a ship, in each of its rotations, shifted to row 0 and column 0."""
    cells = {(r, c) for r, row in enumerate(picture.split("\n")) for c, mark in enumerate(row) if mark == "x"}
    for _ in range(4):
        cells = {(c, -r) for r, c in cells}
        top, left = map(min, zip(*cells))
        yield frozenset((r - top, c - left) for r, c in cells)


width, height = map(int, sys.stdin.readline().split())
board = {(r, c): mark for r in range(height) for c, mark in enumerate(sys.stdin.readline().strip())}
covering = {cell: [] for cell in board}
for ship, picture in enumerate(fleet.strip("\n").split("\n\n")):
    shifted = ({(top + r, left + c) for r, c in shape} for shape in set(shapes(picture)) for top, left in board)
    places = [cells for cells in shifted if all(board.get(cell, "o") != "o" for cell in cells)]
    placed = [pool.id((ship, frozenset(cells))) for cells in places]
    clauses.append(placed)
    at_most_one(placed)
    for var, cells in zip(placed, places):
        for cell in cells:
            covering[cell].append(var)
for (r, c), mark in board.items():
    here = covering[r, c]
    at_most_one(here)
    if mark == "x":
        clauses.append(here)
    elif mark == ".":
        covered = pool.id(f"covered r{r + 1}c{c + 1}")
        print("c varname", covered, pool.obj(covered))
        clauses += [[-var, covered] for var in here] + [[*here, -covered]]
print("p cnf", pool.top, len(clauses))
for clause in clauses:
    print(*clause, 0)
