"""Whether the tables in an SQLite file are plain ones, as cleanroom makes them. Asked by `database` before it reads.

A schema can do work by itself: a trigger whenever something is written, a generated column, a check or an index on an
expression whenever a row is read or added. In a file from somebody else that is somebody else's program: one that has
no end, or makes gigabytes of a few bytes. What lies beside our tables does nothing as long as nobody asks for it, so a
trigger may ask for its own table only: another name may be a view's.
"""

import re

from sqlalchemy import Connection, text

from orchestrator.core.errors import RegistryError
from orchestrator.registry.registry_tables import Base

_NAME = r'"?[A-Za-z_]\w*"?'
_NAMES = rf"\({_NAME}(?:, {_NAME})*\)"
_TYPE = r"(?:INTEGER|BIGINT|BOOLEAN|TEXT|VARCHAR\(\d+\))"
_PART = (
    rf"(?:{_NAME} {_TYPE}(?: NOT NULL)?|(?:CONSTRAINT {_NAME} )?(?:PRIMARY KEY|UNIQUE) {_NAMES}|"
    rf"FOREIGN KEY\s?{_NAMES} REFERENCES {_NAME} {_NAMES})"
)
_SAME = r"\((?:\w+ = NEW\.\w+(?: AND )?)+\)"
_PLAIN = re.compile(
    rf"CREATE TABLE {_NAME} \(\s*{_PART}(?:,\s*{_PART})*\s*\)"  # noqa: S608 - statements are compared with it
    rf"|CREATE (?:UNIQUE )?INDEX {_NAME} ON {_NAME}\s?{_NAMES}"
    r"|CREATE TRIGGER \w+ BEFORE (?:UPDATE|DELETE|INSERT) ON (\w+) "
    rf"(?:WHEN EXISTS \(SELECT 1 FROM \1 WHERE {_SAME}(?: OR {_SAME})*\) )?"
    r"BEGIN SELECT RAISE\(ABORT, '[a-z -]+'\); END",
    re.ASCII,
)
_WITH_OUR_TABLES = text("SELECT lower(tbl_name), sql FROM sqlite_master WHERE sql IS NOT NULL")


def check_plain(connection: Connection, name: str) -> None:
    """Raise RegistryError where a table of ours, or what is attached to it, is none that cleanroom makes."""
    ours = set(Base.metadata.tables)
    for table, statement in connection.execute(_WITH_OUR_TABLES):
        if table in ours and not _PLAIN.fullmatch(statement):
            raise RegistryError(
                f"The registry {name} has something in its table {table} that cleanroom did not make.",
                advice="Do not use the registry: ask whoever gave it to you for an export of it.",
            )
