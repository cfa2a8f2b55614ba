"""Ships as clauses: one variable for each placement of each ship, and one that says of each square that it is covered.

The first argument is a file with the fleet: pictures of ships, separated by blank lines. A second argument names a
fault, which the encoder then has.
"""
import sys

from formula import Formula

fault = sys.argv[2] if len(sys.argv) > 2 else None


def turned(cells):
    return {(col, -row) for row, col in cells}


def shapes(cells):
    found = set()
    for turn in range(4):
        top, left = min(row for row, _ in cells), min(col for _, col in cells)
        found.add(frozenset((row - top, col - left) for row, col in cells))
        cells = turned(cells)
        if fault == "unturned" or (fault == "half" and turn == 1):
            break
    return sorted(map(sorted, found))


pictures = open(sys.argv[1]).read().strip("\n").split("\n\n")
fleet = [
    {(r, c) for r, line in enumerate(picture.split("\n")) for c, mark in enumerate(line) if mark == "x"}
    for picture in pictures
]
lines = sys.stdin.read().split("\n")
width, height = map(int, lines[0].split())
if fault == "height-first":
    width, height = height, width
board = lines[1 : 1 + height]
cells = [(row, col) for row in range(height) for col in range(width)]
formula = Formula()
covered = {(row, col): formula.var(f"covered r{row + 1}c{col + 1}") for row, col in cells}
owners = {cell: [] for cell in cells}
for ship in fleet:
    places = []
    for shape in shapes(ship):
        for top, left in cells:
            place = [(top + row, left + col) for row, col in shape]
            if fault == "last-row" and any(row == height - 1 for row, _ in place):
                continue
            if all(cell in covered for cell in place):
                places.append(formula.var())
                for cell in place:
                    owners[cell].append(places[-1])
    if fault == "twice":
        formula.add(*places)
    else:
        formula.exactly_one(places)
for row, col in cells:
    lits = owners[row, col]
    if fault != "overlap":
        formula.at_most_one(lits)
    for lit in lits:
        formula.add(-lit, covered[row, col])
    if fault != "one-way":
        formula.add(*lits, -covered[row, col])
    mark = board[row][col]
    if mark == "x":
        formula.add(covered[row, col])
    if mark == "o" and fault != "misses":
        formula.add(-covered[row, col])
formula.show()
