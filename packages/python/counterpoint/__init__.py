"""Loads the records of an experiment into pandas.

>>> import counterpoint
>>> runs = counterpoint.records("first")                      # a row for each run
>>> runs.groupby("engine")["cpu_s"].median()
>>> counterpoint.records("first", set="slow", only={"n": [5, 6]})

The columns are those of `counterpoint status EXP --records csv`: times in seconds (`cpu_s`), memory in bytes, counters
(`work_conflicts`), parameters of instances (`params_n`), axes of engines (`axes_amo`).
"""
import io
import shutil
import subprocess
import sysconfig


def program():
    """The path of the program `counterpoint`: the one that was installed with this module, or else the one in PATH."""
    found = shutil.which("counterpoint", path=sysconfig.get_path("scripts")) or shutil.which("counterpoint")
    if found is None:
        raise FileNotFoundError("the program counterpoint is not installed")
    return found


def csv(experiment, set="main", only=None):
    """The records of an experiment as a text in CSV.

    `experiment` is a folder, a plan or a name, as for `counterpoint status`. `only` maps columns to a value or a list of values to keep.
    Raises `ValueError` with the program's message if it refuses the arguments.
    """
    command = [program(), "status", str(experiment), "--set", set, "--records", "csv"]
    for column, values in (only or {}).items():
        values = values if isinstance(values, (list, tuple, range)) else [values]
        command += ["--only", f"{column}={','.join(map(str, values))}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(done.stderr.strip())
    return done.stdout


def records(experiment, set="main", only=None):
    """The records of an experiment as a `pandas.DataFrame`; arguments as for `csv`."""
    import pandas

    return pandas.read_csv(io.StringIO(csv(experiment, set, only)))
