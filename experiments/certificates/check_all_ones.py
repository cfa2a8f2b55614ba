"""Checks certificates of `study flip all-ones` (plus stencil, two colours) without Counterpoint.

For each board: the presses turn every square an odd number of times, their number is as claimed, and the null space has
the claimed dimension. If the presses are claimed to be the fewest: their number has the parity that all solutions have,
and if the null space has at most DIMENSIONS dimensions (20 if not given), all solutions are enumerated in Gray code
order. For larger null spaces, this script does not check that fewer presses are not enough.

    python3 check_all_ones.py FILE [DIMENSIONS]

Only the standard library is used. A row is an integer whose bit c stands for column c.
"""

import json
import sys


def rows_from(n, first, turned):
    """Light chasing: n rows of presses, and the row below, which must be 0. Every square is turned `turned` times."""
    full = (1 << n) - 1
    rows, above = [first], 0
    for _ in range(n):
        row = rows[-1]
        rows.append((full if turned else 0) ^ row ^ (row << 1 & full) ^ (row >> 1) ^ above)
        above = row
    return rows


def turns_every_square(n, rows):
    """Counts, for each square, the presses of the square and its neighbours."""
    def pressed(r, c):
        return rows[r] >> c & 1 if 0 <= r < n and 0 <= c < n else 0

    around = [(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)]
    return all(sum(pressed(r + a, c + b) for a, b in around) % 2 == 1 for r in range(n) for c in range(n))


def null_space(n):
    """First rows of a basis: the combinations of first rows for which the row below the board is 0."""
    pivots, basis = {}, []
    for k in range(n):
        below, first = rows_from(n, 1 << k, 0)[n], 1 << k
        while below:
            lead = below.bit_length()
            if lead not in pivots:
                pivots[lead] = (below, first)
                break
            below, first = below ^ pivots[lead][0], first ^ pivots[lead][1]
        else:
            basis.append(first)
    return basis


def as_number(n, rows):
    """All squares of the board as one integer."""
    return sum(row << n * r for r, row in enumerate(rows[:n]))


def fewest(board, null):
    """The fewest presses of all sums of the board and null vectors, in Gray code order."""
    best = board.bit_count()
    for step in range(1, 1 << len(null)):
        board ^= null[(step & -step).bit_length() - 1]
        best = min(best, board.bit_count())
    return best


def check(board, dimensions):
    """Returns what was verified; raises an AssertionError with the claim that is false."""
    n, presses = board["n"], board["presses"]
    (first,) = board["rows"]
    rows = rows_from(n, sum(int(digit) << c for c, digit in enumerate(first)), 1)
    assert len(first) == n and turns_every_square(n, rows), f"{n}x{n}: the presses do not turn every square"
    solution = as_number(n, rows)
    assert solution.bit_count() == presses, f"{n}x{n}: there are {solution.bit_count()} presses"
    null = [as_number(n, rows_from(n, vector, 0)) for vector in null_space(n)]
    assert len(null) == board["nullity"], f"{n}x{n}: the null space has dimension {len(null)}"
    assert all(vector.bit_count() % 2 == 0 for vector in null), f"{n}x{n}: a null vector is odd"
    assert presses % 2 == n % 2, f"{n}x{n}: the parity of the presses is wrong"
    if not board["least"]:
        return "upper bound"
    if len(null) > dimensions:
        return "upper bound; least not checked"
    found = fewest(solution, null)
    assert found == presses, f"{n}x{n}: {found} presses suffice"
    return "least"


def main():
    dimensions = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    with open(sys.argv[1], encoding="utf-8") as file:
        certificate = json.load(file)
    kind = [certificate[key] for key in ("question", "stencil", "colours")]
    if kind != ["all-ones", "plus", 2]:
        sys.exit(f"{sys.argv[1]}: expected a certificate of all-ones with the plus stencil and 2 colours")
    counts = {}
    for board in certificate["boards"]:
        try:
            found = check(board, dimensions)
        except AssertionError as why:
            sys.exit(f"{sys.argv[1]}: {why}")
        if found != "least":
            print(f"{board['n']}x{board['n']}, nullity {board['nullity']}, {board['presses']} presses: {found}")
        counts[found] = counts.get(found, 0) + 1
    print(f"{sys.argv[1]}: " + ", ".join(f"{count} {found}" for found, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
