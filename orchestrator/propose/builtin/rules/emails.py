"""E-mail addresses in capitals, with "mailto:", "(at)", brackets, blanks, "@@" or a comma: "mailto:Ann@X,ORG" →
"ann@x.org".

Left alone: columns in which hardly an address is bare and in small letters, texts that are no address, and addresses
with a blank inside the name of the box, for which a dot or a line may have stood.
"""

import re

from orchestrator.propose.builtin.repair_rule import RepairRule, where
from orchestrator.propose.builtin.working_rows import TextColumn


def _plain_address(value: str) -> str:
    """The bare address in small letters; a text that is no address as it is."""
    address = re.sub(r"\s*[\[(]at[\])]\s*|@@", "@", value.lower())
    address = re.sub(r"(@[a-z0-9-]+),([a-z]{2,4})$", r"\1.\2", address)
    address = re.sub(r"\s*[\[(]dot[\])]\s*", ".", address).strip()
    address = re.sub(r"^mailto:|^<(?=[^<>]+>[;,.]?$)|>?[;,.]?$", "", address).strip()
    if re.search(r"\s", address.split("@")[0].rstrip()):
        return value
    address = re.sub(r"\s", "", address)
    return address if re.fullmatch(r"[\w.%+'-]+@[a-z0-9-]+(\.[a-z0-9-]+)+", address) else value


def _has_untidy_addresses(column: TextColumn) -> bool:
    if not column.may_be(lambda text: "@" in text):
        return False
    tidy = column.rows(lambda text: "@" in text and _plain_address(text) == text)
    untidy = column.rows(lambda text: _plain_address(text) != text)
    return untidy > 0 and tidy >= 0.2 * column.filled and tidy + untidy >= 0.9 * column.filled


RULE = RepairRule(
    name="plain_addresses_in_{columns}",
    issue="E-mail addresses in {columns} are partly in capitals or not bare.",
    doc="Write e-mail addresses bare and in small letters.",
    fix=_plain_address,
    look=where(_has_untidy_addresses),
    imports=("re",),
)
