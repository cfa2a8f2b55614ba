/* Right: lists the distinct covered sets, then looks for safe shots. */
#include <stdio.h>
#include <string.h>

static const int SHIPS[7][8] = {{0, 0, 0, 1, 1, 0, 1, 1}, {0, 1, 0, 2, 1, 0, 1, 1}, {0, 0, 0, 1, 1, 1, 1, 2},
    {0, 0, 1, 0, 1, 1, 1, 2}, {0, 1, 1, 0, 1, 1, 1, 2}, {0, 2, 1, 0, 1, 1, 1, 2}, {0, 0, 0, 1, 0, 2, 0, 3}};
static const int POSES[7] = {1, 2, 2, 4, 4, 4, 2};
static int w, h, n, places, place[6000][4], ship_of[6000], on[256][99], ons[256], sets, lost;
static char square[300], taken[256], covered[256], set[300][256];

static void add(int ship, const int *cells, int row, int col) {
    for (int i = 0; i < 4; i++) {
        int r = row + cells[2 * i], c = col + cells[2 * i + 1];
        if (r < 0 || r >= h || c < 0 || c >= w) return;
        place[places][i] = r * w + c;
    }
    for (int i = 0; i < 4; i++) on[place[places][i]][ons[place[places][i]]++] = places;
    ship_of[places++] = ship;
}

static void list(void) {
    for (int i = 0; i < sets; i++) if (memcmp(set[i], covered, n) == 0) return;
    memcpy(set[sets++], covered, n), lost = sets > n + 1;
}

static int is_free(int p, int laid) {
    const int *c = place[p];
    return !(laid >> ship_of[p] & 1) && !taken[c[0]] && !taken[c[1]] && !taken[c[2]] && !taken[c[3]];
}

static void lay(int laid) {
    int best = -1, fewest = 1000, ship = 0, all = laid == 127, room = 28 - 4 * __builtin_popcount(laid);
    for (int i = 0; i < n; i++) {
        int ways = 0;
        if (square[i] != 'x' || covered[i]) continue;
        if (--room < 0) return;
        for (int k = 0; k < ons[i]; k++) ways += is_free(on[i][k], laid);
        if (ways < fewest) best = i, fewest = ways;
    }
    if (all && best < 0) list();
    while (laid >> ship & 1) ship++;
    for (int k = 0; k < (best < 0 ? places : ons[best]) && !all && !lost; k++) {
        int p = best < 0 ? k : on[best][k];
        if (!is_free(p, laid) || (best < 0 && ship_of[p] != ship)) continue;
        for (int i = 0; i < 4; i++) taken[place[p][i]] = covered[place[p][i]] = 1;
        lay(laid | 1 << ship_of[p]);
        for (int i = 0; i < 4; i++) taken[place[p][i]] = covered[place[p][i]] = 0;
    }
}

static int wins(void) {
    int safe = sets;
    while (sets > 1 && safe >= 0 && !lost) {
        safe = -1;
        for (int i = 0; i < n; i++) {
            int missing = 0, which = 0;
            for (int k = 0; k < sets; k++)
                if (!set[k][i]) missing++, which = k;
            if (missing == 1) safe = which;
        }
        if (safe >= 0) memcpy(set[safe], set[--sets], n);
    }
    return sets == 1 && !lost;
}

int main(void) {
    for (int game = 1; scanf("%d %d", &w, &h) == 2 && w != 0; game++) {
        n = w * h, places = sets = lost = 0, memset(ons, 0, sizeof ons), memset(covered, 0, sizeof covered);
        for (int i = 0; i < n; i++) scanf(" %c", &square[i]), taken[i] = square[i] == 'o';
        for (int ship = 0, cells[8]; ship < 7; ship++) {
            memcpy(cells, SHIPS[ship], sizeof cells);
            for (int turns = 0; turns < POSES[ship]; turns++) {
                for (int at = 0; at < (h + 6) * (w + 6); at++) add(ship, cells, at / (w + 6) - 3, at % (w + 6) - 3);
                for (int i = 0, old; i < 8; i += 2) old = cells[i], cells[i] = cells[i + 1], cells[i + 1] = 3 - old;
            }
        }
        lay(0);
        printf("Game #%d\n%s.\n\n", game, wins() ? "yes" : "no");
    }
}
