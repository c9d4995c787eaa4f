"""What speaks against taking a rare text for a slip of a frequent one, however near: it may be another word ("trainee"
beside "trainer"), another person ("Smyth"), or another thing, as the other columns show. Used by the rules on spelling
and case.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from operator import itemgetter

from orchestrator.propose.builtin.distance import _edits, _fingerprint, _is_slip_of
from orchestrator.propose.builtin.rules.exemptions.exact_texts import are_exact
from orchestrator.propose.builtin.rules.exemptions.real_words import REAL_WORDS
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_SETTLED = 0.9  # of the rows of the frequent text agree in another column
_COMMON = 0.5  # of the rows of other texts at most: else that says nothing of the text
_SUPPORT = 4
_PERSON = {
    "surname", "firstname", "lastname", "fullname", "forename", "vorname", "nachname", "familienname", "nom", "prenom",
    "apellido", "apellidos", "cognome", "customer", "client", "patient", "employee", "author", "authors", "actor",
    "actors", "director", "cast", "contact", "person", "student", "teacher", "physician", "doctor", "sobrenome",
    "achternaam", "voornaam", "fornamn", "efternamn", "fornavn", "etternavn", "efternavn", "imie", "nazwisko", "jmeno",
    "prijmeni", "soyad", "soyadi",
}  # fmt: skip
_ROLES = {  # may hold other things, too: a driver of a printer, an agent that cleans
    "adviser", "advisor", "agent", "analyst", "applicant", "appraiser", "artist", "assignee", "assistant", "attorney",
    "beneficiary", "buyer", "candidate", "captain", "caregiver", "cashier", "clerk", "coach", "collector", "composer",
    "consultant", "dentist", "driver", "editor", "engineer", "examiner", "guardian", "guest", "holder", "inspector",
    "instructor", "inventor", "judge", "keeper", "landlord", "lawyer", "manager", "mechanic", "member", "nurse",
    "officer", "operator", "owner", "participant", "photographer", "pilot", "player", "recipient", "referee", "rep",
    "reporter", "representative", "salesman", "salesperson", "secretary", "seller", "singer", "speaker", "supervisor",
    "surgeon", "surveyor", "technician", "tenant", "therapist", "trainer", "translator", "tutor", "vet", "veterinarian",
    "witness",
}  # fmt: skip
_CALLED = {
    "name", "names", "kunde", "kunden", "kundin", "mitglied", "mitglieder", "cliente", "clientes", "namen", "navn",
}  # fmt: skip
_NAMED = _PERSON | _ROLES | {"first", "last", "given", "family", "middle", "maiden", "full", "sur", "user"}


def _is_inflection(word: str, right: str) -> bool:
    """Whether two words differ by a beginning or an ending that has a meaning: hypo- and hyper-, -er and -ee.

    So do the names of substances: methanal and methanol, butene and butane, sulfide and sulfite. `Agre` is no word.
    """
    if right.endswith("ee") and word == right[:-1]:
        return False
    for kin in (("al", "ol"), ("ane", "ene", "yne"), ("ate", "ite", "ide"), ("ase", "ose")):
        left, right_stem = ([text[: -len(end)] for end in kin if text.endswith(end)] for text in (word, right))
        if word != right and left == right_stem and left and len(left[0]) >= 3:
            return True
    for one, other in ((word, right), (right, word)):
        for first, second in (("hyper", "hypo"), ("inter", "intra"), ("micro", "macro"), ("pre", "pro"), ("ab", "ad")):
            if one.startswith(first) and other.startswith(second) and one[len(first) :] == other[len(second) :]:
                return True
    endings = ("s", "es", "e", "ed", "er", "or", "ee", "y", "ly", "al", "ic", "ing", "en", "in", "a", "o", "an", "ian")
    stems = []
    for text in (word, right):
        own = [end for end in endings if text.endswith(end) and not (end == "s" and text.endswith("ss"))]
        stems.append({text, *(text[: -len(end)] for end in own)})
    return any(len(stem) >= 3 for stem in stems[0] & stems[1])


def are_persons(column: TextColumn) -> bool:
    """Whether the column's name says that it holds names of persons: there a rare spelling is somebody else.

    "name" alone may be the name of anything: there the texts must be two or three words of letters too. "last" and
    "first" may be moments: there they must be written as names are.
    """
    plain = "".join(sign for sign in unicodedata.normalize("NFD", column.name) if not unicodedata.combining(sign))
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain).lower())
    if words in (["name"], ["names"]):
        return column.share(_looks_like_person) >= 0.95
    if (words and words[-1] in _ROLES) or words in (["first"], ["last"]):
        return column.share(_looks_like_names) >= 0.9
    named = len(words) > 1 and words[-1] in ("name", "names") and words[-2] in _NAMED
    return named or (bool(words) and words[-1] in _PERSON)


def may_be_persons(column: TextColumn) -> bool:
    """Whether it holds names of persons as its name says, or is called a name, and its texts are written as names."""
    last = re.findall(r"[^\W\d_]+", column.name.lower())[-1:]
    named = bool(last) and last[0] in _CALLED and column.share(_looks_like_names) >= 0.9
    return named or are_persons(column)


def _looks_like_person(text: str) -> bool:
    words = re.split("[ -]", text)
    return 2 <= len(words) <= 3 and all(word.replace("'", "").replace(".", "").isalpha() for word in words)


def _looks_like_names(text: str) -> bool:
    """One to three words that begin with a capital, and have no others: `Jansen`, `A. Schmidt`."""
    words = re.split("[ .,-]+", text.strip(" .,"))
    return 1 <= len(words) <= 3 and all(word.replace("'", "").isalpha() and word.istitle() for word in words)


def is_of_its_own(column: TextColumn) -> bool:
    """Whether every way to write a text is a text of its own: names of persons, paths, addresses, commands."""
    return (
        are_persons(column)
        or are_exact(column)
        or column.share(lambda text: bool(re.match(r"[a-z]{2,6}://|[./~]*/|[A-Za-z]:\\|[^\s@]+@[^\s@]+$", text))) > 0.5
    )


def are_other_words(words: Iterable[str]) -> bool:
    """Whether one of the words, in small letters, is known to be right although it is near another."""
    return not REAL_WORDS.isdisjoint(words)


def other_words(texts: Iterable[str]) -> list[str]:
    """The texts with a word replaced by another that is near it and right: not to be taken for slips later."""
    found = []
    for text in texts:
        words = re.split("([-/'\u2019 ])", text)
        for place, word in enumerate(words):
            for real in _near(word.casefold()):
                cased = real.upper() if word.isupper() else real.title() if word[0].isupper() else real
                found.append("".join([*words[:place], cased, *words[place + 1 :]]))
    return sorted(found)


@lru_cache(10_000)
def _near(word: str) -> tuple[str, ...]:
    """The known words that begin like the word and are a slip or two away from it."""
    if len(word) < 5 or not word.isalpha():
        return ()
    alike = [real for real in REAL_WORDS if real[0] == word[0] and abs(len(real) - len(word)) <= 2]
    return tuple(sorted(real for real in alike if real != word and _edits(real, word, 2) <= 2))


def is_another_thing(table: WorkingRows, column: TextColumn, rare: str, right: str) -> bool:
    """Whether the rows of the rare text contradict what another column says in the rows of the frequent one."""
    rows = column.places.get(right, [])
    if len(rows) < _SUPPORT:
        return False
    of_rows = itemgetter(*rows)
    for other in table.columns:
        if other is column:
            continue
        said = Counter(of_rows(other.cells))
        usual, count = said.most_common(1)[0]
        elsewhere = other.counts[usual] - count if usual else 0
        if not usual or count < _SETTLED * len(rows) or elsewhere > _COMMON * (table.rows - len(rows)):
            continue
        differing = [
            cell
            for row in column.places.get(rare, [])
            if (cell := other.cells[row]) and cell.strip() and cell not in said
        ]
        if any(_fingerprint(cell) != _fingerprint(usual) and not _is_slip_of(cell, usual) for cell in differing):
            return True
    return False
