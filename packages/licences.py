"""Collects the licences of all that the program or the module of the pages contains, and fails if one is missing.

usage: licences.py program BILL BINARY TARGET OUT
       licences.py module OUT

OUT gets the licences of the crates in BILL or in the module, of the standard library and musl, of the scripts of others
in pages, and of the fonts in BINARY. What BILL does not list, such as a font, is added to it.
"""
import html
import json
import pathlib
import re
import subprocess
import sys
from collections import namedtuple

from fonts import COPYRIGHT, FULL_NAME, VERSION, fonts

root = pathlib.Path(__file__).resolve().parent.parent
# Licences that are written down here: those of crates that contain none, and that of musl.
HERE = root / "packages/licences"
# How the names of files with licences start.
NOTICES = ("LICEN", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE")
# Where MIT is one of the licences to choose from, files with these words in their names are left out.
OTHERS = ("APACHE", "BSD", "ZLIB", "UNLICENSE", "BOOST")

Part = namedtuple("Part", "kind name version licence texts")


def run(*command):
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout


def is_needed(file, licence):
    """Whether a file with this name is needed for a licence such as `MIT OR Apache-2.0`."""
    choices = re.split(r" OR |/|[()]", licence)
    return "MIT" not in choices or not any(other in file.upper() for other in OTHERS)


def crates(names):
    """The crates with these names and versions, except those of this repository."""
    packages = json.loads(run("cargo", "metadata", "--locked", "--format-version", "1"))["packages"]
    packages = {(package["name"], package["version"]): package for package in packages}
    for name, version in names:
        package = packages[name, version]
        if package["source"] is None:
            continue
        licence = package["license"]
        files = sorted(pathlib.Path(package["manifest_path"]).parent.rglob("*"))
        files = [file for file in files if file.is_file() and file.name.upper().startswith(NOTICES)]
        files = [file for file in files if is_needed(file.name, licence)] or [*HERE.glob(f"{name}.txt")]
        yield Part("crate", name, version, licence, [file.read_text() for file in files])


def standard_library(target):
    """The standard library for a target with its crates, as the tool chain describes them."""
    sysroot = pathlib.Path(run("rustc", "--print", "sysroot").strip())
    licences = [sysroot / "share/doc" / name for name in ("cargo/LICENSE-MIT", "rust/licenses/Unicode-3.0.txt")]
    texts = ["Copyright (c) The Rust Project Developers", *(file.read_text() for file in licences)]
    version = run("rustc", "--version").split()[1]
    yield Part("library", "Rust standard library", version, "MIT AND Unicode-3.0", ["\n\n".join(texts)])
    # LLVM's unwinder and the routines of `compiler_builtins`. As parts of a program, they ask for no text.
    apache = [sysroot / "share/doc/rust/licenses" / f"{name}.txt" for name in ("Apache-2.0", "LLVM-exception")]
    llvm = "\n\n".join(file.read_text() for file in apache)
    yield Part("library", "LLVM libunwind and compiler-rt", version, "Apache-2.0 WITH LLVM-exception", [llvm])
    linked = {file.name[3:].rsplit("-", 1)[0] for file in (sysroot / "lib/rustlib" / target / "lib").glob("*.rlib")}
    page = (sysroot / "share/doc/rust/COPYRIGHT-library.html").read_text()
    for entry in page.split("<h3>")[1:]:
        name, version = re.match(r"\W*(.+?)-(\d\S*)</h3>", entry).groups()
        if name.replace("-", "_") not in linked:
            continue
        licence = plain(re.search("License:</b>(.*?)</p>", entry)[1])
        notices = re.findall(r"<summary><code>(.*?)</code></summary>\s*<pre>(.*?)</pre>", entry, re.DOTALL)
        texts = [plain(text) for file, text in notices if is_needed(file, licence)]
        yield Part("crate", name, version, f"{licence} (in the standard library)", texts)


def plain(text):
    """The text of a piece of HTML."""
    return html.unescape(re.sub("<[^>]+>", "", text)).strip()


def scripts():
    """The scripts of others in the sources. `x.min.js` has its licence beside it, in `x.LICENSE`."""
    for path in run("git", "ls-files", "*/vendor/*.js").split():
        file = root / path
        name = file.name.split(".")[0]
        version = re.search(r"v(\d[\d.]*)", file.read_text())[1]
        texts = [text.read_text() for text in file.parent.glob(f"{name}.LICENSE")]
        yield Part("script", name, version, "as below", texts)


def words(text):
    """A text in one form, whatever its spaces and line ends."""
    return " ".join(text.split()).lower()


def fonts_in(binary, known):
    """The fonts in the binary. The licence of a font is a known text that contains all lines of its copyright."""
    for font in fonts(binary.read_bytes()):
        lines = [words(line) for line in font[COPYRIGHT].splitlines()]
        texts = [text for text in known if all(line in words(text) for line in lines)]
        yield Part("font", font[FULL_NAME], font[VERSION], "as below", texts[:1])


def save(out, title, parts):
    """Writes the licences of all parts as one text, in which parts with the same licence share it."""
    missing = [f"the {part.kind} {part.name} {part.version}" for part in parts if not part.texts]
    if missing:
        sys.exit("\n  ".join(["no licence found for", *missing]))
    groups = {}
    for part in parts:
        for text in part.texts:
            line = f"{part.kind} {part.name} {part.version}, {part.licence}"
            groups.setdefault(words(text), (text.strip(), []))[1].append(line)
    sections = ["\n".join(dict.fromkeys(lines)) + "\n\n" + text for text, lines in groups.values()]
    pathlib.Path(out).write_text(("\n\n" + "=" * 100 + "\n").join([title, *sections]) + "\n")


def program(bill_path, binary, target, out):
    bill = json.loads(pathlib.Path(bill_path).read_text())
    listed = list(crates((part["name"], part["version"]) for part in bill["components"]))
    musl = Part("library", "musl", "1.2.5", "MIT AND BSD-2-Clause", [(HERE / "musl.txt").read_text()])
    others = [*standard_library(target), musl, *scripts()]
    found = list(fonts_in(pathlib.Path(binary), [text for part in listed for text in part.texts]))
    if not found:
        sys.exit(f"{binary} contains no font, although figures in PDF need one")
    save(out, "The program `counterpoint` contains these works of others.", [*listed, *others, *found])
    for part in [*others, *found]:
        licences = [{"license": {"name": part.licence}}]
        bill["components"].append({"type": "library", "name": part.name, "version": part.version, "licenses": licences})
    pathlib.Path(bill_path).write_text(json.dumps(bill, indent=2) + "\n")


def module(out):
    target = "wasm32-unknown-unknown"
    tree = run("cargo", "tree", "--locked", "--package", "counterpoint-wasm", "--target", target,
               "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}")
    names = sorted({(line.split()[0], line.split()[1].removeprefix("v")) for line in tree.splitlines() if line})
    title = "The WebAssembly module of Counterpoint contains these works of others."
    save(out, title, [*crates(names), *standard_library(target)])


{"program": program, "module": module}[sys.argv[1]](*sys.argv[2:])
