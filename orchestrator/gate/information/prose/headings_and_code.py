"""What Markdown says by marks in front of lines: levels of headings, lines of a program. Called by prose_laws.py."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.similarity import key

MOST = 200  # headings or blocks of one text that are looked at
_HEADING = re.compile(r"^(#{1,6})[ \t]*([^\s#].*)$", re.MULTILINE)
_UNDERLINED = re.compile(r"^([^\n#|>-][^\n]*)\n(={3,}|-{3,})[ \t]*$", re.MULTILINE)
_INLINE = re.compile(r"(?<!`)`([^`\n]{1,200})`(?!`)")
_SET_IN = re.compile(r" {4}| {0,3}\t")
_CODE = re.compile(r"^(```|~~~)[^\n]*\n(.*?)^\1", re.MULTILINE | re.DOTALL)


def heading_levels_changed(changed: Sequence[Change]) -> Found | None:
    """A heading that comes to stand on another level: `## Rome` as `# Rome`, where the text has several levels."""
    for before, after in changed:
        ours, theirs = _levels(before), _levels(after)
        if len({level for levels in ours.values() for level in levels}) > 1 and any(
            ours[title] != theirs[title] for title in ours.keys() & theirs.keys()
        ):
            return "a heading comes to stand on another level", (before, after)
    return None


def wiki_headings_changed(changed: Sequence[Change]) -> Found | None:
    """A heading between equal signs that becomes one with fewer or more signs: `== Rome ==` as `# Rome`, `##Rome`."""
    for before, after in changed:
        wiki = _between("=", before) if "=" in before and "#" in after else []
        if wiki and not _between("=", after) and not set(wiki) <= set(_marked(after)):
            return "a heading comes to stand on another level", (before, after)
    return None


def _between(sign: str, text: str) -> list[tuple[int, str]]:
    """The level and the title of each heading that stands between the same number of signs."""
    lines = [line.strip() for line in text.splitlines() if line.startswith(sign)]
    found = [(len(line) - len(line.lstrip(sign)), len(line) - len(line.rstrip(sign)), line) for line in lines]
    return [(one, line[one:-one].strip()) for one, other, line in found if one == other < len(line) / 2][:MOST]


def _marked(text: str) -> list[tuple[int, str]]:
    """The level and the title of each heading of Markdown, which has a blank behind its signs."""
    lines = [line for line in text.splitlines() if line.startswith("#")]
    parts = [(len(line) - len(line.lstrip("#")), line.lstrip("#")) for line in lines]
    return [(level, title.strip()) for level, title in parts if title[:1].isspace()]


def code_changed(changed: Sequence[Change]) -> Found | None:
    """Code that is another one afterwards: between marks, or set in."""
    return _marked_code_changed(changed) or _set_in_changed(changed)


def _marked_code_changed(changed: Sequence[Change]) -> Found | None:
    """Code of one line, or a line of a block, that is another one afterwards: blanks at its end do not count."""
    for before, after in changed:
        one, other = ([code.split() for code in _INLINE.findall(text)[:MOST]] for text in (before, after))
        if len(one) == len(other) and one != other:
            return "code in a text becomes another one", (before, after)
        if "```" not in before and "~~~" not in before:
            continue
        blocks = [block[2] for block in islice(_CODE.finditer(before), MOST)]
        kept = {_lines(block[2]) for block in islice(_CODE.finditer(after), MOST)}
        if any(_lines(block) not in kept for block in blocks) and len(kept) == len({*map(_lines, blocks)}):
            return "a line of code becomes another one", (before, after)
    return None


def _set_in_changed(changed: Sequence[Change]) -> Found | None:
    """A line that is set in below a blank one, as code is, and is another one afterwards: `    if x:` as `if x:`."""
    for before, after in changed:
        kept = {line.rstrip() for line in after.split("\n")} if after.strip() and "\n" in before else set[str]()
        if kept and any(line not in kept for line in _set_in(before)):
            return "a line of code becomes another one", (before, after)
    return None


def _set_in(text: str) -> Iterator[str]:
    """The lines that are set in by four blanks or a tab, from a blank line on up to one that is not."""
    blank = code = False
    for line in text.split("\n"):
        if line.strip():
            code = (blank or code) and _SET_IN.match(line) is not None
            if code:
                yield line.rstrip()
        blank = not line.strip()


def _levels(text: str) -> dict[str, list[int]]:
    """The levels of the headings, by what they say."""
    found: dict[str, list[int]] = {}
    for heading in islice(_HEADING.finditer(text), MOST) if "#" in text else ():
        found.setdefault(key(heading[2]), []).append(len(heading[1]))
    for title, line in islice(_UNDERLINED.findall(text), MOST) if "\n==" in text or "\n--" in text else ():
        found.setdefault(key(title), []).append(1 if line[0] == "=" else 2)
    return found


def _lines(block: str) -> tuple[str, ...]:
    return tuple(line.rstrip() for line in block.rstrip().split("\n"))
