"""Ends with status 42 if standard input is an input of Spot, with 43 if not."""
import re
import sys


def valid(lines):
    at, count = 0, 0
    while at < len(lines) and lines[at] != "0\n":
        if not re.fullmatch(r"[1-9][0-9]?\n", lines[at]):
            return False
        n, spots, count = int(lines[at]), set(), count + 1
        if not 2 <= n <= 50:
            return False
        for line in lines[at + 1:at + 1 + 2 * n]:
            if not re.fullmatch(r"[1-9][0-9]? [1-9][0-9]? [+-]\n", line):
                return False
            x, y, sign = line.split()
            square = int(x), int(y)
            if max(square) > n or (square in spots) != (sign == "-"):
                return False
            spots ^= {square}
        at += 1 + 2 * n
    return 1 <= count <= 50 and at == len(lines) - 1


sys.exit(42 if valid(sys.stdin.readlines()) else 43)
