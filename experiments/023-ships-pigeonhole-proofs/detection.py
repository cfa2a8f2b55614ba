#!/usr/bin/env python3
"""Does Exact refute the pigeonhole principle in pairs if it may look for at-most-one constraints?

    python3 detection.py [N ...]

Writes the plain formula for n + 1 hits and n ships as linear constraints: each hit has a ship, and no ship has two hits, said in pairs.
Exact looks for at-most-one constraints before it solves, unless `inp-atmostone=0` forbids it. Prints a line for each n: the
conflicts without and with this search; "-" if 60 s are not enough. Needs the Python module exact.
"""

import itertools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ADAPTER = Path(__file__).resolve().parents[2] / "examples/python/exact_opb.py"


def formula(n):
    """OPB text. The variable x of ship s and hit h is number s * (n + 1) + h + 1."""
    hits, ships = range(n + 1), range(n)
    x = lambda s, h: f"x{s * (n + 1) + h + 1}"
    lines = [" ".join(f"+1 {x(s, h)}" for s in ships) + " >= 1 ;" for h in hits]
    lines += [f"-1 {x(s, g)} -1 {x(s, h)} >= -1 ;" for s in ships for g, h in itertools.combinations(hits, 2)]
    return f"* #variable= {n * (n + 1)} #constraint= {len(lines)}\n" + "\n".join(lines) + "\n"


def conflicts(path, options):
    command = [sys.executable, ADAPTER, *options, path]
    try:
        found = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return "-"
    assert found.returncode == 20, found.stdout + found.stderr
    return re.search(r"^c conflicts: (\d+)", found.stdout, re.M).group(1)


for size in map(int, sys.argv[1:] or ["4", "5", "6", "7", "8"]):
    with tempfile.TemporaryDirectory() as folder:
        opb = Path(folder, "pairs.opb")
        opb.write_text(formula(size))
        print(f"n = {size}: {conflicts(opb, ['inp-atmostone=0'])} and {conflicts(opb, [])} conflicts", flush=True)
