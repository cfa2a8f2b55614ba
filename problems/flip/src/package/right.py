# Right: each first row; the rows below follow from it.
import sys


def presses(board, first):
    """The presses after a first row, and the last row that is left, of 4 bits each."""
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
        for colour in (0, 15):
            count, left = presses([row ^ colour for row in board], first)
            if left == 0:
                found.append(count)
    print(min(found) if found else "Impossible")


main()
