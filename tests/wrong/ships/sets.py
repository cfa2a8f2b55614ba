#!/usr/bin/env python3
"""Wrong, and slow: counts placements that cover the same squares as different possibilities."""
import sys

SHIPS = ["00 01 10 11", "01 02 10 11", "00 01 11 12", "00 10 11 12", "01 10 11 12", "02 10 11 12", "00 01 02 03"]


def poses(ship):
    cells, found = [(int(a), int(b)) for a, b in ship.split()], []
    for _ in range(4):
        top, left = min(r for r, _ in cells), min(c for _, c in cells)
        moved = sorted((r - top, c - left) for r, c in cells)
        if moved not in found:
            found.append(moved)
        cells = [(c, -r) for r, c in cells]
    return found


def layouts(width, height, rows):
    """The covered squares of each placement of the fleet, until there are too many."""
    hits = {(r, c) for r in range(height) for c in range(width) if rows[r][c] == "x"}
    free = {(r, c) for r in range(height) for c in range(width) if rows[r][c] != "o"}
    places = []
    for ship in SHIPS:
        moved = ([(r + y, c + x) for y, x in pose] for pose in poses(ship) for r in range(height) for c in range(width))
        places.append([frozenset(cells) for cells in moved if free.issuperset(cells)])
    found = []

    def lay(ship, covered):
        if len(hits - covered) > 4 * (7 - ship) or len(found) > len(free) + 1:
            return
        if ship == 7:
            found.append(covered)
            return
        for cells in places[ship]:
            if not cells & covered:
                lay(ship + 1, covered | cells)

    lay(0, frozenset())
    return found


def wins(left):
    """Whether one miss suffices to tell these sets of squares apart."""
    while len(left) > 1:
        squares = frozenset().union(*left)
        safe = next((s for s in sorted(squares) if sum(s not in one for one in left) == 1), None)
        if safe is None:
            return False
        left = [one for one in left if safe in one]
    return len(left) == 1


def main():
    words, at, game = sys.stdin.read().split(), 0, 0
    while words[at] != "0":
        width, height, game = int(words[at]), int(words[at + 1]), game + 1
        rows = words[at + 2 : at + 2 + height]
        print(f"Game #{game}\n{'yes' if wins(layouts(width, height, rows)) else 'no'}.\n")
        at += 2 + height


main()
