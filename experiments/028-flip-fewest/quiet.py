#!/usr/bin/env python3
"""What hypotheses E14 to E16 would estimate from the repetition on a quiet processor, the set `quiet` of this experiment.

    python3 quiet.py [PROGRAM]        # PROGRAM is counterpoint by default

At n = 11, prints for each solver the median over boards of the time with a variable for each square divided by that with one for
each dimension of the null space, and its 95 % interval by order statistics. Needs only Python 3 and the program.
"""

import csv
import io
import statistics
import subprocess
import sys

# Of 100 numbers, the interval from the 40th smallest to the 40th largest holds the median with 96.5 %, and a shorter one with less
# than 95 %.
BOARDS, FIRST = 100, 40

program = sys.argv[1] if len(sys.argv) > 1 else "counterpoint"
command = [program, "status", "028", "--set", "quiet", "--records", "csv"]
text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
times = {(row["engine"], row["seed"]): float(row["cpu_s"]) for row in csv.DictReader(io.StringIO(text)) if row["params_n"] == "11"}
for solver in ("", "@cadical", "@kissat"):
    seeds = [seed for engine, seed in times if engine == f"sat:presses{solver}"]
    ratios = sorted(times[f"sat:presses{solver}", seed] / times[f"sat:nullspace{solver}", seed] for seed in seeds)
    assert len(ratios) == BOARDS
    low, high = ratios[FIRST - 1], ratios[-FIRST]
    print(f"sat:presses{solver} over sat:nullspace{solver}: {statistics.median(ratios):.3g} ({low:.3g} to {high:.3g})")
