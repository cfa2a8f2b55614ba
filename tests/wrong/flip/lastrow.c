/* Wrong: a press in the last row also flips a bit beyond the board. */
#include <stdio.h>

int main(void) {
    char rows[4][8];
    int board = 0, fewest = 17;
    for (int r = 0; r < 4; r++) scanf("%7s", rows[r]);
    for (int i = 0; i < 16; i++) board |= (rows[i / 4][i % 4] == 'b') << i;
    for (int presses = 0; presses < 1 << 16; presses++) {
        int after = board, count = 0;
        for (int i = 0; i < 16; i++) {
            if (!(presses >> i & 1)) continue;
            count++, after ^= 1 << i | 1 << (i + 4);
            if (i % 4 != 3) after ^= 1 << (i + 1);
            if (i % 4) after ^= 1 << (i - 1);
            if (i >= 4) after ^= 1 << (i - 4);
        }
        if ((after == 0 || after == 0xffff) && count < fewest) fewest = count;
    }
    if (fewest > 16)
        puts("Impossible");
    else
        printf("%d\n", fewest);
    return 0;
}
