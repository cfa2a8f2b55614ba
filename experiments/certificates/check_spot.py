#!/usr/bin/env python3
"""Checks the certificates spot-*.json again, from the rules of the game alone.

Two players take turns. A move changes one square of an n×n board: it places a spot there, or removes it. A player who
recreates an earlier board, up to the symmetries of the certificate, loses. The empty board at the start is an earlier
board only if "start" is "counted". If nobody has lost after "limit" moves, the game is a draw. Squares are numbered row
by row from 0; a board is the sum of 2^square over its spots. Boards that are equal up to symmetry are a *class*, named
by the least of these boards. Each move changes the parity of the number of spots, so each player always creates classes
of the same parity.

The claims of the four questions, and how they are verified:

value          With "limit" none, a player wins: "answers" has this player's move at each class, and no two of these
               moves lead to the same class. So a player who answers each new class is never the first to repeat. With
               a limit, "forces" is a tree of all answers to a winner's moves, and "holds" shows for each player in turn
               that the other need not repeat in time.
forcing-limit  "winner" wins without a limit, within "at_most" moves ("answers" or "forces"). With a limit of "at_least"
               - 1, the other player need not repeat ("holds").
longest        "moves" is a game of "at_least" moves without a repeat; the classes of each parity are too few for a game
               of more than "at_most" moves.
rules          For each of five wrong programs, the game is a shortest one on which the program and the certificate's
               rules disagree: all shorter games are tried. If no game is listed, no game within the limit exists.

In trees, the *pursuer* tries to make the other player, the *pursued*, repeat. `not_forced` says how reservations work.
Every claim is verified completely. Boards larger than 4×4 are refused as not supported.

Usage: check_spot.py [FILE ...]     by default, all such files beside this script
Needs Python 3 and nothing else. The exit status is 0 if all claims hold, 1 if one does not, and 3 if none is wrong but
one is not verified.
"""
import json
import sys
from itertools import count
from pathlib import Path

GROUPS = {"trivial": [(0, 0)], "c2": [(0, 0), (2, 0)], "c4": [(turns, 0) for turns in range(4)]}
GROUPS["d4"] = [(turns, mirrored) for turns in range(4) for mirrored in (0, 1)]
ONE_MIRROR = "rotations and one mirror", GROUPS["c4"] + [(0, 1)]
COMMON = {"problem", "question", "version", "n", "symmetry", "start"}
MEMBERS = {
    "value": {"limit", "value", "answers", "forces", "holds"},
    "forcing-limit": {"winner", "at_least", "at_most", "answers", "holds", "forces"},
    "longest": {"at_least", "at_most", "moves"},
    "rules": {"limit", "games"},
}


class Wrong(Exception):
    """A claim does not hold, or the evidence does not show it."""


def need(holds, otherwise):
    if not holds:
        raise Wrong(otherwise)


def number(certificate, name, least=1):
    need(type(certificate[name]) is int and certificate[name] >= least, f"{name} must be a number from {least}")
    return certificate[name]


def image(board, n, turns, mirrored):
    """The board, mirrored left to right or not, and then turned clockwise."""
    spots = [(square // n, square % n) for square in range(n * n) if board >> square & 1]
    if mirrored:
        spots = [(row, n - 1 - col) for row, col in spots]
    for _ in range(turns):
        spots = [(col, n - 1 - row) for row, col in spots]
    return sum(1 << row * n + col for row, col in spots)


class Classes:
    """The classes of all boards, and which moves lead where."""

    def __init__(self, n, group):
        self.squares = n * n
        self.of = [min(image(board, n, *g) for g in group) for board in range(1 << n * n)]
        self.all = [board for board in range(1 << n * n) if self.of[board] == board]
        self.near = {c: {self.of[c ^ 1 << square] for square in range(n * n)} for c in self.all}
        self.parity = [[c for c in self.all if c.bit_count() % 2 == odd] for odd in (0, 1)]

    def after(self, board, square):
        need(self.of[board] == board, f"{board} is not the least board of its class")
        need(0 <= square < self.squares, f"{square} is not a square")
        return self.of[board ^ 1 << square]

    def moves(self, board, produced):
        """The classes that a move leads to without a repeat, in the order of their first squares."""
        found = dict.fromkeys(self.after(board, square) for square in range(self.squares))
        return [c for c in found if c not in produced]


def never_repeats(classes, start, winner, answers):
    """Shows that the winner can always answer, and returns the move by which the other player has lost.

    The winner moves at the classes of one parity. The other player creates each of them at most once, unless he
    repeats. So the winner uses each answer at most once, and never repeats if no two answers are the same class and
    none is an empty board that counts. If player 1 is the winner, the empty board must count; otherwise player 2 may
    create it, too, although player 1 has answered it at the start.
    """
    need(winner in (1, 2), "there are players 1 and 2")
    turns = classes.parity[winner - 1]
    need(len(answers) == len(turns), f"there are {len(answers)} answers for {len(turns)} classes")
    partners = {classes.after(board, int(square, 36)) for board, square in zip(turns, answers)}
    need(len(partners) == len(turns), "two answers lead to the same class")
    need(start == "uncounted" or 0 not in partners, "an answer recreates the empty board")
    need(winner == 2 or start == "counted", "player 2 may return to the empty board, and the answer is used up")
    # The classes that the loser creates, one each move, before the move with which he repeats.
    return 2 * len(turns) if winner == 1 else 2 * len(turns) + 1


class Trees:
    """Verifies trees for one pursuer. The pursued has `left` moves within the limit."""

    def __init__(self, classes, start, pursuer):
        self.classes, self.pursuer = classes, pursuer
        self.produced = {0} if start == "counted" else set()

    def left(self, limit):
        return limit // 2 if self.pursuer == 1 else (limit + 1) // 2

    def then(self, board, check, *arguments):
        """Checks something with this class created, and takes it back."""
        self.produced.add(board)
        result = check(board, *arguments)
        self.produced.discard(board)
        return result

    def holds(self, limit, tree):
        """The pursued need not repeat within the limit."""
        left = self.left(limit)
        if left:
            return self.held(0, left, tree) if self.pursuer == 1 else self.answered(0, left, tree)

    def answered(self, board, left, pair):
        """The pursued is to move: the pair has the move, and a tree for the position after it."""
        square, tree = pair
        following = self.classes.after(board, square)
        need(following not in self.produced, f"the answer {square} at {board} repeats")
        self.then(following, self.held, left - 1, tree)

    def held(self, board, left, tree):
        """The pursuer is to move. A pursuer who repeats loses, so only moves without a repeat are to be answered."""
        (form, value), = tree.items()
        if form == "reserve":
            return self.not_forced(board, left, value)
        need(form == "each" and left > 0, f"a tree {form} where the pursued has {left} moves left")
        moves = self.classes.moves(board, self.produced)
        need(len(value) == len(moves), f"{len(value)} answers to {len(moves)} moves at {board}")
        for following, pair in zip(moves, value):
            self.then(following, self.answered, left, pair)

    def not_forced(self, board, left, reserved):
        """Reservations show that the pursued has an answer on each of the next `left` moves, whatever the pursuer does.

        Each reservation keeps a new class for one class v: the pursued goes there from v, and from nowhere else.
        The pursuer comes to v only once, so the answer at v is still new then. A class w without a reservation needs
        more new neighbours that are kept for no class than the pursued can have used up before. Let w differ from the
        board by d spots, an odd number. From here on, the pursuer makes moves 1, 3, 5, … and the pursued 2, 4, 6, …,
        so w can be created in time only if d <= 2 left - 1. The neighbours of w differ from the board by d - 1 spots
        or more, so only moves 2i >= d - 1 of the pursued create them, and the last answer must still find one.
        """
        kept = [self.classes.after(v, square) for v, square in reserved]
        for (v, _), target in zip(reserved, kept):
            need(v.bit_count() % 2 == self.pursuer % 2, f"the pursuer does not create class {v}")
            need(target not in self.produced, f"the class reserved for {v} is not new")
        need(len(set(kept)) == len(kept), "a class is reserved twice")
        owners = {v for v, _ in reserved}
        lost = {}
        for used in self.produced.union(kept):
            for w in self.classes.near[used]:
                lost[w] = lost.get(w, 0) + 1
        for w in self.classes.parity[self.pursuer % 2]:
            d = abs(w.bit_count() - board.bit_count())
            if w in owners or w in self.produced or d > 2 * left - 1:
                continue
            others = max(0, left - max(1, d // 2))  # the moves 2i with 1 <= i < left and 2i >= d - 1
            free = len(self.classes.near[w]) - lost.get(w, 0)
            need(free > others, f"class {w} has {free} free neighbours, and {others} can be used up")

    def forces(self, limit, tree):
        """The pursuer can make the pursued repeat within the limit."""
        left = self.left(limit)
        return self.forced(0, left, tree) if self.pursuer == 1 else self.all_forced(0, left, tree)

    def forced(self, board, left, tree):
        """The pursuer is to move."""
        need(set(tree) == {"move", "then"}, "a tree needs a move and what follows")
        following = self.classes.after(board, tree["move"])
        need(following not in self.produced, f"the pursuer's move {tree['move']} at {board} repeats")
        self.then(following, self.all_forced, left, tree["then"])

    def all_forced(self, board, left, trees):
        """The pursued is to move: there is a tree for each move without a repeat, and there is time for the move."""
        need(left > 0, "the limit is reached before the pursued repeats")
        moves = self.classes.moves(board, self.produced)
        need(len(trees) == len(moves), f"{len(trees)} trees for {len(moves)} moves at {board}")
        for following, tree in zip(moves, trees):
            self.then(following, self.forced, left - 1, tree)


def value(certificate, classes, start):
    limit, claim = certificate["limit"], certificate["value"]
    given = [name for name in ("answers", "forces", "holds") if name in certificate]
    wanted = "answers" if limit == "none" else "holds" if claim == "draw" else "forces"
    need(given == [wanted], f"the evidence must be {wanted}")
    if limit != "none":
        number(certificate, "limit")
    if claim == "draw":
        need(limit != "none" and len(certificate["holds"]) == 2, "a tree for each player must show a draw")
        for pursuer, tree in zip((1, 2), certificate["holds"]):
            Trees(classes, start, pursuer).holds(limit, tree)
        return f"limit {limit}: draw"
    player = {"player 1 wins": 1, "player 2 wins": 2}[claim]
    if limit == "none":
        never_repeats(classes, start, player, certificate["answers"])
        return f"no limit: {claim}"
    Trees(classes, start, player).forces(limit, certificate["forces"])
    return f"limit {limit}: {claim}"


def forcing_limit(certificate, classes, start):
    winner, least, most = (number(certificate, name) for name in ("winner", "at_least", "at_most"))
    shown = never_repeats(classes, start, winner, certificate["answers"])
    if "forces" in certificate:
        Trees(classes, start, winner).forces(most, certificate["forces"])
    else:
        need(shown <= most, f"the answers force a repeat by move {shown}, not by move {most}")
    Trees(classes, start, winner).holds(least - 1, certificate["holds"])
    return f"player {winner} wins; the least limit that forces this is {least} to {most}"


def longest(certificate, classes, start):
    least, most, moves = number(certificate, "at_least"), number(certificate, "at_most"), certificate["moves"]
    need(len(moves) == least, f"the game has {len(moves)} moves")
    produced, board = {0} if start == "counted" else set(), 0
    for move, square in enumerate(moves, 1):
        need(int(square, 36) < classes.squares, f"{square} is not a square")
        board ^= 1 << int(square, 36)
        need(classes.of[board] not in produced, f"move {move} repeats")
        produced.add(classes.of[board])
    even, odd = len(classes.parity[0]) - (start == "counted"), len(classes.parity[1])
    bound = next(m for m in count() if (m + 2) // 2 > odd or (m + 1) // 2 > even)
    need(bound <= most, f"the classes bound games by {bound} moves, not {most}")
    return f"a longest game has {least} to {most} moves"


def verdicts(n, programs, game):
    """For each program, given by its symmetries and its start, whether it calls the last move of a game a repeat."""
    boards = [0]
    for square in game:
        boards.append(boards[-1] ^ 1 << square)
    images = [[image(boards[-1], n, *g) for g in group] for group, _ in programs]
    earlier = [boards[0 if start == "counted" else 1 : -1] for _, start in programs]
    return [any(board in before for board in them) for them, before in zip(images, earlier)]


def shortest_difference(n, programs, limit):
    """The fewest moves of a game in which only one program calls the last move a repeat, and neither an earlier one."""
    games = [()]
    for moves in range(1, limit + 1):
        games = [(*game, square) for game in games for square in range(n * n)]
        judged = [(game, verdicts(n, programs, game)) for game in games]
        if any(one != other for _, (one, other) in judged):
            return moves
        games = [game for game, (repeats, _) in judged if not repeats]
    return None


def rules(certificate, n, symmetry, start):
    judge, limit = (GROUPS[symmetry], start), number(certificate, "limit")
    other_start = "counted" if start == "uncounted" else "uncounted"
    others = {f"{name}, start {start}": (group, start) for name, group in GROUPS.items() if name != symmetry}
    others[f"{symmetry}, start {other_start}"] = (GROUPS[symmetry], other_start)
    others[ONE_MIRROR[0]] = (ONE_MIRROR[1], start)
    games = {game["program"]: game["squares"] for game in certificate["games"]}
    need(len(games) == len(certificate["games"]) and set(games) <= set(others), "a program is unknown or listed twice")
    lengths = []
    for name, other in others.items():
        least = shortest_difference(n, [judge, other], limit)
        if name not in games:
            need(least is None, f"no game for '{name}', but {least} moves suffice")
            lengths.append(f"{name}: none within {limit}")
            continue
        game = games[name]
        need(len(game) == least, f"'{name}': the game has {len(game)} moves; {least} are the fewest")
        need(all(0 <= square < n * n for square in game), f"'{name}': a move is not a square")
        *before, last = [verdicts(n, [judge, other], game[:moves]) for moves in range(1, least + 1)]
        need(not any(map(any, before)), f"'{name}': an earlier move repeats")
        need(last[0] != last[1], f"'{name}': both programs agree on the last move")
        lengths.append(f"{name}: {least}")
    return f"limit {limit}; fewest moves that tell the rules apart from others: " + "; ".join(lengths)


def check(certificate, memory):
    """What the certificate shows, or None if its boards are too large; raises an error if it is wrong."""
    question = certificate["question"]
    need(certificate["problem"] == "spot" and certificate["version"] == 1, "not a certificate of spot, version 1")
    unknown = set(certificate) - COMMON - MEMBERS[question]
    need(not unknown, f"unknown members: {unknown}")
    symmetry, start, n = certificate["symmetry"], certificate["start"], number(certificate, "n")
    need(start in ("counted", "uncounted"), "start must be counted or uncounted")
    rest = f"{n}x{n}, {symmetry}, start {start}: "
    if n > 4:
        return None
    if question == "rules":
        return rest + rules(certificate, n, symmetry, start)
    if (n, symmetry) not in memory:
        memory[n, symmetry] = Classes(n, GROUPS[symmetry])
    verify = {"value": value, "forcing-limit": forcing_limit, "longest": longest}[question]
    return rest + verify(certificate, memory[n, symmetry], start)


def main(arguments):
    files = [Path(name) for name in arguments] or sorted(Path(__file__).parent.glob("spot-*.json"))
    status, memory = 0 if files else 1, {}
    for file in files:
        try:
            found = check(json.loads(file.read_text()), memory)
        except (Wrong, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as why:
            print(f"{file.name}: FAILED: {why if isinstance(why, Wrong) else 'malformed: ' + repr(why)}")
            status = 1
            continue
        status = status or (0 if found else 3)
        print(f"{file.name}: " + (f"{found}; verified" if found else "NOT VERIFIED: the board is larger than 4x4"))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
