"""What several sources report of the same things, and what they make of it together: a vote that weighs sources.

These functions run in the proposer, on lists of rows, and are copied as source into the fitted candidate that the rule
`rules/rows/conflicting_sources` proposes. A row is the reported cells, then the key, then the source. A state holds who
said what of a key (`learnt_keys` says of which), each source as its place in one list. A source counts as much as its
agreement with the others shows, spellings of one time of day are one answer (where most stand beside dates, which not
all tell, a thing is left open if another time has more reports), and what only sources say that always agree with each
other is left open. A word for nothing (`none`) is an answer where most reports of a thing give it, and then that thing
is left open, too: nobody can tell whether the others know more.
Source of the weights: Dong, Berti-Equille, Srivastava, PVLDB 2 (2009).
"""

import math
import re
from typing import Any

from orchestrator.propose.builtin.learnt_keys import _BLANK, _NOTHING, _bytes, _kept, _level, _meant, _most

_ROUNDS = 5
_SURE = 0.4  # of the weight must be behind an answer
_NEARLY_ALL = 0.9  # of the texts hold one time of day: the column tells it
_OF_THE_SOURCE = 0.75  # of the texts of a source are alike but for the time: what is beside it tells nothing
_OF_ONE_MIND = 12  # things in dispute
_HEARD = 2  # rows must give it, and half as many as give the most frequent one: then the gate sees its witnesses
_TIME = re.compile(r"(?<![\d:])(?<!\([+-])(\d{1,2}):([0-5]\d)(?::[0-5]\d)?(?!\d)\s*([aApP])?(?:\.?\s?[mM]\b\.?)?")
_ZERO = re.compile(r"(?<![\d:.,])0(?=\d:[0-5]\d)")  # in front of an hour
_ADDRESS = re.compile(r"(?is)\s*https?://(?:www\.)?([^\s/?#]+).*")


def _site(source: str) -> str:
    """Who says it: of a page's address, the web site."""
    return _ADDRESS.sub(r"\1", source)


def _learn(rows: list[tuple[str | None, ...]]) -> dict[str, Any]:
    """Who said what of each key: by key and column, the texts, and by text how often each source has it."""
    claims: dict[str, Any] = {}
    for *cells, key, source in rows:
        if not key or not source:
            continue
        told, site = claims.setdefault(key, [{} for _ in cells]), _site(source)
        for texts, cell in zip(told, cells):  # noqa: B905 - one for each cell
            if cell is not None and not _BLANK.fullmatch(cell):
                by = texts.setdefault(cell, {})
                by[site] = by.get(site, 0) + 1
    return _packed(0, claims)


def _size(claims: dict[str, Any]) -> int:
    """The bytes that the claims take in a state."""
    sites = {site for told in claims.values() for texts in told for by in texts.values() for site in by}
    width = len(str(len(sites))) + 1
    size = sum(map(_bytes, sites))
    for key, told in claims.items():
        size += _bytes(key) + 3 * len(told)
        for texts in told:
            for text, by in texts.items():
                size += _bytes(text) + 2 + width * len(by)
                if max(by.values()) > 1:
                    size += sum(len(str(count)) + 3 for count in by.values() if count > 1)
    return size


def _packed(level: int, claims: dict[str, Any]) -> dict[str, Any]:
    """The state of the claims of as many keys as fit: by text the places of its sources in a list, with the count
    where one says it more than once."""
    level, claims = _kept(level, claims, _size)
    sites = sorted({site for told in claims.values() for texts in told for by in texts.values() for site in by})
    place = {site: number for number, site in enumerate(sites)}
    told = {
        key: [
            {t: [place[s] if n == 1 else [place[s], n] for s, n in sorted(by.items())] for t, by in texts.items()}
            for texts in of_key
        ]
        for key, of_key in claims.items()
    }
    return {"level": level, "sites": sites, "told": told}


def _claims(state: dict[str, Any]) -> dict[str, Any]:
    """The claims of a state, with the names of their sources."""
    sites = state["sites"]
    return {
        key: [
            {
                text: dict((sites[s], 1) if isinstance(s, int) else (sites[s[0]], s[1]) for s in by)
                for text, by in texts.items()
            }
            for texts in told
        ]
        for key, told in state["told"].items()
    }


def _join(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """What two parts of the rows say together."""
    level = max(one["level"], other["level"])
    claims, more = ({k: of_key for k, of_key in _claims(s).items() if _level(k) >= level} for s in (one, other))
    for key, told in more.items():
        if key not in claims:
            claims[key] = told
            continue
        for texts, others in zip(claims[key], told):  # noqa: B905 - one for each column
            for text, by in others.items():
                known = texts.setdefault(text, {})
                for source, count in by.items():
                    known[source] = known.get(source, 0) + count
    return _packed(level, claims)


def _minutes(text: str) -> int | None:
    """The one time of day in a text, in minutes; None where there is none or another."""
    found = list(_TIME.finditer(text))
    if len(found) != 1:
        return None
    hour, minute, half = int(found[0][1]), int(found[0][2]), (found[0][3] or "").lower()
    if hour > 23 or (half and not 1 <= hour <= 12):
        return None
    return (hour % 12 + 12 * (half == "p") if half else hour) * 60 + minute


def _meaning(text: str, by_time: bool) -> str:
    """What different spellings of an answer have in common."""
    minutes = _minutes(text) if by_time else None
    return " ".join(text.casefold().split()) if minutes is None else f"{minutes // 60}:{minutes % 60:02}"


def _form(text: str) -> str:
    """How a text is written: a number is a number, morning and afternoon are the same."""
    return re.sub(r"(?i)(?<=9)(\s*)[ap](?=\.?m|\b|[A-Z])", r"\1x", re.sub(r"\d+", "9", text))


def _written(minutes: int, model: str) -> str | None:
    """A time of day written as the model is; None where the model holds more than that."""
    found = _TIME.search(model)
    if not found or re.search(r"\d", model[: found.start()] + model[found.end() :]):
        return None
    hour, minute = divmod(minutes, 60)
    half, word = found[3], ""
    if half:
        word = ("ap" if half.islower() else "AP")[hour >= 12]
        hour = (hour + 11) % 12 + 1
    width = 2 if found[1].startswith("0") else 1
    tail = model[found.end(2) : found.end()]
    tail = tail.replace(half, word, 1) if half else tail
    return f"{model[: found.start()]}{hour:0{width}}:{minute:02}{tail}{model[found.end() :]}"


def _tell_times(claims: dict[str, Any], place: int) -> bool:
    """Whether a column says at what time, each source with a day of its own beside it, or none: none is a fact."""
    said = [item for told in claims.values() for item in told[place].items() if not _NOTHING.fullmatch(item[0])]
    beside: dict[str, list[tuple[str, int]]] = {}
    for text, by in said:
        for source in by if _minutes(text) is not None else ():
            beside.setdefault(source, []).append((_TIME.sub("", text), 1))
    timed, every = sum(map(len, beside.values())), sum(len(by) for _, by in said)
    alike = sum(max(_sums(rests).values()) for rests in beside.values())
    return timed >= _NEARLY_ALL * max(1, every) and alike >= _OF_THE_SOURCE * timed


def _sums(counts: list[tuple[str, int]]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for text, count in counts:
        sums[text] = sums.get(text, 0) + count
    return sums


def _is_outvoted(answer: str, said: dict[str, tuple[int, Any]]) -> bool:
    """Whether more reports tell one other time of day, in whatever way they write it."""
    heard = _sums([(_meaning(text, True), count) for text, (count, _) in said.items() if not _NOTHING.fullmatch(text)])
    return heard[_meaning(answer, True)] < max(heard.values())


def _usual(texts: list[tuple[str, int]]) -> tuple[str, str]:
    """How most texts are written, and one of them: as most with an hour below 10, which shows whether a zero leads."""
    forms = _sums([(_form(text), count) for text, count in texts])
    usual = max(sorted(forms.items()), key=lambda item: item[1], default=("", 0))[0]
    early: dict[str, int] = {}
    models: dict[str, str] = {}
    for text, count in sorted(texts):
        if _form(text) == usual:
            zero, hour = _ZERO.search(text), _TIME.search(text)
            kind = "zero" if zero else "plain" if hour and len(hour[1]) == 1 else "late"
            early[kind] = early.get(kind, 0) + (0 if kind == "late" else count)
            models.setdefault(kind, text)
    return usual, models.get(max(sorted(early), key=lambda kind: early[kind], default=""), "")


def _case(text: str) -> str:
    """Which letters a text is written with: capitals only, none, or both."""
    return "upper" if text.isupper() else "lower" if text.islower() else "mixed"


def _scores(answers: dict[str, dict[str, set[str]]]) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """For each key the weight of every answer, and what each source counts, by how often it agrees with the rest."""
    trust: dict[str, float] = {}
    scores: dict[str, dict[str, float]] = {}
    for _ in range(_ROUNDS):
        right: dict[str, float] = {}
        told: dict[str, int] = {}
        for key, said in sorted(answers.items()):
            score = {answer: sum(trust.get(s, 1.0) for s in sorted(by)) for answer, by in sorted(said.items())}
            scores[key] = score
            total = sum(score.values()) or 1.0
            if sum(map(len, said.values())) < 2:
                continue
            for answer, by in said.items():
                for source in by:
                    told[source] = told.get(source, 0) + 1
                    own = trust.get(source, 1.0)  # a source is measured by what the others say
                    rest = max(total - own, 1e-9)
                    right[source] = right.get(source, 0.0) + max(0.0, score[answer] - own) / rest
        agree = {source: (right[source] + 0.5) / (told[source] + 1.0) for source in sorted(told)}
        trust = {s: min(max(math.log(max(a, 0.01) / (1.0 - min(a, 0.98))) + 2.0, 0.05), 6.0) for s, a in agree.items()}
    return scores, trust


def _copies(answers: dict[str, dict[str, set[str]]]) -> dict[str, str]:
    """Of sources that are of one mind on all that is in dispute: the first of them, by each. One may copy the other."""
    disputed = [list(said.values()) for _, said in sorted(answers.items()) if len(said) > 1]
    bits = {
        source: 1 << place for place, source in enumerate(sorted({s for told in disputed for by in told for s in by}))
    }
    said, differ = dict.fromkeys(bits, 0), dict.fromkeys(bits, 0)
    answer = 1  # of a thing: one bit for each
    for told in disputed:
        for by in told:
            others = sum(bits[source] for source in set().union(*told) - by)
            for source in by:
                said[source] |= answer
                differ[source] |= others
            answer <<= 1
    sources = [source for source in bits if said[source].bit_count() >= _OF_ONE_MIND]
    first: dict[str, str] = {}
    for place, source in enumerate(sources):
        for one in sources[:place]:
            if one in first or (said[source] & said[one]).bit_count() < _OF_ONE_MIND:
                continue
            if not (differ[source] & bits[one] or differ[one] & bits[source]):
                first[source] = one
                break
    return first


def _decide(state: dict[str, Any]) -> dict[str, list[str | None]]:
    """By key, the right text of each column; None where the sources do not settle it."""
    claims = _claims(state)
    width = max((len(told) for told in claims.values()), default=0)
    rights: dict[str, list[str | None]] = {key: [None] * width for key in claims}
    for place in range(width):
        texts = {key: {t: (sum(by.values()), by) for t, by in claims[key][place].items()} for key in sorted(claims)}
        told = [(t, n) for said in texts.values() for t, (n, _) in said.items() if not _NOTHING.fullmatch(t)]
        (usual, model), cases = _usual(told), _sums([(_case(text), count) for text, count in told])
        case = max(sorted(cases.items()), key=lambda item: item[1], default=("", 0))[0]
        by_time = _TIME.search(model) is not None and not re.search(r"\d", _TIME.sub("", model))
        beside_dates = not by_time and _tell_times(claims, place)
        things = {key: _sums([(_meaning(t, by_time), n) for t, (n, _) in said.items()]) for key, said in texts.items()}
        meant = _meant(things)
        answers: dict[str, dict[str, set[str]]] = {}
        for key, said in texts.items():
            for text, (_, by) in sorted(said.items()):
                if (answer := _meaning(text, by_time)) in meant or not _NOTHING.fullmatch(answer):
                    answers.setdefault(key, {}).setdefault(answer, set()).update(by)
        scores, trust = _scores(answers)
        copies = _copies(answers)
        for key, score in scores.items():
            heard = {answer: things[key][answer] for answer in score}
            least = max(_HEARD, max(heard.values()) / 2)
            best = max(sorted(score), key=lambda answer: (heard[answer] >= least, score[answer]))
            if _NOTHING.fullmatch(best) or _most(things[key]):
                continue
            if beside_dates and _is_outvoted(best, texts[key]):
                continue
            if heard[best] < least or len(answers[key][best]) < 2 or score[best] < _SURE * sum(score.values()):
                continue
            alone = {answer: {copies.get(source, source) for source in by} for answer, by in answers[key].items()}
            weight = {answer: sum(trust.get(source, 1.0) for source in sorted(by)) for answer, by in alone.items()}
            if max(weight.values()) > weight[best]:
                continue  # only those that may be copies of one another say so
            spelt = {text: n for text, (n, _) in texts[key].items() if _meaning(text, by_time) == best}
            minutes = _minutes(best) if by_time else None
            made = None if minutes is None else _written(minutes, model)
            in_case = [text for text in sorted(spelt) if _case(text) == case] or sorted(spelt)
            in_form = [text for text in in_case if _form(text) == usual] or in_case
            rights[key][place] = made or max(in_form, key=lambda text: spelt[text])
    return rights


def _settle(row: tuple[str | None, ...], rights: dict[str, list[str | None]]) -> tuple[str | None, ...]:
    """The row as the sources together have it; a zero before an hour is no other answer."""
    *cells, key, source = row
    right = rights.get(key) if key and source else None
    if not right:
        return row
    settled = [
        cell if new is None or _ZERO.sub("", cell or "") == _ZERO.sub("", new) else new
        for cell, new in zip(cells, right)  # noqa: B905 - one for each cell
    ]
    return (*settled, key, source)
