"""Ends with status 42 if standard input is an input of the Flip Game, with 43 if not."""
import re
import sys

sys.exit(42 if re.fullmatch(r"([bw]{4}\n){4}", sys.stdin.read()) else 43)
