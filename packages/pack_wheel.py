"""Packs a folder with the static binary, its completions and manual pages, and the module `counterpoint` as a wheel.

usage: pack_wheel.py VERSION MACHINE FOLDER OUT
"""
import pathlib
import sys

from wheel.wheelfile import WheelFile

version, machine, folder, out = sys.argv[1:]
folder = pathlib.Path(folder)
here = pathlib.Path(__file__).parent
name = f"counterpoint_workbench-{version}"
# A static binary runs with every C library.
tag = f"py3-none-manylinux_2_17_{machine}.musllinux_1_1_{machine}"
metadata = f"""Metadata-Version: 2.4
Name: counterpoint-workbench
Version: {version}
Summary: Three board problems, each solved by a hand-written search and by a SAT encoding, every answer checked
License-Expression: MIT OR Apache-2.0
License-File: LICENSE-MIT
License-File: LICENSE-APACHE
License-File: LICENSES-OF-OTHERS.txt
Requires-Python: >=3.8
Requires-Dist: pandas; extra == "pandas"
Provides-Extra: pandas
Description-Content-Type: text/markdown

"""
with WheelFile(pathlib.Path(out, f"{name}-{tag}.whl"), "w") as wheel:

    def add(file, place):
        """Adds a file whose mode in the sources does not matter."""
        wheel.writestr(f"{name}.{place}", file.read_bytes())

    for path in sorted((here / "python").rglob("*.py")):
        wheel.writestr(str(path.relative_to(here / "python")), path.read_bytes())
    wheel.write(folder / "bin/counterpoint", f"{name}.data/scripts/counterpoint")
    for path in sorted(path for path in folder.glob("share/**/*") if path.is_file()):
        add(path, f"data/data/{path.relative_to(folder)}")
    wheel.writestr(f"{name}.dist-info/METADATA", metadata + (folder / "README.md").read_text())
    for path in sorted(folder.glob("LICENSE*")):
        add(path, f"dist-info/licenses/{path.name}")
    add(folder / "counterpoint.cdx.json", "dist-info/sboms/counterpoint.cdx.json")
    root = "Root-Is-Purelib: false\n"
    tags = "".join(f"Tag: py3-none-{platform}\n" for platform in tag.split("-")[2].split("."))
    wheel.writestr(f"{name}.dist-info/WHEEL", f"Wheel-Version: 1.0\nGenerator: counterpoint\n{root}{tags}")
