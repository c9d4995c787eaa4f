"""Which forms a column mixes: forms that differ in more than lengths. Called by `focus` and `column_profile`.

A form here has its runs collapsed: "Aa, A9" for "Ulm, B12". How many words there are, and whether a number has a sign
or decimals, makes no form of its own: "Bad Tölz" and "Ulm" are of one kind, "Ulm" and "ULM" of two.
"""

import re
from collections import Counter
from collections.abc import Mapping

MOST_KINDS = 8  # kinds up to which a column mixes forms; with more it is free text, in which no form is odd
_RUN_OF_PATTERN = re.compile(r"(.)\1\1\+|(.)\2{0,2}", re.DOTALL)
_RUN = re.compile(r"(.)\1+", re.DOTALL)
_WORDS = re.compile(r"(?<![Aa])(Aa|A|a)(?: \1)+(?![Aa])")
_NUMBER = re.compile(r"[-+]?9(?:\.9)?")


def kind_of(form: str) -> str:
    """The form with one word in place of several alike, and one number in place of all plain ones."""
    return _WORDS.sub(r"\1", "9" if _NUMBER.fullmatch(form) else form)


def kinds_of(forms: Mapping[str, int]) -> Counter[str]:
    """How many cells each kind has; `forms`: cells by form."""
    kinds: Counter[str] = Counter()
    for form, count in forms.items():
        kinds[kind_of(form)] += count
    return kinds


def mixed_forms(forms: Mapping[str, int]) -> dict[str, int]:
    """The forms that are not of the most frequent kind, with their cells; empty for one kind and for free text."""
    kinds = kinds_of(forms)
    if not 1 < len(kinds) <= MOST_KINDS:
        return {}
    usual = kinds.most_common(1)[0][0]
    return {form: count for form, count in forms.items() if kind_of(form) != usual}


def collapsed(pattern: str) -> str:
    """The form of a pattern whose runs are counted up to three, such as `999+-99`."""
    return _RUN.sub(r"\1", unmarked(pattern))


def unmarked(pattern: str) -> str:
    """The same pattern without the plus that says of a run that it is longer."""
    return _RUN_OF_PATTERN.sub(lambda run: 3 * run[1] if run[1] else run[0], pattern)


def merged(patterns: list[str]) -> str:
    """One pattern for several of one form: `99+` where a run has two characters or more."""
    runs = [[_length(run) for run in _RUN_OF_PATTERN.finditer(pattern)] for pattern in patterns]
    first = [run[0][0] for run in _RUN_OF_PATTERN.finditer(patterns[0])]
    lengths = [{one[n] for one in runs} for n in range(len(first))]
    return "".join(
        char * min(3, *of_run) + ("+" if len(of_run) > 1 or max(of_run) > 3 else "")
        for char, of_run in zip(first, lengths, strict=True)
    )


def _length(run: "re.Match[str]") -> int:
    return 4 if run[1] else len(run[0])
