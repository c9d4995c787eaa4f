"""Which answers the rows themselves support: a witness for a function that makes rows agree. Called by verifier.

Which rows should agree, the user declares (`settled_by` of the conventions), or a fitted function claims in `by`.
Whether a claim is so, the host counts in the sample before the function runs: rows of one key must agree often, and far
more often than any rows do, which no flag, no grade and nothing with few values can; amounts are left out, for each is
a fact of its own. Then a cell that becomes what at least two rows of its key say, and at least half as many as say the
most frequent answer, was not made up by the function. Where most rows of a key give a word for nothing (`none`), that
is a value, and the others support none. Everything else that it changes is looked at like any change.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, time
from decimal import Decimal
from typing import Any

import pyarrow as pa

from orchestrator.core.candidate import Contract
from orchestrator.core.conventions import Conventions
from orchestrator.core.ports import Sample
from orchestrator.core.value import Value
from orchestrator.gate.information.null_tokens import holds_something
from orchestrator.gate.information.value_kinds.known_words import currency
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.units import names_unit

MIN_AGREEMENT = 0.2  # of two rows of a key
MIN_LIFT = 5.0  # times that of any two rows
MAX_NUMERIC = 0.5  # of the texts are numbers: then they are amounts
_SINGLE = (int, float, Decimal, date, time)  # a bool is an int, a datetime a date
_WORD = re.compile(r"[^\W\d_]{2,}")
_CODE = re.compile(r"[^\W\d_]+\d{1,4}[^\W\d_]?")
_CLOCK = re.compile(r"(?<![\d:])(?<!\([+-])(\d{1,2}):([0-5]\d)(?::[0-5]\d)?(?!\d)\s*([aApP])?(?:\.?\s?[mM]\b\.?)?")


class AgreedAnswers(Value):
    """What the rows of a column support. `by`: the columns that make a key; `answers`: what is supported, by key."""

    by: tuple[str, ...]
    answers: dict[str, list[str]]

    def supports(self, key: str, cell: Any) -> bool:
        """Whether the rows of the key support the answer in the cell."""
        return (text := _text(cell)) != "" and not {*_answers(text)}.isdisjoint(self.answers.get(key, ()))


def agreed_answers(
    sample: Sample, contract: Contract, conventions: Conventions | None = None, *, of_one_row: bool = False
) -> dict[str, AgreedAnswers]:
    """What the rows of each key support, by the columns that the contract modifies and in which they agree.

    `of_one_row`: as if each row stood there twice, so that one is enough where no other answer is more frequent.
    """
    known = {*sample.working.column_names}
    rows = pa.concat_tables(sample)
    found = {}
    for name in contract.modifies or ():
        declared = () if conventions is None else conventions.of(name).settled_by
        by = declared or contract.by
        if not by or name in by or not known.issuperset((name, *by)):
            continue
        told: dict[str, list[str]] = defaultdict(list)
        of_nothing: dict[str, Counter[str]] = defaultdict(Counter)
        for key, cell in zip(keys_of(rows, by), rows.column(name).to_pylist(), strict=True):
            if key and (text := _text(cell)) and holds_something(text):
                told[key].append(text)
            elif key and re.search(r"[^\W\d_]", text):
                of_nothing[key][text.casefold()] += 1
        if declared or _agree(list(told.values())):
            spoken = {key: said for key, said in told.items() if not _say_nothing(said, of_nothing[key])}
            supported = {key: _supported(said * (1 + of_one_row)) for key, said in spoken.items()}
            found[name] = AgreedAnswers(by=by, answers={key: answers for key, answers in supported.items() if answers})
    return found


def keys_of(rows: pa.Table, by: Sequence[str]) -> list[str]:
    """One text for each row; empty where a part of the key is missing."""
    columns = [rows.column(name).to_pylist() for name in by]
    parts = zip(*columns, strict=True)
    return ["" if any(part in (None, "") for part in row) else "\x1f".join(map(str, row)) for row in parts]


def _text(cell: Any) -> str:
    """A cell as the text that is compared; empty where it holds no single value."""
    return cell if isinstance(cell, str) else str(cell) if isinstance(cell, _SINGLE) else ""


def _answers(text: str) -> Iterable[str]:
    """What a text says: itself, but for case and blanks, and if there is nothing else in it, a time of day."""
    yield f"text {' '.join(text.casefold().split())}"
    if (clock := _clock(text)) and not re.search(r"\d", _CLOCK.sub("", text)):
        yield clock


def _clock(text: str) -> str:
    found = list(_CLOCK.finditer(text))
    if len(found) != 1:
        return ""
    hour, half = int(found[0][1]), (found[0][3] or "").lower()
    if hour > 23 or (half and not 1 <= hour <= 12):
        return ""
    return f"clock {hour % 12 + 12 * (half == 'p') if half else hour}:{found[0][2]}"


def _say_nothing(said: Sequence[str], of_nothing: Counter[str]) -> bool:
    """Whether more than half of the rows give one word for nothing; `said`: what the others of the key say."""
    return 2 * max(of_nothing.values(), default=0) > len(said) + of_nothing.total()


def _supported(said: Sequence[str]) -> list[str]:
    supported: list[str] = []
    for kind in (lambda text: f"text {' '.join(text.casefold().split())}", _clock):
        counts = Counter(answer for text in said if (answer := kind(text)))
        most = max(counts.values(), default=0)
        supported += [answer for answer, count in counts.items() if count >= 2 and 2 * count >= most]
    return sorted(supported)


def _agree(told: Sequence[Sequence[str]]) -> bool:
    texts = [text for said in told for text in said]
    if not texts or sum(map(_is_amount, texts)) > MAX_NUMERIC * len(texts):
        return False
    within = _pairs_alike([Counter(_clock(text) or text for text in said) for said in told])
    return within >= MIN_AGREEMENT and within >= MIN_LIFT * _pairs_alike([Counter(_clock(t) or t for t in texts)])


def _is_amount(text: str) -> bool:
    """Whether a text is one number; not where it is part of a name or a code: 83 Station Road, B12."""
    words = _WORD.findall(text)
    measured = any(names_unit(word) or currency(word) for word in words) or currency(" ".join(words))
    named = (len(words) > 1 and any(word[0].isupper() for word in words)) or _CODE.fullmatch(text.strip())
    return (bool(measured) or not named) and reading(text) is not None


def _pairs_alike(counters: Sequence[Counter[str]]) -> float:
    """The share of pairs, each within one counter, that are alike."""
    alike = sum(count * (count - 1) for counter in counters for count in counter.values())
    pairs = sum(counter.total() * (counter.total() - 1) for counter in counters)
    return alike / pairs if pairs else 0.0
