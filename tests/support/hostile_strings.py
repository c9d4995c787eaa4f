"""Texts that steer terminals, give orders to CI systems, leave their XML, HTML or Markdown, or pass for others.

And for each medium, what must hold of an output in which they stand. Used by the tests of every output.
"""

import json
import re
from html.parser import HTMLParser

from defusedxml import ElementTree

HOSTILE = (
    "\x1b[31mred\x1b]0;title\x07",
    "\x9b2J\x84",
    "::add-mask::secret",
    "x\n::stop-commands::t",
    "##[error]boom",
    "%0A::error file=a::b",
    "]]></failure><testcase name='x'/>",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "&lt;b&gt; &#x1b;",
    "[all good](https://example.org) ![x](https://example.org/p.png)",
    "[bold red]markup[/] [link=file:///etc/passwd]x[/link]",
    "{{ 7 * 7 }} {% raw %}",
    "line\r\nok: 28 passed",
    "\u202egpj.exe",
    "zero\u200bwidth",
    "\u0441ity",
    "fill\u3164er",
    "=1+1",
    "\ufeffbom\ufffe\uffff",
    "tag\U000e0041",
    "e\u0301" + "\u0301" * 40,
    "quote\"'\\",
)
_ORDER = re.compile(r"^\s*::\s*[A-Za-z]|##\[", re.MULTILINE)
_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u3164\ufeff\U000e0000-\U000e007f]")


def check_terminal(text: str) -> None:
    """Lines of visible text, no order to a CI system, no letter that passes for another."""
    assert not [c for c in text if not c.isprintable() and c != "\n"], ascii(text)
    assert not _ORDER.search(text), text
    assert not _UNSEEN.search(text), ascii(text)
    assert "\u0441ity" not in text


def check_json_lines(text: str) -> list[object]:
    """One JSON value to a line, of visible characters; the values."""
    check_terminal(text)
    return [json.loads(line) for line in text.splitlines()]


def check_junit(data: bytes) -> None:
    """XML that parses, in whose texts nothing is hidden, and whose elements are those of JUnit."""
    root = ElementTree.fromstring(data)
    known = {"testsuites", "testsuite", "testcase", "failure", "error", "skipped", "properties", "property"}
    assert {element.tag for element in root.iter()} <= known
    for element in root.iter():
        for text in (element.text or "", *element.attrib.values()):
            check_terminal(text.replace("\t", " "))


def check_sarif(text: str) -> None:
    """JSON whose messages hold no link, image or markup that a viewer would make of them."""
    (run,) = json.loads(text)["runs"]
    for result in run["results"]:
        said = result["message"]["text"]
        check_terminal(said)
        assert not re.search(r"(?<!\\)(\\\\)*\]\(|<[a-z!/]", said), said


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.handlers += [f"{tag} {name}" for name, _ in attrs if name.startswith("on") or name == "src"]
        self.handlers += [
            f"{tag} {value}" for name, value in attrs if name == "href" and not (value or "").startswith("#")
        ]


def check_html(text: str) -> None:
    """No script, no image, no link out, nothing that cannot be seen."""
    tags = _Tags()
    tags.feed(text)
    assert not tags.seen & {"script", "img", "iframe", "object", "form", "base", "link"}
    assert tags.handlers == []
    assert not [c for c in text if not c.isprintable() and c not in "\n\t"]
    assert not _UNSEEN.search(text)
