"""Packs the static binary, its completions and manual pages, and the module `counterpoint` as a wheel.

usage: pack_wheel.py VERSION MACHINE BINARY SHARE BILL OUT
"""
import pathlib
import sys

from wheel.wheelfile import WheelFile

version, machine, binary, share, bill, out = sys.argv[1:]
here = pathlib.Path(__file__).parent
name = f"counterpoint_workbench-{version}"
# A static binary runs with every C library.
tag = f"py3-none-manylinux_2_17_{machine}.musllinux_1_1_{machine}"
metadata = f"""Metadata-Version: 2.1
Name: counterpoint-workbench
Version: {version}
Summary: Three board problems, each solved by a hand-written search and by a SAT encoding, every answer checked
License: MIT OR Apache-2.0
Requires-Python: >=3.8
Requires-Dist: pandas; extra == "pandas"
Provides-Extra: pandas
Description-Content-Type: text/markdown

"""
with WheelFile(pathlib.Path(out, f"{name}-{tag}.whl"), "w") as wheel:
    for path in sorted((here / "python").rglob("*.py")):
        wheel.write(path, str(path.relative_to(here / "python")))
    wheel.write(binary, f"{name}.data/scripts/counterpoint")
    for path in sorted(path for path in pathlib.Path(share).rglob("*") if path.is_file()):
        wheel.write(path, f"{name}.data/data/share/{path.relative_to(share)}")
    wheel.writestr(f"{name}.dist-info/METADATA", metadata + (here / "../README.md").read_text())
    wheel.writestr(f"{name}.dist-info/licenses/LICENSE-MIT", (here / "../LICENSE-MIT").read_text())
    wheel.writestr(f"{name}.dist-info/licenses/LICENSE-APACHE", (here / "../LICENSE-APACHE").read_text())
    wheel.writestr(f"{name}.dist-info/sboms/counterpoint.cdx.json", pathlib.Path(bill).read_text())
    root = "Root-Is-Purelib: false\n"
    tags = "".join(f"Tag: py3-none-{platform}\n" for platform in tag.split("-")[2].split("."))
    wheel.writestr(f"{name}.dist-info/WHEEL", f"Wheel-Version: 1.0\nGenerator: counterpoint\n{root}{tags}")
