"""Flip as clauses. Among a square and its neighbours, an odd number is pressed iff the square must change its colour.

An argument names a fault, which the encoder then has.
"""
import sys

from formula import Formula

fault = sys.argv[1] if len(sys.argv) > 1 else None
board = sys.stdin.read().split()
height, width = len(board), len(board[0])
formula = Formula()
press = {}
for row in range(height):
    for col in range(width):
        name = f"press r{row + 1}c{col + 1}"
        if fault == "unnamed" and row * width + col == 2:
            name = f"press r{row + 1} c{col + 1}"
        press[row, col] = formula.var(name)
black = formula.var()
if fault == "white":
    formula.add(-black)
for row in range(height):
    for col in range(width):
        cross = [(row, col), (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
        if fault == "others":
            cross = cross[1:]
        if fault == "torus":
            cross = {(r % height, c % width) for r, c in cross}
        lits = [press[cell] for cell in cross if cell in press]
        if fault == "corner" and (row, col) == (height - 1, width - 1) and row * col > 0:
            lits.remove(press[row, col - 1])
        # A white square must change its colour iff the final board is black.
        formula.parity([*lits, black], board[row][col] == "b")
if fault == "symmetry" and width > 1:
    # Breaking a symmetry that the board does not have loses models.
    formula.add(press[0, 0], -press[0, width - 1])
if fault == "count":
    formula.clauses.pop()
    formula.clauses.append(())
if fault == "crash" and width * height > 4:
    sys.exit("a board of more than four squares")
formula.show()
if fault == "header":
    print(1, 0)
