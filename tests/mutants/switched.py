"""Builds many mutants as one program: a switched function contains its body once for each of its mutants.

    fn f(x: u32) -> u32 { match crate::mutant_switch::active() {
    17 => { x - 1 }
    _ => { x + 1 }
    } }

The environment variable COUNTERPOINT_MUTANT chooses the mutant when the program runs. So a crate is compiled once for all
its mutants, instead of once for each. Mutants with compile errors are found by the lines of the errors and taken out.
"""
import collections
import json
import re
import subprocess

SWITCH = """
#[allow(missing_docs, unreachable_pub, clippy::all)]
pub(crate) mod mutant_switch {
    static ACTIVE: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
        std::env::var("COUNTERPOINT_MUTANT").ok().and_then(|number| number.parse().ok()).unwrap_or(0)
    });
    #[inline]
    pub(crate) fn active() -> u32 {
        *ACTIVE
    }
}
"""


def offset(source, place):
    """The offset of a place of cargo-mutants: line and column, both from 1."""
    lines = source.split("\n")[: place["line"] - 1]
    return sum(len(line) + 1 for line in lines) + place["column"] - 1


def body(source, function):
    """Where the body of a function begins and ends, without its braces; None if it cannot be switched."""
    start, end = offset(source, function["span"]["start"]), offset(source, function["span"]["end"])
    # Comments and attributes come first.
    start += re.match(r"(\s*(//|#\[).*\n)*", source[start:end]).end()
    head = re.search(r"\bfn\b", source[start:end])
    # The arms of a match have one type, and a constant function cannot read the environment.
    is_const = head and re.search(r"\bconst\b", source[start : start + head.start()])
    if head is None or is_const or re.search(r"\bimpl\b", function["return_type"]):
        return None
    depth = 0
    for at in range(start + head.end(), end):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(source[at], 0)
        if source[at] == "{" and depth == 0:
            return at + 1, end - 1
    return None


def group(source, mutants):
    """Mutants by the bodies that contain them, outermost functions first; and the mutants that cannot be switched."""
    groups, others = collections.defaultdict(list), []
    bodies = {span for mutant in mutants if mutant.function and (span := body(source, mutant.function))}
    for mutant in mutants:
        begin, end = offset(source, mutant.span["start"]), offset(source, mutant.span["end"])
        around = [span for span in bodies if span[0] <= begin and end <= span[1]]
        own = mutant.function and body(source, mutant.function)
        if own and around:
            groups[min(around)].append(mutant)
        else:
            others.append(mutant)
    return groups, others


def switched(source, groups):
    """The source with all mutants of these groups."""
    for (begin, end), mutants in sorted(groups.items(), reverse=True):
        arms = ""
        for mutant in mutants:
            text = mutant.text(source)
            # The text behind the mutant is unchanged.
            arms += f"{mutant.number} => {{ // mutant\n{text[begin : len(text) - (len(source) - end)]}\n}} // end\n"
        switch = f" match crate::mutant_switch::active() {{\n{arms}_ => {{\n{source[begin:end]}\n}}\n}} "
        source = source[:begin] + switch + source[end:]
    return source


def lines_of(text):
    """For each line of a switched source, the number of the mutant that it belongs to."""
    found, current = {}, None
    for number, line in enumerate(text.split("\n"), 1):
        if match := re.fullmatch(r"(\d+) => \{ // mutant", line):
            current = int(match[1])
        found[number] = current
        if line == "} // end":
            current = None
    return found


def places(span):
    """The file and lines of an error, also if a macro reports it."""
    while span:
        yield span["file_name"], range(span["line_start"], span["line_end"] + 1)
        span = (span.get("expansion") or {}).get("span")


def write(tree, sources, mutants, check):
    """Writes the switched sources into `tree`. Returns the mutants that do not compile, and those that cannot be switched.

    `check` are the arguments of `cargo check`; `sources` are the texts of the files.
    """
    unviable, others = [], []
    by_file = collections.defaultdict(list)
    for mutant in mutants:
        by_file[mutant.file].append(mutant)
    groups = {}
    for file, ones in by_file.items():
        groups[file], left = group(sources[file], ones)
        others += left
    for package in {mutant.file.rpartition("/src/")[0] if "/src/" in mutant.file else "" for mutant in mutants}:
        root = tree / package / "src/lib.rs"
        root.write_text(root.read_text() + SWITCH)
    while True:
        owners = {}
        for file in by_file:
            text = switched(sources[file], groups[file])
            if file.endswith("src/lib.rs"):
                text += SWITCH
            (tree / file).write_text(text)
            owners[file] = lines_of(text)
        done = subprocess.run(["cargo", "check", "--offline", "--message-format=json", *check], cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if done.returncode == 0:
            return unviable, others
        messages = [json.loads(line) for line in done.stdout.splitlines()]
        errors = [m["message"] for m in messages if m.get("reason") == "compiler-message" and m["message"]["level"] == "error"]
        wrong = set()
        for error in errors:
            spans = [place for span in error["spans"] if span["is_primary"] for place in places(span)]
            wrong |= {owners[file].get(line) for file, lines in spans if file in owners for line in lines} - {None}
        if not wrong:
            raise SystemExit("\n".join(error["rendered"] for error in errors) or "cargo check failed")
        for file in by_file:
            for place, ones in groups[file].items():
                unviable += [mutant for mutant in ones if mutant.number in wrong]
                groups[file][place] = [mutant for mutant in ones if mutant.number not in wrong]
        print(f"{len(unviable)} mutants do not compile", flush=True)
