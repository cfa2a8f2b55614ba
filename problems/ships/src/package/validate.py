"""Ends with status 42 if standard input is an input of Ships, with 43 if not."""
import re
import sys


def valid(text):
    if not text.endswith("0 0\n"):
        return False
    boards = text[:-len("0 0\n")].split("\n\n")
    if boards[-1] == "":
        boards.pop()
    else:
        boards[-1] = boards[-1].removesuffix("\n")
    for board in boards:
        header, *rows = board.split("\n")
        if not re.fullmatch(r"[1-9][0-9]? [1-9][0-9]?", header):
            return False
        w, h = map(int, header.split())
        if not (2 <= w <= 16 and 2 <= h <= 16 and len(rows) == h):
            return False
        if not all(re.fullmatch(f"[xo.]{{{w}}}", row) for row in rows):
            return False
    return 1 <= len(boards) <= 20


sys.exit(42 if valid(sys.stdin.read()) else 43)
