"""Yes and no in several vocabularies (yes/Y/TRUE/1) become the pair that most rows use."""

from collections import Counter
from collections.abc import Iterator

from orchestrator.propose.builtin.names import slug
from orchestrator.propose.builtin.profile import Table
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.wishes import Wishes

_YES = ("yes", "y", "true", "t", "1")
_NO = ("no", "n", "false", "f", "0")


def _same_answer(value: str, answers: dict[str, str]) -> str:
    """The answer in the column's own words."""
    return answers.get(value.casefold(), value)


def find(table: Table, _wishes: Wishes) -> Iterator[Remedy]:
    for column in table.columns:
        if len(column.counts) < 3 or not all(text.casefold() in (*_YES, *_NO) for text in column.counts):
            continue
        pairs = Counter[tuple[str, str]]()
        for yes, no in zip(_YES, _NO, strict=True):
            sides = [[text for text in column.counts if text.casefold() == word] for word in (yes, no)]
            if all(sides):
                best = [max(side, key=column.counts.__getitem__) for side in sides]
                pairs[best[0], best[1]] = sum(column.counts[text] for text in best)
        if not pairs:
            continue
        (yes, no), rows = pairs.most_common(1)[0]
        if rows < 0.4 * column.filled:
            continue
        yield Remedy(
            rule="booleans",
            name=f"same_yes_and_no_in_{slug(column.name)}",
            issue=f"Yes and no are said in several ways in {column.name}.",
            doc=f"Say {yes!r} and {no!r} throughout.",
            columns=(column.name,),
            fix=_same_answer,
            examples=12,
            settings={"answers": dict.fromkeys(_YES, yes) | dict.fromkeys(_NO, no)},
        )
