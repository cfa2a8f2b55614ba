#!/usr/bin/env python3
"""Ships as clauses, with an at-most-one constraint of PySAT: reads a board, and prints DIMACS CNF."""
import argparse
import sys

from pysat.card import CardEnc, EncType
from pysat.formula import IDPool

STANDARD = "xx\nxx\n\n.xx\nxx.\n\nxx.\n.xx\n\nx..\nxxx\n\n.x.\nxxx\n\n..x\nxxx\n\nxxxx"
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--amo", default="seqcounter", help="a name in pysat.card.EncType")
parser.add_argument("--fleet", default="standard", help="pictures of the ships, a blank line after each")
args = parser.parse_args()
fleet = STANDARD if args.fleet == "standard" else args.fleet.strip("\n")
pool, clauses = IDPool(), []


def at_most_one(lits):
    if len(lits) > 1:
        clauses.extend(CardEnc.atmost(lits, vpool=pool, encoding=getattr(EncType, args.amo)).clauses)


width, height = map(int, sys.stdin.readline().split())
board = {(r, c): mark for r in range(height) for c, mark in enumerate(sys.stdin.readline().strip())}
covering = {cell: [] for cell in board}
for ship, picture in enumerate(fleet.split("\n\n")):
    cells = [(r, c) for r, row in enumerate(picture.split("\n")) for c, mark in enumerate(row) if mark == "x"]
    places = set()
    for _ in range(4):
        cells = [(c, -r) for r, c in cells]
        top, left = map(min, zip(*cells))
        places |= {frozenset((r - top + y, c - left + x) for r, c in cells) for y, x in board}
    free = [place for place in places if all(board.get(cell, "o") != "o" for cell in place)]
    clauses.append([pool.id((ship, place)) for place in free])
    at_most_one(clauses[-1])
    for place in free:
        for cell in place:
            covering[cell].append(pool.id((ship, place)))
for (r, c), mark in board.items():
    at_most_one(covering[r, c])
    if mark == "x":
        clauses.append(covering[r, c])
    elif mark == ".":
        covered = pool.id(f"covered r{r + 1}c{c + 1}")
        print("c varname", covered, pool.obj(covered))
        clauses += [[-var, covered] for var in covering[r, c]] + [[*covering[r, c], -covered]]
print("p cnf", pool.top, len(clauses))
for clause in clauses:
    print(*clause, 0)
