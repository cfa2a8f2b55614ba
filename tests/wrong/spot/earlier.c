/* Wrong: uses a mirror image instead of the rotation by 270 degrees, and names the player who repeats as the winner. */
#include <stdio.h>
#include <string.h>

static char board[50][50], seen[400][50][50];

int main(void) {
    int n;
    while (scanf("%d", &n) == 1 && n != 0) {
        int patterns = 0, decisive = 0, first = 0;
        memset(board, 0, sizeof board);
        for (int move = 1; move <= 2 * n; move++) {
            int x, y;
            char sign;
            scanf("%d %d %c", &x, &y, &sign);
            if (decisive) continue;
            board[y - 1][x - 1] = sign == '+';
            for (int i = patterns - 1; i >= 0; i--)
                if (memcmp(seen[i], board, sizeof board) == 0) decisive = move, first = i / 4;
            memset(seen[patterns], 0, 4 * sizeof board);
            for (int r = 0; r < n; r++)
                for (int c = 0; c < n; c++)
                    if (board[r][c])
                        seen[patterns][r][c] = seen[patterns + 1][c][n - 1 - r] = seen[patterns + 2][n - 1 - r][n - 1 - c] =
                            seen[patterns + 3][r][n - 1 - c] = 1;
            patterns += 4;
        }
        if (decisive)
            printf("Player %d wins on move %d\n", 1 + first % 2, decisive);
        else
            printf("Draw\n");
    }
    return 0;
}
