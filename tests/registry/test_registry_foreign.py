"""Every exception of the database libraries comes out as one RegistryError."""

import sqlite3
from pathlib import Path

import psycopg
import pytest
import sqlalchemy.exc
import sqlalchemy.orm.exc
from sqlalchemy.exc import SQLAlchemyError

from orchestrator.core.errors import RegistryError
from orchestrator.registry.sql_errors import mapped


def _families(base: type[Exception]) -> set[type[Exception]]:
    return {base}.union(*(_families(child) for child in base.__subclasses__()))


@pytest.mark.parametrize("family", sorted(_families(SQLAlchemyError) | _families(sqlite3.Error), key=str))
def test_every_family_is_mapped(family: type[Exception]) -> None:
    """Whatever SQLAlchemy or sqlite3 may raise, the caller sees one sentence and advice, and no other class."""
    with pytest.raises(RegistryError, match=r"^The registry at x [^.]*\.$") as caught, mapped("at x"):
        raise family.__new__(family)
    assert caught.value.advice


@pytest.mark.parametrize("family", sorted(_families(psycopg.Error), key=str))
def test_every_family_of_the_postgresql_driver_is_mapped(family: type[psycopg.Error]) -> None:
    """SQLAlchemy wraps them; what the server or the driver said is not repeated."""
    raised = family("password=secret in a sentence of the server")
    wrapped = sqlalchemy.exc.DBAPIError.instance("SELECT 1", {}, raised, psycopg.Error)
    with pytest.raises(RegistryError, match=r"^The registry at x [^.]*\.$") as caught, mapped("at x"):
        raise wrapped
    assert caught.value.advice
    assert "secret" not in caught.value.message + caught.value.advice


def test_the_enumeration_sees_the_real_classes() -> None:
    """The list above is taken from the libraries and holds the classes that matter."""
    known = _families(SQLAlchemyError)
    assert {sqlalchemy.exc.OperationalError, sqlalchemy.exc.IntegrityError, sqlalchemy.orm.exc.StaleDataError} <= known
    exported = {c for c in vars(sqlalchemy.exc).values() if isinstance(c, type) and issubclass(c, SQLAlchemyError)}
    assert exported <= known


def test_a_read_only_database_is_said_to_be_one(tmp_path: Path) -> None:
    """SQLite's own refusal to write becomes a sentence about permissions."""
    sqlite3.connect(tmp_path / "x.db").close()
    connection = sqlite3.connect(f"file:{tmp_path}/x.db?mode=ro", uri=True)
    with pytest.raises(RegistryError, match="is read-only") as caught, mapped("x.db"):
        connection.execute("CREATE TABLE t (a)")
    connection.close()
    assert "permissions" in caught.value.advice


def test_other_errors_pass_through() -> None:
    """A mistake in cleanroom itself is not dressed up as the database's."""
    with pytest.raises(KeyError), mapped("x"):
        raise KeyError("x")
