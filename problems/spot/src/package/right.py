# Right: every earlier board in all four turns.
import sys


def turned(board, n):
    return frozenset((y, n + 1 - x) for x, y in board)


def main():
    words = sys.stdin.read().split()
    at, out = 0, []
    while int(words[at]) != 0:
        n = int(words[at])
        at += 1
        board, seen, verdict = frozenset(), set(), "Draw"
        for move in range(1, 2 * n + 1):
            spot, sign = (int(words[at]), int(words[at + 1])), words[at + 2]
            at += 3
            if verdict != "Draw":
                continue
            board = board | {spot} if sign == "+" else board - {spot}
            if board in seen:
                verdict = "Player %d wins on move %d" % (1 + move % 2, move)
            image = board
            for _ in range(4):
                seen.add(image)
                image = turned(image, n)
        out.append(verdict)
    print("\n".join(out))


main()
