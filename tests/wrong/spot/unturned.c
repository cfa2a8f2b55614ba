/* Wrong: patterns are not rotated. */
#include <stdio.h>
#include <string.h>

static char board[50][50], seen[400][50][50];

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
        }
        if (decisive)
            printf("Player %d wins on move %d\n", 1 + decisive % 2, decisive);
        else
            printf("Draw\n");
    }
    return 0;
}
