# Wrong: plays the whole game again for each pair of moves, which takes too long on large boards.
import sys


def turned(board):
    return [list(row) for row in zip(*board[::-1])]


def played(n, moves):
    board = [[0] * n for _ in range(n)]
    for x, y, sign in moves:
        board[y - 1][x - 1] = 1 if sign == "+" else 0
    return board


def same(n, moves, before, move):
    for turns in range(4):
        board = played(n, moves[:before])
        for _ in range(turns):
            board = turned(board)
        if board == played(n, moves[:move]):
            return True
    return False


def verdict(n, moves):
    for move in range(1, 2 * n + 1):
        for before in range(1, move):
            if same(n, moves, before, move):
                return "Player %d wins on move %d" % (1 + move % 2, move)
    return "Draw"


def main():
    words = sys.stdin.read().split()
    at = 0
    while int(words[at]) != 0:
        n = int(words[at])
        lines = [words[at + 1 + 3 * i:at + 4 + 3 * i] for i in range(2 * n)]
        print(verdict(n, [(int(x), int(y), sign) for x, y, sign in lines]))
        at += 1 + 6 * n


main()
