# Wrong: squares are counted from 1, but rotated as if they were counted from 0.
import sys


def turned(board, n):
    return frozenset((y, n - x) for x, y in board)


def main():
    lines = iter(sys.stdin)
    for line in lines:
        n = int(line)
        if n == 0:
            break
        board, seen, verdict = frozenset(), set(), "Draw"
        for move in range(1, 2 * n + 1):
            x, y, sign = next(lines).split()
            if verdict != "Draw":
                continue
            board ^= {(int(x), int(y))}
            if board in seen:
                verdict = f"Player {1 + move % 2} wins on move {move}"
            image = board
            for _ in range(4):
                seen.add(image)
                image = turned(image, n)
        print(verdict)


main()
