"""A web page as a simple reader understands it. Called by `document_reader`, before a page becomes Markdown.

HTML allows `<td>`, `<tr>`, `<li>` and others without their ends. The converter's parser puts each of them into the one
before it, so that cells run together. And `|` in a cell would end it in Markdown.
"""

import re
from html.parser import HTMLParser
from itertools import islice
from typing import Any

_CELLS = ("td", "th")
_GROUPS = ("thead", "tbody", "tfoot")
_CLOSES: dict[str, tuple[str, ...]] = {  # what an element ends that is open around it
    **dict.fromkeys(_CELLS, _CELLS),
    "tr": ("tr", *_CELLS),
    **dict.fromkeys(_GROUPS, ("tr", *_CELLS, *_GROUPS)),
    "li": ("li",),
    **dict.fromkeys(("dt", "dd"), ("dt", "dd")),
}
_AROUND = ("table", "ul", "ol", "menu", "dl")
_DEEPEST = 200  # elements that an end may end; more would take time
_BAR = re.compile(r"(?<!\\)\|")
_BARS = ("124", "x7c", "vert", "verbar", "VerticalLine")


def simple_page(page: str) -> str:
    """The page with the ends of its cells, rows and items written out, and `|` in cells escaped."""
    parser = _Additions(page)
    parser.feed(page)
    parser.close()
    parts, done = [], 0
    for place, text in parser.found:
        parts += [page[done:place], text]
        done = place
    return "".join([*parts, page[done:]])


class _Additions(HTMLParser):
    """What is to be written in addition, with its place in the page. `open`: the elements that matter, from outside."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[tuple[int, str]] = []
        self._lines = [0, *(end.end() for end in re.finditer("\n", page))]
        self._open: list[str] = []
        self._cells = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.handle_startendtag(tag, attrs)
        if tag in _CLOSES or tag in _AROUND:
            self._open.append(tag)
            self._cells += tag in _CELLS

    def handle_startendtag(self, tag: str, attrs: Any) -> None:  # noqa: ARG002 - HTMLParser gives them
        while self._open and self._open[-1] in _CLOSES.get(tag, ()):
            self._end()

    def handle_endtag(self, tag: str) -> None:
        if tag not in _CLOSES and tag not in _AROUND:
            return
        for depth, name in enumerate(islice(reversed(self._open), _DEEPEST)):
            if name == tag:
                for _ in range(depth):
                    self._end()
                self._cells -= self._open.pop() in _CELLS
                return
            if name in _AROUND and tag in _CLOSES:
                return

    def handle_data(self, data: str) -> None:
        if self._cells:
            place = self._place()
            self.found += [(place + bar.start(), "\\") for bar in _BAR.finditer(data)]

    def handle_charref(self, name: str) -> None:
        self.handle_entityref(name.lower().replace("x0", "x").lstrip("0"))

    def handle_entityref(self, name: str) -> None:
        if self._cells and name in _BARS:
            self.found.append((self._place(), "\\"))

    def _end(self) -> None:
        """What is open innermost ends here."""
        name = self._open.pop()
        self._cells -= name in _CELLS
        self.found.append((self._place(), f"</{name}>"))

    def _place(self) -> int:
        line, offset = self.getpos()
        return self._lines[line - 1] + offset
