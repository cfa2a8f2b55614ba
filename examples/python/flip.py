#!/usr/bin/env python3
"""Flip for the judge (POJ 1753): prints the fewest presses that make the board one colour, or `Impossible`.

Works for boards of any size. The presses of the first row determine all others, because each later row must repair the
row above it. So the program tries all first rows, once for each colour.
"""
import sys

lines = sys.stdin.read().split()
width = len(lines[0])
full = (1 << width) - 1
board = [int(line.translate(str.maketrans("bw", "10")), 2) for line in lines]


def presses(first, target):
    """The number of presses if these squares of the first row are pressed; None if the last row is not repaired."""
    count, above, here = 0, 0, first
    wrong = [row ^ target for row in board]
    for i in range(len(board)):
        count += here.bit_count()
        wrong[i] ^= (here ^ here << 1 ^ here >> 1 ^ above) & full
        # Only the row below can repair this one.
        above, here = here, wrong[i]
    return count if here == 0 else None


found = [presses(first, target) for first in range(full + 1) for target in (0, full)]
found = [count for count in found if count is not None]
print(min(found) if found else "Impossible")
