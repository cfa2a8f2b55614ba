#!/usr/bin/env python3
"""Checks the certificates flip-all-ones-*-colours.json (plus stencil, p colours) again, from the definitions alone.

A press adds 1, modulo the prime p, to a square and its neighbours. Presses solve a board if they add 1 to every square.
Of each board, the script verifies:
* the dimension of the null space ("nullity"), by chasing each first row downwards and eliminating;
* "rows" is the first row of presses that solve the board, and "presses" is their number. If they are "least": all
  solutions are counted, one for each null vector;
* or "weights" shows that no presses solve the board: the weights of each square and its neighbours add up to 0, so
  presses do not change the weighted sum of the squares, but adding 1 to every square would.

Usage: check_all_ones_colours.py [FILE ...]     by default, all such files beside this script
Needs Python 3 and nothing else. The exit status is 0 if all claims hold, 1 if one does not, and 3 if none is wrong but
some null space has too many vectors to count all solutions.
"""
import json
import sys
from itertools import product
from pathlib import Path

SOLUTIONS = 5_000_000


class Wrong(Exception):
    """A claim does not hold, or the evidence does not show it."""


def need(holds, otherwise):
    if not holds:
        raise Wrong(otherwise)


def sums(board, p):
    """What a board of presses adds to each square."""
    n = len(board)

    def at(row, col):
        return board[row][col] if 0 <= row < n and 0 <= col < n else 0

    around = [(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)]
    return [[sum(at(row + r, col + c) for r, c in around) % p for col in range(n)] for row in range(n)]


def chase(first, added, p):
    """The rows of presses from the first on if each square gets `added`, and the row below them, which must be 0."""
    rows, above = [first], [0] * len(first)
    for _ in first:
        row = rows[-1]
        near = [sum(row[max(c - 1, 0) : c + 2]) + above[c] for c in range(len(row))]
        rows.append([(added - total) % p for total in near])
        above = row
    return rows[:-1], rows[-1]


def null_space(n, p):
    """A basis: boards of presses that add 0 to every square."""
    pivots, basis = {}, []
    for free in range(n):
        first = [int(c == free) for c in range(n)]
        below = chase(first, 0, p)[1]
        while any(below):
            lead = next(c for c in range(n) if below[c])
            if lead not in pivots:
                inverse = pow(below[lead], -1, p)
                pivots[lead] = [x * inverse % p for x in below], [x * inverse % p for x in first]
                break
            factor, (other, its_first) = below[lead], pivots[lead]
            below = [(x - factor * y) % p for x, y in zip(below, other)]
            first = [(x - factor * y) % p for x, y in zip(first, its_first)]
        else:
            basis.append(chase(first, 0, p)[0])
    return basis


def masks(board, p):
    """For each colour, the squares of this colour as bits."""
    squares = [colour for row in board for colour in row]
    return [sum(1 << i for i, other in enumerate(squares) if other == colour) for colour in range(p)]


def fewest(board, null, p):
    """The fewest presses of the board plus any combination of the null vectors."""
    vectors = [masks(vector, p) for vector in null]

    def best(solution, index):
        if index == len(vectors):
            return sum(colour * squares.bit_count() for colour, squares in enumerate(solution))
        least = None
        for _ in range(p):
            found = best(solution, index + 1)
            least = found if least is None else min(least, found)
            sums = [0] * p
            for (a, x), (b, y) in product(enumerate(solution), enumerate(vectors[index])):
                sums[(a + b) % p] |= x & y
            solution = sums
        return least

    return best(masks(board, p), 0)


def digits(row, n, p):
    need(len(row) == n and all(0 <= int(x) < p for x in row), f"{row} is not a row of {n} colours")
    return [int(x) for x in row]


def check(board, p):
    """What was verified about one board, as a pair: a word, and whether it is complete."""
    n = board["n"]
    null = null_space(n, p)
    need(len(null) == board["nullity"], f"the null space has dimension {len(null)}")
    if "weights" in board:
        need(set(board) == {"n", "nullity", "weights"} and len(board["weights"]) == n, "a member is missing or unknown")
        weights = [digits(row, n, p) for row in board["weights"]]
        need(not any(map(any, sums(weights, p))), "a press changes the weighted sum")
        need(sum(map(sum, weights)) % p, "the weights add up to 0")
        return "without a solution", True
    need(set(board) == {"n", "nullity", "presses", "least", "rows"}, "a member is missing or unknown")
    (first,) = board["rows"]
    rows, _ = chase(digits(first, n, p), 1, p)
    need(all(x == 1 for row in sums(rows, p) for x in row), "the presses do not solve the board")
    presses = sum(map(sum, rows))
    need(presses == board["presses"], f"there are {presses} presses")
    need(board["least"] in (True, False), "least must be true or false")
    if not board["least"]:
        return "upper bound", True
    if p ** len(null) > SOLUTIONS:
        return "NOT VERIFIED: least", False
    found = fewest(rows, null, p)
    need(found == presses, f"{found} presses suffice")
    return "least", True


def main(arguments):
    files = [Path(name) for name in arguments] or sorted(Path(__file__).parent.glob("flip-all-ones-*-colours.json"))
    status = 0 if files else 1
    for file in files:
        counts, at = {}, ""
        try:
            certificate = json.loads(file.read_text())
            kind = [certificate[key] for key in ("problem", "question", "version", "stencil")]
            need(kind == ["flip", "all-ones", 1, "plus"], "not a certificate of all-ones with the plus stencil")
            p = certificate["colours"]
            need(p in (2, 3, 5, 7), "the number of colours must be 2, 3, 5 or 7")
            for board in certificate["boards"]:
                at = f"{board['n']}x{board['n']}: "
                found, complete = check(board, p)
                counts[found] = counts.get(found, 0) + 1
                status = status or (0 if complete else 3)
        except (Wrong, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as why:
            print(f"{file.name}: FAILED: {at}{why if isinstance(why, Wrong) else 'malformed: ' + repr(why)}")
            status = 1
            continue
        print(f"{file.name}: {p} colours: " + ", ".join(f"{count} {found}" for found, count in sorted(counts.items())))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
