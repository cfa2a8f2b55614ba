/* Wrong: squares are counted from 0, but rotated as if from 1, so that a column is lost. */
#include <stdio.h>
#include <string.h>

static char board[52][52], seen[400][52][52];

int main(void) {
    int n;
    while (scanf("%d", &n) == 1 && n != 0) {
        int patterns = 0, decisive = 0;
        memset(board, 0, sizeof board);
        for (int move = 1; move <= 2 * n; move++) {
            int x, y;
            char sign;
            scanf("%d %d %c", &x, &y, &sign);
            if (decisive) continue;
            board[x - 1][y - 1] = sign == '+';
            for (int i = 0; i < patterns; i++)
                if (memcmp(seen[i], board, sizeof board) == 0) decisive = move;
            memcpy(seen[patterns++], board, sizeof board);
            for (int turn = 1; turn < 4; turn++, patterns++) {
                memset(seen[patterns], 0, sizeof board);
                for (int r = 0; r < n; r++)
                    for (int c = 1; c < n; c++) seen[patterns][n - c][r] = seen[patterns - 1][r][c];
            }
        }
        if (decisive)
            printf("Player %d wins on move %d\n", 1 + decisive % 2, decisive);
        else
            printf("Draw\n");
    }
    return 0;
}
