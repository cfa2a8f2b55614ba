"""A small Slurm cluster and experiments on it, for `faults` and `measure`."""
import collections
import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PLAN = """\
problem = "flip"
engines = ["search:algebra", "search:bfs"]
limits = {{ cpu = "2s", wall = "29500ms" }}

[[family]]
name = "random"
n = [3, 4]
seeds = "1..={seeds}"

[slurm]
lease = "15s"
"""

# What must be equal in two records of a run. Times, places and attempts differ.
SAME = ["engine", "instance_hash", "verdict", "outcome", "check", "work"]


class Wrong(Exception):
    """What a fault did that it must not do."""


def expect(condition, message):
    if not condition:
        raise Wrong(message)


class Experiment:
    """A folder with a plan, and the commands on it."""

    def __init__(self, binary, folder, seeds):
        self.binary, self.folder = binary, folder
        folder.mkdir(parents=True)
        (folder / "plan.toml").write_text(PLAN.format(seeds=seeds))
        self.results = folder / "results" / "main"

    def start(self, *args):
        command = [self.binary, *args]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder.parent)

    def call(self, *args, status=0):
        child = self.start(*args)
        out, errors = child.communicate(timeout=300)
        expect(child.returncode == status, f"{args} ended with {child.returncode} instead of {status}: {out}{errors}")
        return out + errors

    def submit(self, *args, status=0):
        return self.call("run", str(self.folder), "--on", "slurm", *args, status=status)

    def lines(self):
        """All complete lines of the set."""
        found = []
        for path in sorted(self.results.glob("*.jsonl")):
            complete = path.read_bytes().rpartition(b"\n")[0]
            found += [json.loads(line) for line in complete.split(b"\n") if line]
        return found

    def records(self):
        """What must be equal, by the key of the run; and how many records a run has at most."""
        lines = self.lines()
        counts = collections.Counter(line["key"] for line in lines)
        return {line["key"]: [line.get(key) for key in SAME] for line in lines}, max(counts.values(), default=0)

    def done(self):
        """The number of runs with records, according to `status`, which must not exaggerate."""
        out = self.call("status", str(self.folder))
        shown = int(next(line for line in out.splitlines() if " runs have records" in line).split(":")[1].split()[0])
        expect(shown <= len(self.records()[0]), f"status counted {shown} records, but there are fewer")
        return shown

    def until(self, condition, seconds, what):
        end = time.time() + seconds
        while not condition():
            if time.time() > end:
                raise Wrong(f"not within {seconds} s: {what}\n{self.call('status', str(self.folder))}")
            time.sleep(0.5)

    def until_done(self, runs, seconds=120):
        self.until(lambda: self.done() == runs, seconds, f"{runs} records")

    def until_begun(self):
        self.until(lambda: len(self.lines()) > 20, 60, "the first records")


def fault(*args):
    subprocess.run([HERE / "fault", *args], check=True, capture_output=True)


def squeue():
    out = subprocess.run(["squeue", "--noheader", "--array"], check=True, capture_output=True, text=True).stdout
    return out.splitlines()


def squeue_nodes():
    """The nodes on which jobs run."""
    out = subprocess.run(["squeue", "--noheader", "--states=running", "--format=%N"], check=True, capture_output=True,
                         text=True).stdout
    return out.split()


def until_idle():
    """Waits until the controller runs, no job is left and all nodes can be used."""
    fault("controller", "back")
    subprocess.run(["scancel", "--me"], check=False, capture_output=True)
    end = time.time() + 60
    while (squeue() or not all_idle()) and time.time() < end:
        time.sleep(0.5)


def all_idle():
    out = subprocess.run(["sinfo", "--noheader", "--Node", "--format=%t"], check=True, capture_output=True, text=True).stdout
    return set(out.split()) == {"idle"}


@contextlib.contextmanager
def cluster(prefix):
    """Brings up three nodes with one processor each, and gives a folder that they share. Ends both afterwards."""
    os.environ.setdefault("SLURM_KIT_TIMEOUT", "2")
    os.environ.setdefault("SLURM_KIT_CONF", "MessageTimeout=2")
    # The nodes see only what is mounted before they start. A file system of its own can be full.
    home = pathlib.Path(tempfile.mkdtemp(prefix=prefix))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1500m", "tmpfs", home], check=True)
    try:
        up = subprocess.run([HERE / "up", "3", "1"], check=True, capture_output=True, text=True).stdout
        for line in up.splitlines():
            name, _, value = line.removeprefix("export ").partition("=")
            os.environ[name] = value
        yield home
    finally:
        subprocess.run([HERE / "down"], check=False, capture_output=True)
        subprocess.run(["umount", "-l", home], check=False)
        home.rmdir()
