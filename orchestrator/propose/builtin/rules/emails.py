"""E-mail addresses in capitals where the column writes them small, with "mailto:" or with blanks inside."""

import re
from collections.abc import Iterator

from orchestrator.propose.builtin.names import slug
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.working_rows import WorkingRows


def _plain_address(value: str) -> str:
    """The bare address in small letters; a text that is no address as it is."""
    address = re.sub(r"^mailto:|\s", "", value.lower())
    return address if re.fullmatch(r"[a-z0-9._%+'-]+@[a-z0-9-]+(\.[a-z0-9-]+)+", address) else value


def find(table: WorkingRows, _wishes: Preferences) -> Iterator[Remedy]:
    for column in table.columns:
        if not column.may_be(lambda text: "@" in text):
            continue
        tidy = column.rows(lambda text: "@" in text and _plain_address(text) == text)
        untidy = column.rows(lambda text: "@" in text and _plain_address(text) != text)
        if untidy and tidy >= 0.8 * column.filled and tidy + untidy >= 0.9 * column.filled:
            yield Remedy(
                rule="emails",
                name=f"plain_addresses_in_{slug(column.name)}",
                issue=f"E-mail addresses in {column.name} are partly in capitals or not bare.",
                doc="Write e-mail addresses bare and in small letters.",
                columns=(column.name,),
                fix=_plain_address,
                imports=("re",),
            )
