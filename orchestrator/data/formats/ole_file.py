"""What an older Office file (OLE) is: one that a password encrypts has a stream for that in its directory.

Called by the readers of spreadsheets and documents, in their disposable processes.
"""

from typing import BinaryIO

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NAME = "EncryptedPackage".encode("utf-16-le")
_ENTRY = 128  # bytes of an entry of the directory, which begins with its name
_LENGTH_AT = 64  # of the name, with the zero at its end
_BLOCK = 2**20


def is_encrypted(file: BinaryIO) -> bool:
    """Whether the file, which is one of OLE, holds an encrypted package and not an older document."""
    file.seek(0)
    while block := file.read(_BLOCK):
        at = block.find(_NAME)
        while at >= 0:
            length = block[at + _LENGTH_AT : at + _LENGTH_AT + 2]
            if at % _ENTRY == 0 and int.from_bytes(length, "little") == len(_NAME) + 2:
                return True
            at = block.find(_NAME, at + 2)
    return False
