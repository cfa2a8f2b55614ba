#!/usr/bin/env python3
"""Wrong: squares are counted from 0, but rotated as if from 1."""
import sys

words, at = sys.stdin.read().split(), 0
while words[at] != "0":
    n, at = int(words[at]), at + 1
    spots, seen, verdict = set(), set(), "Draw"
    for move in range(1, 2 * n + 1):
        row, col, sign = int(words[at]) - 1, int(words[at + 1]) - 1, words[at + 2]
        at += 3
        if verdict != "Draw":
            continue
        if sign == "+":
            spots.add((row, col))
        else:
            spots.remove((row, col))
        image = frozenset(spots)
        if image in seen:
            verdict = f"Player {1 + move % 2} wins on move {move}"
        for _ in range(4):
            seen.add(image)
            image = frozenset((n - c, r) for r, c in image)
    print(verdict)
