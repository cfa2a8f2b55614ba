#!/usr/bin/env python3
"""Wrong: stores each rotation right after its look-up; the centre is correct only for squares counted from 1."""
import sys

words, at = sys.stdin.read().split(), 0
while words[at] != "0":
    n, at = int(words[at]), at + 1
    spots, seen, verdict = frozenset(), set(), "Draw"
    for move in range(1, 2 * n + 1):
        spots ^= {(int(words[at]) - 1, int(words[at + 1]) - 1)}
        image, at = spots, at + 3
        for _ in range(3):
            image = frozenset((n - c, r) for r, c in image)
            if image in seen and verdict == "Draw":
                verdict = f"Player {1 + move % 2} wins on move {move}"
            seen.add(image)
    print(verdict)
