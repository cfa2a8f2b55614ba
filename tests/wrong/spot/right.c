/* Right: compares with every earlier board in all four rotations. */
#include <stdio.h>
#include <string.h>

static char board[50][50], seen[400][50][50];

static void turn(int n, char from[50][50], char to[50][50]) {
    memset(to, 0, 2500);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            to[x][n - 1 - y] = from[y][x];
}

int main(void) {
    int n;
    while (scanf("%d", &n) == 1 && n != 0) {
        int patterns = 0, decisive = 0;
        memset(board, 0, sizeof board);
        for (int move = 1; move <= 2 * n; move++) {
            int x, y;
            char sign;
            scanf("%d %d %c", &x, &y, &sign);
            if (decisive)
                continue;
            board[y - 1][x - 1] = sign == '+';
            for (int i = 0; i < patterns; i++)
                if (memcmp(seen[i], board, sizeof board) == 0)
                    decisive = move;
            memcpy(seen[patterns++], board, sizeof board);
            for (int turns = 1; turns < 4; turns++) {
                turn(n, seen[patterns - 1], seen[patterns]);
                patterns++;
            }
        }
        if (decisive)
            printf("Player %d wins on move %d\n", 1 + decisive % 2, decisive);
        else
            printf("Draw\n");
    }
    return 0;
}
