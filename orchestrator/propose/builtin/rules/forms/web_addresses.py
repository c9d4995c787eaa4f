"""Web addresses in capitals get small letters where case means nothing: "HTTPS://Shop.Example.com/A" →
"https://shop.example.com/A".

Left alone: what comes behind the name of the host, where case counts, and which protocol is used.
"""

import re

from orchestrator.propose.builtin.repair_rule import RepairRule, where
from orchestrator.propose.builtin.working_rows import TextColumn


def _lower_host(value: str) -> str:
    """The address with its protocol and host in small letters; any other text as it is."""
    match = re.match(r"(?i)https?://[a-z0-9.-]+\.[a-z]{2,}(?=[/:?#]|$)", value)
    return match[0].lower() + value[match.end() :] if match else value


def _has_capitals(column: TextColumn) -> bool:
    if not column.may_be(lambda text: text[:4].lower() == "http"):
        return False
    odd = column.rows(lambda text: _lower_host(text) != text)
    return 0 < odd < 0.5 * column.filled


RULE = RepairRule(
    name="lower_case_hosts_in_{columns}",
    issue="Some web addresses in {columns} have capitals where case means nothing.",
    doc="Write the protocol and the host of web addresses in small letters.",
    fix=_lower_host,
    look=where(_has_capitals),
    imports=("re",),
)
