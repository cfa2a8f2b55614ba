#!/usr/bin/env python3
"""Checks the certificates ships-fewest-o-*.json again, from the definitions alone.

A family of sets of cells is hidden from the player, who knows the family but not which of its sets was chosen. A shot
at a cell says whether the chosen set contains it. The player wins if he identifies the set with at most m misses. A
fewest-o player always shoots at one of the ambiguous cells that the fewest sets lack. For each file, this script plays
both games in full and requires three facts: m misses suffice, m - 1 do not, and no fewest-o player wins with m.

Certificates of positions ("question": "misses") list the sets that the fleet can cover. The script takes this list as
it is; that the list is complete is left to `counterpoint check`.

Usage: check_fewest_o.py [FILE ...]     by default, all such files beside this script
Needs Python 3 and nothing else. The exit status is 1 if a fact does not hold.
"""
import json
import sys
from pathlib import Path


def family_of(certificate):
    """The sets as frozensets of cells."""
    if certificate["question"] == "families":
        words = certificate["family"]
        sets = [frozenset(i for i, letter in enumerate(word) if letter == "1") for word in words]
    else:
        sets = [frozenset(tuple(cell) for cell in cells) for cells in certificate["sets"]]
    if len(set(sets)) < len(sets) or len({len(cells) for cells in sets}) != 1:
        raise ValueError("the sets are not distinct, or not of one size")
    return frozenset(sets)


def shots(family):
    """What each shot at an ambiguous cell leaves: the sets with the cell, and those without."""
    ambiguous = frozenset.union(*family) - frozenset.intersection(*family)
    parts = []
    for cell in ambiguous:
        hit = frozenset(cells for cells in family if cell in cells)
        parts.append((hit, family - hit))
    return parts


def wins(family, misses, choose, known):
    """True if some player who may take only the shots that `choose` allows wins."""
    if len(family) == 1:
        return True
    if misses == 0:
        return False  # The sets have equal size, so every useful shot may miss.
    if (family, misses) not in known:
        known[family, misses] = any(
            wins(miss, misses - 1, choose, known) and wins(hit, misses, choose, known)
            for hit, miss in choose(shots(family))
        )
    return known[family, misses]


def fewest_o(parts):
    fewest = min(len(miss) for _, miss in parts)
    return [(hit, miss) for hit, miss in parts if len(miss) == fewest]


def every(parts):
    return parts


def main(arguments):
    files = [Path(name) for name in arguments] or sorted(Path(__file__).parent.glob("ships-fewest-o-*.json"))
    failed = not files
    for file in files:
        certificate = json.loads(file.read_text())
        family, misses = family_of(certificate), certificate["misses"]
        facts = [
            (f"{misses} misses suffice", wins(family, misses, every, {})),
            (f"{misses - 1} do not", misses > 0 and not wins(family, misses - 1, every, {})),
            (f"no fewest-o player wins with {misses}", not wins(family, misses, fewest_o, {})),
        ]
        wrong = [fact for fact, holds in facts if not holds]
        failed = failed or bool(wrong)
        verdict = "FAILED: " + "; ".join(wrong) if wrong else "; ".join(fact for fact, _ in facts)
        print(f"{file.name}: {len(family)} sets: {verdict}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
