"""Smudged records of Spot as clauses: each step changes one square, and no board equals a rotation of another one.

An argument names a fault, which the encoder then has.
"""
import sys

from formula import Formula

fault = sys.argv[1] if len(sys.argv) > 1 else None
words = sys.stdin.read().split()
n = int(words[0])
moves = [words[1 + 3 * i : 4 + 3 * i] for i in range(2 * n)]
cells = [(row, col) for row in range(n) for col in range(n)]
formula = Formula()
false = formula.var()
formula.add(-false)
boards = [{cell: false for cell in cells}]
for step, (x, y, sign) in enumerate(moves, 1):
    toggle = {(row, col): formula.var(f"toggle step {step} r{row + 1}c{col + 1}") for row, col in cells}
    board = {cell: formula.var() for cell in cells}
    if fault == "any":
        formula.add(*toggle.values())
    else:
        formula.exactly_one(toggle.values())
    for row, col in cells:
        lit, before, after = toggle[row, col], boards[-1][row, col], board[row, col]
        formula.parity([lit, before, after], False)
        if x not in ("?", str(col + 1)) or y not in ("?", str(row + 1)):
            formula.add(-lit)
        if sign == "+" and fault != "signs":
            formula.add(-lit, -before)
        if sign == "-" and fault != "signs":
            formula.add(-lit, before)
    boards.append(board)


def unlike(a, b, symmetry):
    """Adds the clauses that say that some square of board a differs from its image under the symmetry on board b."""
    differ = []
    for cell in cells:
        d = formula.var()
        formula.parity([d, a[cell], b[symmetry(cell)]], False)
        differ.append(d)
    formula.add(*differ)


turn = lambda cell: (cell[1], n - 1 - cell[0])
mirror = lambda cell: (cell[0], n - 1 - cell[1])
symmetries = [lambda c: c, turn, lambda c: turn(turn(c)), lambda c: turn(turn(turn(c)))]
if fault == "no-turns":
    symmetries = symmetries[:1]
if fault == "half":
    symmetries = symmetries[::2]
if fault == "mirror":
    symmetries += [lambda c, s=s: s(mirror(c)) for s in symmetries]
for later in range(1, len(boards)):
    first = 0 if fault == "start" else later - 2 if fault == "near" else 1
    for earlier in range(max(first, 0 if fault == "start" else 1), later):
        for symmetry in symmetries:
            unlike(boards[earlier], boards[later], symmetry)
formula.show()
