#!/usr/bin/env python3
"""Checks the certificates of ships with the question "misses" again, from the rules alone.

A fleet of ships lies on a partly uncovered board: x is part of a ship, o is not, and . is unknown. Ships do not
overlap; "turn" and "mirror" say whether they may be turned and mirrored. The player knows the fleet and the board, but
not which of the sets of squares that fit the fleet covers. A shot says whether its square belongs to this set.

The claim: m misses ("misses") certainly suffice, and m - 1 do not. It is verified in four steps.
1. "sets" lists exactly the sets that a fleet on this board can cover: all placements are tried. In row-major order,
   each square that is not a known miss is left empty, or it is the first square of a ship that is placed there.
2. "plan", followed against all sets at once, ends with at most m misses where exactly the set that it names is left.
3. The sets of "lost" are among these, and no order of shots uncovers each of them with m - 1 misses: all are tried.
4. If the certificate says that fewest-o "fails": no player wins with m misses who always shoots at one of the ambiguous
   squares that the fewest sets lack. All such shots are tried.

Usage: check_ships_misses.py [FILE ...]     by default, all such files beside this script
Needs Python 3 and nothing else. The exit status is 0 if all claims hold, 1 if one does not, and 3 if none is wrong but
some board has so many placements that the script gives up step 1. Then it verifies only that the sets can be covered.
"""
import json
import sys
from pathlib import Path

STEPS = 2_000_000
MEMBERS = {"problem", "question", "version", "board", "fleet", "turn", "mirror", "misses", "outcome", "sets", "plan"}
STANDARD = ["xx/xx", ".xx/xx", "xx/.xx", "x/xxx", ".x/xxx", "..x/xxx", "xxxx"]


class Wrong(Exception):
    """A claim does not hold, or the evidence does not show it."""


def need(holds, otherwise):
    if not holds:
        raise Wrong(otherwise)


def cells_of(picture):
    rows = picture.split("/")
    need(set(picture) <= set("x./") and "x" in picture, f"{picture} is not a ship")
    return [(row, col) for row, line in enumerate(rows) for col, letter in enumerate(line) if letter == "x"]


def poses(ship, turn, mirror):
    """The shapes of a ship on the board. The cells of a shape are relative to its first cell in row-major order."""
    shapes = [ship]
    if mirror:
        shapes.append([(row, -col) for row, col in ship])
    for _ in range(3 if turn else 0):
        shapes += [[(col, -row) for row, col in shape] for shape in shapes]
    return {frozenset((row - min(shape)[0], col - min(shape)[1]) for row, col in shape) for shape in shapes}


def covered_sets(board, fleet):
    """All sets that the fleet can cover, as bits in row-major order; None if the search takes too long.

    `fleet` maps the poses of a ship to the number of ships with these poses.
    """
    height, width = len(board), len(board[0])
    letters = "".join(board)
    size = sum(len(next(iter(ship))) * many for ship, many in fleet.items())
    places = [[] for _ in letters]  # for each square, the ships that can have it as first square, and what they cover
    for ship in fleet:
        for shape in ship:
            for square in range(len(letters)):
                cells = [(square // width + row, square % width + col) for row, col in shape]
                if all(row < height and 0 <= col < width and board[row][col] != "o" for row, col in cells):
                    places[square].append((ship, sum(1 << row * width + col for row, col in cells)))
    sets, steps = set(), 0

    def place(square, covered, empty, rest):
        """`empty` is how many of the squares from here on are left empty."""
        nonlocal steps
        steps += 1
        if steps > STEPS:
            raise TimeoutError
        while square < len(letters) and (covered >> square & 1 or letters[square] == "o"):
            square += 1
        if square == len(letters):
            sets.add(covered)
            return
        if letters[square] == "." and empty:
            place(square + 1, covered, empty - 1, rest)
        for ship, cells in places[square]:
            if rest[ship] and not covered & cells:
                place(square + 1, covered | cells, empty, {**rest, ship: rest[ship] - 1})

    empty = len(letters) - letters.count("o") - size
    try:
        if empty >= 0:
            place(0, 0, empty, fleet)
    except TimeoutError:
        return None
    return sets


def follow(plan, left, misses, number_of, square_of):
    """Follows the plan against all sets that are left."""
    if "sink" in plan:
        need({number_of[cells] for cells in left} == {plan["sink"]}, f"a leaf names only set {plan['sink']}")
        return
    square = square_of(plan["shoot"])
    hit = [cells for cells in left if cells >> square & 1]
    miss = [cells for cells in left if not cells >> square & 1]
    need(not miss or misses, "the plan has one miss too many")
    if hit:
        follow(plan["hit"], hit, misses, number_of, square_of)
    if miss:
        follow(plan["miss"], miss, misses - 1, number_of, square_of)


def wins(left, misses, greedy, known):
    """Whether shots can uncover each of these sets, which have equal size; `greedy`: only shots of fewest-o."""
    if len(left) == 1:
        return True
    if misses == 0:
        return False  # Whatever the square, if it is ambiguous, the shot may miss.
    if (left, misses) not in known:
        shots = []
        squares = max(left).bit_length()
        for square in range(squares):
            hit = frozenset(cells for cells in left if cells >> square & 1)
            if hit and hit != left:
                shots.append((left - hit, hit))
        fewest = min(len(miss) for miss, _ in shots)
        known[left, misses] = any(
            wins(miss, misses - 1, greedy, known) and wins(hit, misses, greedy, known)
            for miss, hit in shots
            if not greedy or len(miss) == fewest
        )
    return known[left, misses]


def check(certificate):
    """What the certificate shows, and whether the list of sets is complete; raises an error if it is wrong."""
    kind = [certificate[name] for name in ("problem", "question", "version")]
    need(kind == ["ships", "misses", 1], "not a certificate of ships with the question misses, version 1")
    need(MEMBERS <= set(certificate) <= MEMBERS | {"lost", "fewest_o"}, "a member is missing or unknown")
    board, misses = certificate["board"], certificate["misses"]
    need(board and len({len(row) for row in board}) == 1 and set("".join(board)) <= set("xo."), "not a board")
    need(certificate["outcome"] == "yes", "the outcome must be yes")
    need(type(misses) is int and misses >= 0, "misses must be a number from 0")
    need({certificate["turn"], certificate["mirror"]} <= {"yes", "no"}, "turn and mirror must be yes or no")
    ways = [certificate[name] == "yes" for name in ("turn", "mirror")]
    fleet, standard = {}, {}
    for ships, pictures in ((fleet, certificate["fleet"]), (standard, STANDARD)):
        for picture in pictures:
            ship = frozenset(poses(cells_of(picture), *ways))
            ships[ship] = ships.get(ship, 0) + 1
    width = len(board[0])

    def square_of(cell):
        row, col = cell
        need(1 <= row <= len(board) and 1 <= col <= width, f"{cell} is not a square")
        return (row - 1) * width + col - 1

    def bits(cells):
        squares = {square_of(cell) for cell in cells}
        need(len(squares) == len(cells), "a set has a square twice")
        return sum(1 << square for square in squares)

    sets = [bits(cells) for cells in certificate["sets"]]
    need(sets and len(set(sets)) == len(sets), "the sets are not distinct")
    possible = covered_sets(board, fleet)
    if possible is None:
        for cells in sets:
            known = ["xo"[not cells >> i & 1] for i in range(len(board) * width)]
            need(all(old in "." + new for old, new in zip("".join(board), known)), "a set contradicts the board")
            alone = ["".join(known[i : i + width]) for i in range(0, len(known), width)]
            need(covered_sets(alone, fleet) == {cells}, "no fleet covers one of the sets")
    else:
        need(set(sets) <= possible, f"no fleet covers {len(set(sets) - possible)} of the sets")
        need(set(sets) == possible, f"{len(possible) - len(sets)} sets are missing")
    need(len({cells.bit_count() for cells in sets}) == 1, "the sets do not have equal size")
    follow(certificate["plan"], sets, misses, {cells: i for i, cells in enumerate(sets, 1)}, square_of)
    need((misses > 0) == ("lost" in certificate), "lost sets must show that fewer misses do not suffice")
    if misses:
        lost = frozenset(map(bits, certificate["lost"]))
        need(lost and lost <= set(sets), "a lost set is not among the sets")
        need(not wins(lost, misses - 1, False, {}), f"the lost sets are won with {misses - 1}")
    found = f"{width}x{len(board)}, {'standard' if fleet == standard else 'OTHER'} fleet, turn {certificate['turn']}, "
    found += f"mirror {certificate['mirror']}, {len(sets)} sets: misses needed: {misses}"
    if "fewest_o" in certificate:
        need(certificate["fewest_o"] == "fails", "the claim on fewest-o must be fails")
        need(not wins(frozenset(sets), misses, True, {}), "a fewest-o player wins")
        found += "; no fewest-o player wins"
    return found, possible is not None


def main(arguments):
    folder = Path(__file__).parent
    names = arguments or [*folder.glob("ships-misses-*.json"), *folder.glob("ships-*-position.json")]
    files, status = sorted(map(Path, names)), 0 if names else 1
    for file in files:
        try:
            found, complete = check(json.loads(file.read_text()))
        except (Wrong, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as why:
            print(f"{file.name}: FAILED: {why if isinstance(why, Wrong) else 'malformed: ' + repr(why)}")
            status = 1
            continue
        status = status or (0 if complete else 3)
        print(f"{file.name}: {found}; {'verified' if complete else 'NOT VERIFIED: that these are all sets'}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
