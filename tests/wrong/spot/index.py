# Wrong: squares are counted from 1 in a list that counts from 0.
import sys


def turned(board):
    return [list(row) for row in zip(*board[::-1])]


def main():
    words = iter(sys.stdin.read().split())
    for word in words:
        n = int(word)
        if n == 0:
            break
        board, seen, verdict = [[0] * n for _ in range(n)], [], "Draw"
        for move in range(1, 2 * n + 1):
            x, y, sign = int(next(words)), int(next(words)), next(words)
            board[y][x] = 1 if sign == "+" else 0
            if verdict == "Draw" and board in seen:
                verdict = "Player %d wins on move %d" % (1 + move % 2, move)
            image = board
            for _ in range(4):
                seen.append([list(row) for row in image])
                image = turned(image)
        print(verdict)


main()
