"""Yes and no, the sexes in several vocabularies: "yes", "Y", "TRUE" and "1" become what most rows use.

Left alone: a column with one pair only, and words that may mean something else beside other answers ("t", "1").
"""

from collections import Counter
from functools import cache
from typing import NamedTuple

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.function_names import slug
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_ALL_PAIRS = 0.8  # of the rows are in words whose opposite is there, too
_OTHERS = 0.2  # of the rows may say something else, where the pair are words: "Unknown" beside "Yes" and "No"


class _Vocabulary(NamedTuple):
    """Two opposites in several pairs of words, and which of the words mean nothing else beside other answers."""

    ones: tuple[str, ...]
    others: tuple[str, ...]
    clear: frozenset[str]


_YES, _NO = ("yes", "y", "true", "t", "1", "✓", "✔"), ("no", "n", "false", "f", "0", "✗", "✘")
_YES_AND_NO = (
    _Vocabulary(_YES, _NO, frozenset({"yes", "y", "true", "no", "n", "false"})),
    *(
        _Vocabulary(ones, others, frozenset({*ones, *others}))
        for ones, others in (  # spellings of each side, the short one last; programs say it in English
            (("ja", "j", "yes", "y"), ("nein", "n", "no", "n")),
            (("oui", "o", "yes", "y"), ("non", "n", "no", "n")),
            (("sí", "si", "s", "yes", "y"), ("no", "no", "n", "no", "n")),
            (("sì", "si", "s"), ("no", "no", "n")),
            (("sim", "sim", "s", "yes", "y"), ("não", "nao", "n", "no", "n")),
            (("tak", "t"), ("nie", "n")),
            (("evet", "evet", "e"), ("hayır", "hayir", "h")),
            (("ja", "j", "yes", "y"), ("nee", "n", "no", "n")),
            (("ja", "j", "yes", "y"), ("nej", "n", "no", "n")),
            (("ano", "a"), ("ne", "n")),
            (("да", "д"), ("нет", "н")),
            (("有", "有り", "あり"), ("無", "無し", "なし")),
            (("हाँ", "हां"), ("नहीं", "नही")),
            (("ναι", "ναι", "ν"), ("όχι", "οχι", "ό")),
            (("예", "네"), ("아니오", "아니요")),
            (("はい", "yes", "y"), ("いいえ", "no", "n")),
            (("是", "yes", "y"), ("否", "no", "n")),
            (("نعم", "yes", "y"), ("لا", "no", "n")),
            (("כן", "yes", "y"), ("לא", "no", "n")),
        )
    ),
)
_SEXES = (
    _Vocabulary(("male", "m"), ("female", "f"), frozenset({"male", "m", "female", "f"})),
    _Vocabulary(("männlich", "m"), ("weiblich", "w"), frozenset({"männlich", "m", "weiblich", "w"})),
    _Vocabulary(("masculino", "m"), ("femenino", "f"), frozenset({"masculino", "m", "femenino", "f"})),
    _Vocabulary(("masculino", "m"), ("feminino", "f"), frozenset({"masculino", "m", "feminino", "f"})),
    _Vocabulary(("男", "男性"), ("女", "女性"), frozenset({"男", "男性", "女", "女性"})),
    _Vocabulary(
        ("남", "남성", "남자"), ("여", "여성", "여자"), frozenset({"남", "남성", "남자", "여", "여성", "여자"})
    ),
    _Vocabulary(("muž", "muz", "m"), ("žena", "zena", "ž"), frozenset({"muž", "muz", "m", "žena", "zena", "ž"})),
    _Vocabulary(("पुरुष", "m"), ("महिला", "f"), frozenset({"पुरुष", "m", "महिला", "f"})),
    *(
        _Vocabulary(ones, others, frozenset({*ones, *others}))
        for ones, others in (
            (("homme", "h"), ("femme", "f")),
            (("hombre", "h"), ("mujer", "m")),
            (("homem", "h"), ("mulher", "m")),
            (("maschio", "m"), ("femmina", "f")),
            (("man", "m"), ("vrouw", "v")),
            (("man", "m"), ("kvinna", "k")),
            (("mężczyzna", "m"), ("kobieta", "k")),
            (("erkek", "e"), ("kadın", "k")),
        )
    ),
)
_THIRD_SEX = (
    ("diverse", "divers", "d"),
    ("other", "o"),
    ("nonbinary", "non-binary", "nb"),
    ("unspecified", "x"),
    ("unknown", "u"),
)


def _same_answer(value: str, answers: dict[str, str]) -> str:
    """The answer in the column's own words."""
    return answers.get(value.casefold(), value)


def are_answers(texts: list[str]) -> bool:
    """Whether nearly all texts are yes and no, or the sexes, in some language; not letters and figures alone.

    Beside two opposite words of a vocabulary its letters and figures are answers, too.
    """
    vocabularies, folded = (*_YES_AND_NO, *_SEXES), {text.casefold() for text in texts}
    words = {word for each in vocabularies for word in each.clear}
    for ones, others, _ in vocabularies:
        if any({*pair} <= folded for pair in zip(ones, others, strict=True) if min(map(len, pair)) > 1):
            words |= {*ones, *others}
    return sum(text.casefold() in words for text in texts) >= (1 - _OTHERS) * len(texts)


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    for question, vocabularies in (("yes and no", _YES_AND_NO), ("male and female", _SEXES)):
        answers = next((found for each in vocabularies if (found := _answers(column, each))), None)
        if answers is not None:
            own = " and ".join(map(repr, dict.fromkeys(answers.values())))
            words = {"question": slug(question), "Question": question.capitalize(), "own": own}
            return RuleFinding({"answers": answers}, words=words)
    return None


def _answers(column: TextColumn, vocabulary: _Vocabulary) -> dict[str, str] | None:
    """Each word with the column's own; None where the column has one pair only, or speaks of something else."""
    ones, others, clear = vocabulary
    third = [group for group in _THIRD_SEX if vocabulary in _SEXES and not {*group} & {*ones, *others}]
    folded = column.learnt(_folded, _folded)
    if not _contradicting(vocabulary).isdisjoint(folded):
        return None
    answering = {*ones, *others, *(word for group in third for word in group)}
    known = sum(folded[word] for word in answering) / column.filled if column.filled else 0.0
    if len(column.counts) < 3 or known < 1 - _OTHERS:
        return None
    pairs = Counter[tuple[str, str]]()
    for words in zip(ones, others, strict=True):
        sides = [[text for text in column.counts if text.casefold() == word] for word in words]
        if all(sides):
            pairs[_alike(sides[0], sides[1], column.counts)] = sum(
                column.counts[text] for side in sides for text in side
            )
    if not pairs:
        return None
    (one, other), rows = pairs.most_common(1)[0]
    wordy = len(one) > 1 or vocabulary in _SEXES
    usual = wordy and {one.casefold(), other.casefold()} <= clear
    least = 0.2 if known == 1 and pairs.total() >= _ALL_PAIRS * column.filled else 0.4
    if rows < least * column.filled or (known < 1 and not usual):
        return None
    answers = dict.fromkeys(ones, one) | dict.fromkeys(others, other)
    for group in third:
        own = [text for text in column.counts if text.casefold() in group and (len(text) == 1) == (len(one) == 1)]
        if own:
            answers |= dict.fromkeys(group, max(own, key=column.counts.__getitem__))
    clear = clear | {word for group in third for word in group}
    return answers if known == 1 else {word: own for word, own in answers.items() if word in clear}


def _folded(column: TextColumn) -> Counter[str]:
    """The number of rows per text, whatever its case: asked by each vocabulary."""
    folded = Counter[str]()
    for text, rows in column.counts.items():
        folded[text.casefold()] += rows
    return folded


@cache
def _contradicting(vocabulary: _Vocabulary) -> frozenset[str]:
    """Words of other languages in which a letter says the opposite: M is a man in "Masculino", a woman in "Mujer"."""
    ones, others, clear = vocabulary
    return frozenset(
        word
        for one, other, words in (_SEXES if vocabulary in _SEXES else ())
        if {*ones} & {*other} or {*others} & {*one}
        for word in words
        if word not in clear
    )


def _alike(ones: list[str], others: list[str], counts: Counter[str]) -> tuple[str, str]:
    """The most frequent way to write both words in the same case: yes and no, YES and NO, rather than yes and NO."""
    ways = [(one, other) for one in ones for other in others]
    same = [(one, other) for one, other in ways if (one.islower(), one.isupper()) == (other.islower(), other.isupper())]
    return max(same or ways, key=lambda way: counts[way[0]] + counts[way[1]])


RULE = RepairRule(
    name="same_{question}_in_{columns}",
    issue="{Question} are said in several ways in {columns}.",
    doc="Say {own} throughout.",
    fix=_same_answer,
    look=_look,
    examples=12,
)
