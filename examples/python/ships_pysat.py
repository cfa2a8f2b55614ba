#!/usr/bin/env python3
"""Ships as clauses, with an at-most-one constraint of PySAT: reads a board, and prints DIMACS CNF."""
import argparse
import sys

from pysat.card import CardEnc, EncType
from pysat.formula import CNF, IDPool

STANDARD = "xx\nxx\n\n.xx\nxx.\n\nxx.\n.xx\n\nx..\nxxx\n\n.x.\nxxx\n\n..x\nxxx\n\nxxxx"
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--amo", default="seqcounter", help="a name in pysat.card.EncType")
parser.add_argument("--fleet", default="standard", help="pictures of the ships, a blank line after each")
args = parser.parse_args()
fleet = STANDARD if args.fleet == "standard" else args.fleet.strip("\n")

width, height = map(int, input().split())
board = {(r, c): mark for r in range(height) for c, mark in enumerate(input().strip())}
free = {cell for cell, mark in board.items() if mark != "o"}
pool, clauses, names = IDPool(), [], []
for ship, picture in enumerate(fleet.split("\n\n")):
    cells = [(r, c) for r, row in enumerate(picture.split("\n")) for c, mark in enumerate(row) if mark == "x"]
    places = set()
    for _ in range(4):
        cells = [(c, -r) for r, c in cells]
        top, left = map(min, zip(*cells))
        places |= {frozenset((r - top + y, c - left + x) for r, c in cells) for y, x in board}
    # Each place where the ship fits has a variable. The ship is in one of them.
    clauses.append([pool.id((ship, place)) for place in places if place <= free])
covering = {cell: [var for (_, place), var in pool.obj2id.items() if cell in place] for cell in free}
for lits in clauses + list(covering.values()):
    if len(lits) > 1:
        clauses += CardEnc.atmost(lits, vpool=pool, encoding=getattr(EncType, args.amo)).clauses
for (r, c), lits in covering.items():
    if board[r, c] == "x":
        clauses.append(lits)
    else:
        covered = pool.id(f"covered r{r + 1}c{c + 1}")
        names.append(f"c varname {covered} {pool.obj(covered)}")
        clauses += [[-var, covered] for var in lits] + [[*lits, -covered]]
CNF(from_clauses=clauses).to_fp(sys.stdout, comments=names)
