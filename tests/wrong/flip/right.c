/* Right: tries all sets of presses. */
#include <stdio.h>

static int turned(int square) {
    int row = square / 4, col = square % 4, mask = 1 << square;
    if (row > 0) mask |= 1 << (square - 4);
    if (row < 3) mask |= 1 << (square + 4);
    if (col > 0) mask |= 1 << (square - 1);
    if (col < 3) mask |= 1 << (square + 1);
    return mask;
}

int main(void) {
    int board = 0, best = -1;
    for (int i = 0; i < 16; i++) {
        char square;
        scanf(" %c", &square);
        if (square == 'b') board |= 1 << i;
    }
    for (int presses = 0; presses < 1 << 16; presses++) {
        int now = board, count = 0;
        for (int i = 0; i < 16; i++)
            if (presses >> i & 1) {
                now ^= turned(i);
                count++;
            }
        if ((now == 0 || now == 65535) && (best < 0 || count < best))
            best = count;
    }
    if (best < 0)
        printf("Impossible\n");
    else
        printf("%d\n", best);
    return 0;
}
