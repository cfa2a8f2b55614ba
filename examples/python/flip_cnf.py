#!/usr/bin/env python3
"""Flip as clauses: reads a board from standard input and prints DIMACS CNF.

`--xor direct` writes a parity of n literals as 2^(n-1) clauses. `--xor cut3` first cuts it into parities of three.
"""
import itertools
import sys

xor = sys.argv[sys.argv.index("--xor") + 1]
board = sys.stdin.read().split()
height, width = len(board), len(board[0])
count, clauses = 0, []


def variable():
    global count
    count += 1
    return count


def parity(lits, odd):
    """Says that an odd number of these literals is true or, if not `odd`, an even number."""
    while xor == "cut3" and len(lits) > 3:
        new = variable()
        parity([lits[0], lits[1], new], False)
        lits = [*lits[2:], new]
    for signs in itertools.product([1, -1], repeat=len(lits)):
        # A clause forbids the assignment that makes all its literals false. Forbid those of the wrong parity.
        if signs.count(-1) % 2 != odd:
            clauses.append([sign * lit for sign, lit in zip(signs, lits)])


press = {(row, col): variable() for row in range(height) for col in range(width)}
black = variable()
for row, col in press:
    # A press on the square or on a neighbour flips the square.
    cross = [(row, col), (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    lits = [press[cell] for cell in cross if cell in press]
    # A white square is flipped iff the board becomes black, a black one iff the board becomes white.
    parity([*lits, black], board[row][col] == "b")

for (row, col), var in press.items():
    print(f"c varname {var} press r{row + 1}c{col + 1}")
print("p cnf", count, len(clauses))
for clause in clauses:
    print(*clause, 0)
