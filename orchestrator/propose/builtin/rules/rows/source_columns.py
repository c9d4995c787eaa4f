"""Which column says who reports a row, and which hold amounts. Called by `conflicting_sources`."""

import re

from orchestrator.propose.builtin import reports
from orchestrator.propose.builtin.rules.number_parts import looks_numeric
from orchestrator.propose.builtin.rules.number_words import words_of
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_SOURCE = re.compile(
    r"(?i)(?:data|report(?:ed|ing)?|info|web)?[\W_]*(?:by[\W_]*)?"
    r"(?:src|source|quelle|fuente|web[\W_]*site|site|domain|host|url|feed|provider|publisher|agency|crawler"
    r"|contributor|annotator|observer|reporter|portal|aggregator|catalog(?:ue)?|data[\W_]*base|news[\W_]*paper|magazine)"
    r"s?[\W_]*(?:name|id|\d{1,2})?"
    r"|source[\W_]*(?:system|file|table|register|registry)s?"
    r"|(?:listed|reported|claimed|quoted)[\W_]*by|(?:scraped|crawled|fetched|retrieved|copied|taken)[\W_]*from"
)
_WEB_SITE = re.compile(
    r"(?i)(?:https?://)?(?:www\.)?[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|gov|edu|info|io|[a-z]{2})(?:/\S*)?"
)
_OF_SIZE = re.compile(r"(?i)[$€£¥]? ?[-+]?\d[\d.,]* ?(?:k|[mb]n?|tn?|mio|mrd|million|billion)\.? ?[$€£¥]?")
_CALLED = frozenset({"zip", "zipcode", "postcode", "postal", "plz", "phone", "telephone", "fax", "isbn", "year"})
_NEARLY_ALL = 0.9  # of the cells are web sites
_MOST = 0.5  # of the cells are numbers


def is_source(column: TextColumn, table: WorkingRows) -> bool:
    """Whether a column is named like a source or holds web sites, and has several for many rows."""
    if not _SOURCE.fullmatch(column.name) and column.share(lambda text: bool(_WEB_SITE.fullmatch(text))) <= _NEARLY_ALL:
        return False
    return 3 <= len(set(map(reports._site, column.counts))) <= 0.5 * table.rows  # noqa: SLF001 - as it will vote


def are_amounts(column: TextColumn) -> bool:
    """Whether the cells are numbers that measure something; a year, a postcode or a telephone number does not."""
    return (
        _CALLED.isdisjoint(words_of(column.name))
        and column.share(lambda text: looks_numeric(text) or _OF_SIZE.fullmatch(text) is not None) > _MOST
    )
