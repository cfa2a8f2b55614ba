/* Wrong: looks no further than four presses. */
#include <stdio.h>

static int turns[16];

/* Whether `presses` presses on squares from `from` on make all squares one colour. */
static int solves(int board, int from, int presses) {
    if (presses == 0) return board == 0 || board == 65535;
    for (int i = from; i < 16; i++)
        if (solves(board ^ turns[i], i + 1, presses - 1)) return 1;
    return 0;
}

int main(void) {
    int board = 0;
    for (int i = 0; i < 16; i++) {
        char square;
        if (scanf(" %c", &square) != 1) return 1;
        board |= (square == 'b') << i;
        turns[i] = 1 << i | (i > 3 ? 1 << (i - 4) : 0) | (i < 12 ? 1 << (i + 4) : 0);
        turns[i] |= (i % 4 > 0 ? 1 << (i - 1) : 0) | (i % 4 < 3 ? 1 << (i + 1) : 0);
    }
    for (int presses = 0; presses <= 4; presses++)
        if (solves(board, 0, presses)) {
            printf("%d\n", presses);
            return 0;
        }
    puts("Impossible");
    return 0;
}
