"""Whether a column holds answers, so that 1 is yes, and N is no. Called by equivalence.py and laws.py.

It has a word for yes and one for no. A figure or letter stands for one of them where the other one is there, too:
1 and 0 and no other number, Y and N.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.similarity import NO, YES, key

_SAID_WITH = re.compile(r"([^\W\d_]{2,5})(?:\s*[,;:(\u2013-]\s*|\s+)([^\W\d_]{2}.{0,60})", re.DOTALL)
_PAIRS = ({"y", "n"}, {"t", "f"}, {"j", "n"})
_TICKS, _CROSSES = frozenset("✓✔☑"), frozenset("✗✘☒✕✖")
_CIRCLES, _TIMES = frozenset("○◯〇◎"), frozenset("×")  # of what is good in Japan, and the cross beside them


class Answers:
    """Which texts of one column are answers. `stay`: the texts that do not change, `befores`: all texts before."""

    def __init__(self, stay: AbstractSet[str], befores: AbstractSet[str]) -> None:
        written_out = {one for one in befores if len(one.strip()) > 1}
        words = {key(one) for one in stay | written_out if not one.strip().isdigit()}
        numbers = {one.strip() for one in befores if one.strip().isdigit()}
        self._any = bool(words & YES and words & NO)
        self._figures = numbers == {"0", "1"}
        self._letters = {letter for pair in _PAIRS if pair <= set(map(key, befores)) for letter in pair}

    def same(self, before: str, after: str) -> bool:
        """Whether both are the same answer."""
        if not self._any or after.strip().isdigit() or (before.strip().isdigit() and not self._figures):
            return False
        if len(before.strip()) == 1 and before.strip().isalpha() and key(before) not in self._letters:
            return False
        return (_yes(before) and _yes(after)) or (_no(before) and _no(after))


def answers_cut(changed: Sequence[Change]) -> Found | None:
    """An answer without what was said with it: `yes, by phone` as `yes`."""
    for before, after in changed:
        said = _SAID_WITH.fullmatch(before.strip())
        answers = said and key(said[1]) in YES | NO and key(after) in YES | NO and after.strip().isalpha()
        if said and answers and key(said[2]) != key(after):
            return "an answer loses what is said with it", (before, after)
    return None


def ticks_turned(changed: Sequence[Change]) -> Found | None:
    """A tick or circle that becomes no, or a cross that becomes yes."""
    for before, after in changed:
        sign, answer = before.strip(), key(after)
        if (sign in _TICKS | _CIRCLES and answer in NO) or (sign in _CROSSES | _TIMES and answer in YES):
            return "a sign for yes becomes no, or the reverse", (before, after)
    return None


def _yes(text: str) -> bool:
    return text.strip() in _TICKS or key(text) in YES


def _no(text: str) -> bool:
    return text.strip() in _CROSSES or key(text) in NO
