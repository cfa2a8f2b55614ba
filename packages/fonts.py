"""Finds TrueType and OpenType fonts in a program."""
import re
import struct

# Numbers of texts in a font's table `name`.
COPYRIGHT, FULL_NAME, VERSION = 0, 4, 5


def fonts(data):
    """The texts of each font in some bytes, by their numbers."""
    # A font starts with its format, the number of its tables, and a row of 16 bytes for each of them.
    for start in (found.start() for found in re.finditer(rb"(?s)(?:\x00\x01\x00\x00|OTTO)\x00[\x04-\x40]", data)):
        count = struct.unpack_from(">H", data, start + 4)[0]
        rows = [data[at : at + 16] for at in range(start + 12, start + 12 + 16 * count, 16)]
        tables = {row[:4]: struct.unpack(">II", row[8:])[0] for row in rows if len(row) == 16}
        if {b"head", b"name", b"cmap"} <= tables.keys():
            yield texts(data, start + tables[b"name"])


def texts(data, table):
    """The texts of a table `name`."""
    _, count, first = struct.unpack_from(">HHH", data, table)
    found = {}
    for row in range(count):
        platform, _, _, number, size, offset = struct.unpack_from(">6H", data, table + 6 + 12 * row)
        text = data[table + first + offset :][:size]
        found.setdefault(number, text.decode("utf-16-be" if platform in (0, 3) else "latin-1"))
    return found
