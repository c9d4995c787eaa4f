"""Files of OLE, as Office encrypts a workbook: a header, a FAT, a directory with these streams, and their bytes."""

import struct

_SECTOR = 512
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def ole_file(*names: str) -> bytes:
    """One in which each name is a stream of one sector."""
    directory = -(-(len(names) + 1) // 4)  # sectors of four entries
    fat = [_FAT, *range(2, 1 + directory), _END, *([_END] * len(names))]
    entries = [_entry("Root Entry", 5, _END, 0, child=1)]
    entries += [
        _entry(name, 2, 1 + directory + place, _SECTOR, right=place + 2 if place + 1 < len(names) else _FREE)
        for place, name in enumerate(names)
    ]
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 0, _END, 0, _END, 0) + struct.pack("<I", 0)
    header += struct.pack("<I", _FREE) * 108
    made = [header, struct.pack("<128I", *fat, *([_FREE] * (128 - len(fat))))]
    made += [b"".join(entries).ljust(directory * _SECTOR, b"\0"), *(name[:1].encode() * _SECTOR for name in names)]
    return b"".join(made)


def _entry(name: str, kind: int, start: int, size: int, *, child: int = _FREE, right: int = _FREE) -> bytes:
    text = f"{name}\0".encode("utf-16-le")
    links = struct.pack("<BBIII", kind, 1, _FREE, right, child)
    return text.ljust(64, b"\0") + struct.pack("<H", len(text)) + links + bytes(36) + struct.pack("<IQ", start, size)
