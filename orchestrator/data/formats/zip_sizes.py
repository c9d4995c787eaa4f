"""The sizes that a zip names, checked before anything in it is unpacked. Called by the readers of such documents.

The reader of a zip gives no more bytes of a part than the zip names for it, so these numbers bound what comes.
"""

import zipfile
from typing import BinaryIO

MAX_RATIO, FREE_BYTES = 200, 64 * 2**20
ENCRYPTED = "is encrypted"


def disproportion(file: BinaryIO) -> str:
    """What is wrong with the sizes, or that it is encrypted, to be said after the file's name; else empty."""
    size = file.seek(0, 2)
    file.seek(0)
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
    file.seek(0)
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > max(FREE_BYTES, MAX_RATIO * size):
        return f"has {size:,} bytes and unpacks to {unpacked:,}"
    return ENCRYPTED if any(entry.flag_bits & 1 for entry in entries) else ""
