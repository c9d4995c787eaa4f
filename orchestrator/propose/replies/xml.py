"""Reads the XML protocol, `cleaning_analysis`, as models really write it. Called by `replies`.

Well-formed XML goes through defusedxml, which refuses document types and entities. Most replies are not well-formed:
code with bare `<` and `&`, `(?P<y>`, a closing tag inside a string, a cut tail. Those are walked tag by tag; only known
tags count, everything else is text, and a code field ends at the first closing tag at which it is valid Python.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, ParseError

import defusedxml
import defusedxml.ElementTree

from orchestrator.core.errors import ReplyError
from orchestrator.core.proposals import Issue
from orchestrator.propose.replies import code_extraction
from orchestrator.propose.replies.reply_parts import (
    FunctionParts,
    ReplyParts,
    effects_of,
    examples_of,
    issue_of,
    load_json_or_none,
    names_of,
)

ROOT = "cleaning_analysis"
_CONTAINERS = {
    ROOT, "issues_detected", "function_to_generate", "effects", "examples", "example", "columns", "modifies", "adds",
    "drops", "consolidation_result", "merger",
}  # fmt: skip
_CODE = {"code", "detector"}
_LEAVES = _CODE | {"issue", "name", "docstring", "column", "drops_rows", "input", "output", "chunk_status", "replaces"}
_ALIASES = {
    "analysis": ROOT, "issues": "issues_detected", "function": "function_to_generate", "function_name": "name",
    "candidate": "function_to_generate", "detect": "detector", "source": "code", "source_code": "code",
    "python_code": "code", "python": "code", "implementation": "code", "status": "chunk_status",
}  # fmt: skip
_KNOWN = _CONTAINERS | _LEAVES | set(_ALIASES)
_TAG = re.compile(rf"<(/?)({'|'.join(sorted(_KNOWN, key=len, reverse=True))})(\s[^<>]*)?(/?)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<![\w-])([\w-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_SMART = str.maketrans("\u201c\u201d\u201e\u2018\u2019", '"""\'\'')
_DTD = re.compile(r"<!(?:DOCTYPE|ENTITY)\b", re.IGNORECASE)
_MAX_CLOSINGS = 20
_MAX_TRIED = 500_000  # characters that are tried as code in one answer, to find where each of its fields ends
_MAX_INDENT = 200
_MAX_DEPTH = 12
_MAX_ELEMENTS = 500
_MAX_WORDS = 20_000  # how far the end of a field that is no code may be away


@dataclass(slots=True)
class XmlElement:
    """One known element; `text` is its own text. `escaped` is False when entities are resolved already."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list["XmlElement"] = field(default_factory=list)
    escaped: bool | None = None
    cut: bool = False

    def all(self, tag: str) -> Iterator["XmlElement"]:
        for child in self.children:
            if child.tag == tag:
                yield child
            yield from child.all(tag)

    def plain(self, tag: str) -> str:
        """The text of the first such element, entities resolved."""
        node = next(self.all(tag), None)
        return "" if node is None else node.words()

    def words(self) -> str:
        text, was_cdata = code_extraction.without_cdata(self.text)
        return (text if was_cdata or self.escaped is False else code_extraction.unescape(text)).strip()


@dataclass(slots=True)
class _Trials:
    """How much may still be tried as code: where no field is valid, each is tried with all that stand behind it."""

    left: int = _MAX_TRIED


def looks_like_xml(text: str) -> bool:
    """True when at least one telling tag of the protocol is there."""
    return any(
        _canonical(m.group(2)) in {ROOT, "function_to_generate", "chunk_status", "code"} for m in _TAG.finditer(text)
    )


def read_xml(text: str) -> ReplyParts:
    """What the reply says. Raises ReplyError with a message for the model."""
    _refuse_doctype(text)
    tree = _strict(text) or _walk(text)
    return ReplyParts(
        issues=tuple(i for n, node in enumerate(tree.all("issue"), 1) if (i := _issue(n, node)) is not None),
        functions=tuple(_functions(tree)),
        status=next((node.words() for node in reversed(list(tree.all("chunk_status"))) if node.words()), ""),
    )


def read_mergers(text: str) -> list[tuple[tuple[str, ...], tuple[FunctionParts, ...]]]:
    """For each merger of a consolidation the names that it replaces and its functions. Raises ReplyError."""
    _refuse_doctype(text)
    mergers = _walk(text).all("merger")
    return [(_names(next(one.all("replaces"), XmlElement("replaces"))), tuple(_functions(one))) for one in mergers]


def _refuse_doctype(text: str) -> None:
    first = _TAG.search(text)
    if first and _DTD.search(text, 0, first.start()):
        raise ReplyError("The XML declares a document type or entities; leave both out.")


def _canonical(tag: str) -> str:
    tag = tag.lower()
    return _ALIASES.get(tag, tag)


def _strict(text: str) -> XmlElement | None:
    """The tree of well-formed XML; None where it is not, or where markup inside a field would be lost."""
    start, end = text.find(f"<{ROOT}"), text.rfind(f"</{ROOT}>")
    if start < 0 or end < start:
        return None
    try:
        return _node(defusedxml.ElementTree.fromstring(text[start : end + len(ROOT) + 3], forbid_dtd=True))
    except defusedxml.DefusedXmlException:
        raise ReplyError("The XML declares a document type or entities; leave both out.") from None
    except (ParseError, ValueError, RecursionError):
        return None


def _node(element: Element) -> XmlElement | None:
    tag = _canonical(str(element.tag))
    children = [_node(child) for child in element]
    if tag not in _CONTAINERS | _LEAVES or None in children or (tag in _LEAVES and children):
        return None
    text = (element.text or "") + "".join(child.tail or "" for child in element)
    return XmlElement(tag, dict(element.attrib), text, [c for c in children if c is not None], escaped=False)


def _walk(text: str) -> XmlElement:
    top = XmlElement("")
    stack = [top]
    position = elements = 0
    trials = _Trials()
    while (match := _TAG.search(text, position)) is not None:
        stack[-1].text += text[position : match.start()]
        position = match.end()
        closing, tag = bool(match.group(1)), _canonical(match.group(2))
        if closing:
            depth = next((i for i in range(len(stack) - 1, 0, -1) if stack[i].tag == tag), None)
            if depth is not None:
                del stack[depth:]
            continue
        node = XmlElement(tag, _attributes(match.group(3) or ""))
        elements += 1
        if elements > _MAX_ELEMENTS or len(stack) > _MAX_DEPTH:
            raise ReplyError("The XML has too many or too deeply nested elements.")
        stack[-1].children.append(node)
        if match.group(4):
            continue
        if tag in _CONTAINERS:
            stack.append(node)
        else:
            node.text, position, node.cut = _leaf(text, position, tag, trials)
    stack[-1].text += text[position:]
    return top


def _attributes(text: str) -> dict[str, str]:
    found = _ATTRIBUTE.findall(text.translate(_SMART))
    return {name.lower(): code_extraction.unescape(a or b or c) for name, a, b, c in found}


def _leaf(text: str, start: int, tag: str, trials: _Trials) -> tuple[str, int, bool]:
    """The field's text, where to go on, and whether its end is missing."""
    is_code = tag in _CODE
    closings: list[re.Match[str]] = []
    boundary = None  # where the field must end if it has no end of its own
    for match in _TAG.finditer(text, start, len(text) if is_code else start + _MAX_WORDS):
        name = _canonical(match.group(2))
        if match.group(1) and name == tag:
            closings.append(match)
            if not is_code or len(closings) == _MAX_CLOSINGS:
                break
        elif closings:
            continue
        elif (name == tag and not is_code) or ((name in _CONTAINERS or is_code) and _starts_line(text, match)):
            boundary = boundary or match
            break
        elif name in _CONTAINERS and not is_code:
            boundary = boundary or match
    if closings:
        chosen = _code_closing(text, start, closings, trials) if is_code else closings[0]
        return text[start : chosen.start()], chosen.end(), False
    end = boundary.start() if boundary else len(text)
    return text[start:end], end, boundary is None


def _starts_line(text: str, match: re.Match[str]) -> bool:
    """A tag that stands first on its line is structure, not a word in a string."""
    before = text[max(0, match.start() - _MAX_INDENT) : match.start()]
    return "\n" in before and not before[before.rfind("\n") :].strip()


def _code_closing(text: str, start: int, closings: list[re.Match[str]], trials: _Trials) -> re.Match[str]:
    cdata = text[start:].lstrip()[:9].upper() == "<![CDATA["
    fallback = None
    for match in closings:
        body = text[start : match.start()]
        if cdata and not body.rstrip().endswith("]]>"):
            continue
        after = text[match.end() : match.end() + 200].lstrip()
        if after and not after.startswith(("<", "```", "]]>")):
            continue
        fallback = fallback or match
        trials.left -= len(body)
        if trials.left < 0:
            break
        if isinstance(code_extraction.parse(code_extraction.read_code(body)), ast.Module):
            return match
    return fallback or closings[0]


def _issue(number: int, node: XmlElement) -> Issue | None:
    return issue_of(number, {**node.attributes, "description": node.words() or node.attributes.get("description", "")})


def _functions(tree: XmlElement) -> Iterator[FunctionParts]:
    blocks = [b for b in tree.all("function_to_generate") if any(True for _ in b.all("code"))]
    for block in blocks or ([tree] if any(True for _ in tree.all("code")) else []):
        codes = list(block.all("code"))
        if any(code.cut for code in codes):
            raise ReplyError("The answer ends inside <code>: it was cut off. Answer again, shorter.")
        columns = next((_names(node) for node in block.all("columns")), ())
        detector = next(block.all("detector"), XmlElement("detector"))
        whole = FunctionParts(
            code="",
            name=block.plain("name"),
            docstring=block.plain("docstring"),
            detector=code_extraction.read_code(detector.text, escaped=detector.escaped),
            effects=effects_of(_effects(block), columns),
            examples=_examples(block),
        )
        for code in codes:
            yield whole._replace(code=code_extraction.read_code(code.text, escaped=code.escaped))


def _effects(block: XmlElement) -> object:
    node = next(block.all("effects"), None)
    if node is None:
        return None
    if not node.children:
        return node.words()
    return {child.tag: child.words() if child.tag == "drops_rows" else _names(child) for child in node.children}


def _names(node: XmlElement) -> tuple[str, ...]:
    return tuple(column.words() for column in node.all("column")) or names_of(node.words())


def _examples(block: XmlElement) -> tuple[dict[str, object], ...]:
    node = next(block.all("examples"), None)
    if node is None:
        return ()
    pairs = list(node.all("example"))
    if not pairs:
        return examples_of(node.words())
    found: list[object] = []
    for pair in pairs:
        if pair.children:
            found.append({child.tag: load_json_or_none(child.words()) for child in pair.children})
        else:
            found.append(load_json_or_none(pair.words()))
    return examples_of(found)
