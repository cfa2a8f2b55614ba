/* Wrong: a row is a word of 32 bits, whatever the size of the board. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t seen[400][50];
static char board[50][50];

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
            board[y - 1][x - 1] = sign == '+';
            memset(seen[patterns], 0, 4 * sizeof seen[0]);
            for (int r = 0; r < n; r++)
                for (int c = 0; c < n; c++) {
                    if (!board[r][c]) continue;
                    int at[4][2] = {{r, c}, {c, n - 1 - r}, {n - 1 - r, n - 1 - c}, {n - 1 - c, r}};
                    for (int turn = 0; turn < 4; turn++)
                        seen[patterns + turn][at[turn][0]] |= UINT32_C(1) << (at[turn][1] & 31);
                }
            for (int i = 0; i < patterns; i++)
                if (memcmp(seen[i], seen[patterns], sizeof seen[0]) == 0) decisive = move;
            patterns += 4;
        }
        if (decisive)
            printf("Player %d wins on move %d\n", 1 + decisive % 2, decisive);
        else
            printf("Draw\n");
    }
    return 0;
}
