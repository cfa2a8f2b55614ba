# Wrong: looks for white boards only.
import sys


def presses(board, first):
    """How many presses follow from a first row of presses, and the last row that they leave. Rows have 4 bits."""
    rows, now, count = list(board) + [0], first, 0
    for i in range(4):
        count += bin(now).count("1")
        rows[i] ^= (now ^ now << 1 ^ now >> 1) & 15
        rows[i + 1] ^= now
        now = rows[i]
    return count, rows[3]


def main():
    lines = sys.stdin.read().split()[:4]
    board = [sum(1 << i for i in range(4) if line[i] == "b") for line in lines]
    found = []
    for first in range(16):
        count, left = presses(board, first)
        if left == 0:
            found.append(count)
    print(min(found) if found else "Impossible")


main()
