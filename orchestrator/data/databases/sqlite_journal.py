"""Whether the journal beside an SQLite file would have SQLite delete another file. Asked before one is opened to write.

A journal that a crash left is rolled back by whoever opens the file next. It may name a super-journal, which SQLite
writes for transactions over several files, and deletes afterwards: any path of the user's. We never make such a
transaction, so one that names any is somebody else's work. https://www.sqlite.org/fileformat2.html#the_rollback_journal
"""

import errno
import os
import stat
from pathlib import Path

_MAGIC = bytes.fromhex("d9d505f920a163d7")  # ends a record of a super-journal, which stands last


def names_another_file(database: Path) -> bool:
    """Whether the journal of the database, if there is one, names a super-journal. Raises OSError."""
    try:
        number = os.open(f"{database}-journal", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    with os.fdopen(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, "it is not a file")
        if file.seek(0, os.SEEK_END) < len(_MAGIC):
            return False
        file.seek(-len(_MAGIC), os.SEEK_END)
        return file.read() == _MAGIC
