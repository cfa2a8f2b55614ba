"""Checks that the presses in certificates of `study flip all-ones` are the fewest, where the null space is large.

`check_all_ones.py` enumerates all solutions, so it ends at a null space of about 20 dimensions. This script does the same for
more dimensions (42 for n = 65) by Walsh-Hadamard transforms. It shares no code with Counterpoint.

    python3 check_all_ones_large.py FILE [N ...]

Without N, it checks the boards of FILE that `check_all_ones.py` leaves out. It needs numpy.

The solutions are one solution plus all null vectors. Let V be a subspace of the null space. On V, the value of a square
is a linear functional; squares with the same functional are a group. In one coset of V, let a(g) be the sum over group
g of +1 for each square that is not pressed and -1 for each that is. Then the Walsh-Hadamard transform of a, over the
dual of V, has at each vector of V the number of squares minus twice the number of presses. It is at most the sum of |a(g)|,
so a coset needs no transform if that sum is too small. V consists of the null vectors that vanish on the middle
row, if there is one: they are mirror images of themselves, so their groups have at least two squares.
"""

import json
import sys

import numpy as np

from check_all_ones import as_number, check, null_space, rows_from

# The largest dimension of V, and the binary logarithm of the number of cosets that are bounded together.
MOST = 21
BATCH = 10


def eliminated(vectors, mask):
    """A basis of the same space in two parts: vectors that are independent on the bits of mask, and vectors that vanish there."""
    pivots, inside = {}, []
    for vector in vectors:
        while vector & mask:
            lead = (vector & mask).bit_length()
            if lead not in pivots:
                pivots[lead] = vector
                break
            vector ^= pivots[lead]
        else:
            inside.append(vector)
    return list(pivots.values()), inside


def bits(vector, count):
    """The bits as an array, bit 0 first."""
    return np.unpackbits(np.frombuffer(vector.to_bytes((count + 7) // 8, "little"), np.uint8), bitorder="little")[:count]


def signs(vector, count):
    """+1 for each bit that is 0, and -1 for each that is 1."""
    return 1 - 2 * bits(vector, count).astype(np.int8)


def products(vectors):
    """The products of all subsets of the vectors of signs, one in a row."""
    found = np.ones((1, vectors.shape[1]), np.int8)
    for vector in vectors:
        found = np.concatenate([found, found * vector])
    return found


def transform(a):
    """The Walsh-Hadamard transform in place; the length is a power of two."""
    half = 1
    while half < len(a):
        pairs = a.reshape(-1, 2, half)
        low = pairs[:, 0].copy()
        pairs[:, 0] += pairs[:, 1]
        np.subtract(low, pairs[:, 1], out=pairs[:, 1])
        half *= 2
    return a


def most_unpressed(n, solution, null, enough):
    """The greatest number of squares minus twice the number of presses, of all solutions; cosets that cannot reach `enough` are
    left out. Also the numbers of cosets and of transforms."""
    squares = n * n
    middle = ((1 << n) - 1) << n * (n // 2) if n % 2 else 0
    outside, inside = eliminated(null, middle)
    outside, inside = outside + inside[MOST:], inside[:MOST]
    functional = np.zeros(squares, np.int64)
    for k, vector in enumerate(inside):
        functional |= bits(vector, squares).astype(np.int64) << k
    order = np.argsort(functional, kind="stable")
    groups, starts = np.unique(functional[order], return_index=True)
    base = signs(solution, squares)[order]
    generators = np.array([signs(vector, squares)[order] for vector in outside], np.int8).reshape(-1, squares)
    inner, outer = products(generators[:BATCH]), generators[BATCH:]
    best, transforms = -squares, 0
    for number in range(1 << len(outer)):
        chosen = base.copy()
        for k, vector in enumerate(outer):
            if number >> k & 1:
                chosen *= vector
        sums = np.add.reduceat(inner * chosen, starts, axis=1, dtype=np.int16)
        for row in np.flatnonzero(np.abs(sums).sum(axis=1, dtype=np.int32) >= enough):
            a = np.zeros(1 << len(inside), np.int16)
            a[groups] = sums[row]
            best, transforms = max(best, int(transform(a).max())), transforms + 1
    return best, 1 << len(outside), transforms


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        boards = json.load(file)["boards"]
    chosen = [int(n) for n in sys.argv[2:]]
    for board in boards:
        n, presses = board["n"], board["presses"]
        if not board["least"] or not (n in chosen if chosen else board["nullity"] > 20):
            continue
        assert check(board, 0) == "upper bound; least not checked"
        (first,) = board["rows"]
        solution = as_number(n, rows_from(n, sum(int(digit) << c for c, digit in enumerate(first)), 1))
        null = [as_number(n, rows_from(n, vector, 0)) for vector in null_space(n)]
        # The parity of the presses is that of n, so a better solution has two presses fewer. The claimed one must be found.
        best, cosets, transforms = most_unpressed(n, solution, null, n * n - 2 * presses)
        assert best == n * n - 2 * presses, f"{n}x{n}: {(n * n - best) // 2} presses suffice"
        print(f"{n}x{n}, nullity {board['nullity']}: {presses} presses are the fewest ({transforms} of {cosets} cosets transformed)", flush=True)


if __name__ == "__main__":
    main()
