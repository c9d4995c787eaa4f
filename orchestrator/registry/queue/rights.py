"""Whether the user of the database may do what a service does all the time. Called when the service starts."""

from sqlalchemy import false, update
from sqlalchemy.engine import URL

from orchestrator.registry.database import open_engine, writing
from orchestrator.registry.location import database_url, shown
from orchestrator.registry.queue.queue_tables import JobRow, TokenRow
from orchestrator.registry.sql_errors import mapped


def check_rights(url: str | URL) -> None:
    """Raises RegistryError where jobs and tokens cannot be changed: the right to add rows is not enough."""
    database = database_url(url)
    engine = open_engine(database, create=False, busy_timeout_s=60.0)
    try:
        with mapped(shown(database)), writing(engine) as session, session.begin():
            for table in (JobRow, TokenRow):
                session.execute(update(table).where(false()).values(id=table.id))
    finally:
        engine.dispose()
