#!/usr/bin/env python3
"""Wrong: uses both mirror images and the half turn as the rotations."""
import sys


def images(spots, n):
    for flip_x, flip_y in [(False, False), (True, False), (False, True), (True, True)]:
        yield frozenset((n + 1 - x if flip_x else x, n + 1 - y if flip_y else y) for x, y in spots)


words, at = sys.stdin.read().split(), 0
while words[at] != "0":
    n, at = int(words[at]), at + 1
    spots, seen, verdict = set(), set(), "Draw"
    for move in range(1, 2 * n + 1):
        x, y, sign = words[at : at + 3]
        at += 3
        if verdict != "Draw":
            continue
        spots ^= {(int(x), int(y))}
        if frozenset(spots) in seen:
            verdict = f"Player {1 + move % 2} wins on move {move}"
        seen.update(images(spots, n))
    print(verdict)
