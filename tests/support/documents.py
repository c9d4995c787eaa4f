"""What can be wrong in a document: files, links, commands, options and names that are not there. For test_repository.

Each function takes a text and answers with the problems in it, so that a test can hand in a wrong text as well.
"""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import typer.main

from orchestrator.cli.main import app

ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = r"(?:orchestrator|sandbox_image|tests|docs|examples|benchmarks|prompts|requirements|\.ci)"
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`\n]+)`")
_FOREIGN = frozenset({"--help", "--include", "--variant", "--oci-seccomp"})  # of every program, or of another one


def documents() -> list[Path]:
    """Everything that a reader of the project is shown."""
    return [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]


def missing_files(text: str) -> list[str]:
    """Paths below the project's folders that are not there; `*` and `<name>` stand for anything, `{a,b}` for each."""
    found = []
    for span in _SPAN.findall(text):
        if re.fullmatch(rf"{_FOLDERS}/[\w./*<>{{}},-]*", span):
            patterns = _alternatives(re.sub(r"<[^>]*>", "*", span))
            found += [span for pattern in patterns if not _exists(pattern)]
        elif re.fullmatch(r"(?:orchestrator|benchmarks)(?:\.[a-z_]+)+", span) and not _is_module(span):
            found.append(span)
    return found


def dead_links(text: str, folder: Path) -> list[str]:
    """Relative links to files or headings that are not there."""
    found = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith(("http:", "https:")):
            continue
        name, _, anchor = link.partition("#")
        target = folder / name
        if not target.exists() or (anchor and anchor not in _anchors(target.read_text(encoding="utf-8"))):
            found.append(link)
    return found


def wrong_commands(text: str) -> list[str]:
    """Commands of `cleanroom` that do not exist, or have not the options with which they are shown."""
    found = []
    for line in _command_lines(text):
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            words = line.split()
        found += [f"{line.strip()}: {problem}" for problem in _problems(words[1:])]
    return found


def unknown_options(text: str) -> list[str]:
    """Options in running text that no command has, nor any program in benchmarks/."""
    prose = _BLOCK.sub("", text)
    named = {option for span in _SPAN.findall(prose) for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", span)}
    return sorted(named - _all_options() - _FOREIGN)


def misplaced_names(text: str) -> list[str]:
    """In rows `files | names | …` of a table: names that none of the files in the row defines."""
    found = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        files = _SPAN.findall(cells[0])
        if len(cells) != 3 or not files or not all(file.endswith(".py") for file in files):
            continue
        sources = [(ROOT / file).read_text(encoding="utf-8") for file in files if (ROOT / file).is_file()]
        found += [
            f"{name} in {cells[0]}"
            for name in _SPAN.findall(cells[1])
            if not any(re.search(rf"^\s*(?:def|class) {name}\b", source, re.MULTILINE) for source in sources)
        ]
    return found


def _command_lines(text: str) -> Iterator[str]:
    """`cleanroom …` in blocks, at the start of a line or after a prompt, `&&` or variables; and in running text."""
    start = r"^(?:\s*\$ |\s*==> |.*&& |(?:[A-Z_]+=\S+ )+|\s*)(cleanroom [a-z-].*)$"
    for kind, block in _BLOCK.findall(text):
        if kind not in ("python", "json", "yaml"):
            for line in block.splitlines():
                yield from (re.split(r" [|&]|;|\s#", found)[0] for found in re.findall(start, line))
    for span in _SPAN.findall(_BLOCK.sub("", text)):
        if span.startswith("cleanroom "):
            yield re.split(r" [|&]|;", span)[0]


def _problems(words: list[str]) -> Iterator[str]:
    command: Any = typer.main.get_command(app)
    while hasattr(command, "commands"):
        name = words.pop(0) if words else ""
        if name.startswith("-") or not name:
            break
        if name not in command.commands:
            yield f"there is no command {name}"
            return
        command = command.commands[name]
    known = {option for parameter in command.params for option in parameter.opts} | {"--help", "-h", "--version"}
    yield from (f"there is no option {word}" for word in words if re.match(r"--?[a-z]", word) and word not in known)


@cache
def _all_options() -> frozenset[str]:
    def of(command: Any) -> Iterator[str]:
        for parameter in command.params:
            yield from parameter.opts
        for inner in getattr(command, "commands", {}).values():
            yield from of(inner)

    measured = " ".join(file.read_text(encoding="utf-8") for file in (ROOT / "benchmarks").rglob("*.py"))
    return frozenset([*of(typer.main.get_command(app)), *re.findall(r'"(--[a-z-]+)"', measured)])


def _alternatives(pattern: str) -> list[str]:
    braces = re.search(r"\{([^}]*)\}", pattern)
    if braces is None:
        return [pattern]
    before, after = pattern[: braces.start()], pattern[braces.end() :]
    return [made for choice in braces[1].split(",") for made in _alternatives(before + choice + after)]


def _exists(pattern: str) -> bool:
    return (ROOT / pattern).exists() if "*" not in pattern else any(ROOT.glob(pattern.rstrip("/")))


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _anchors(text: str) -> set[str]:
    """The anchors of the headings, as code-hosting sites make them."""
    headings = re.findall(r"^#+ (.+)$", _BLOCK.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
