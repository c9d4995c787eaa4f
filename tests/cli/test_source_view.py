"""The source of a function in the terminal and in pages: what is shown is what Python runs, all of it."""

import pytest
from rich.console import Console

from orchestrator.cli import console
from orchestrator.cli.views.source_view import show_source
from orchestrator.data.source_lines import source_lines
from orchestrator.run.report.highlight import highlight

FAR = f"def f(df):\n    df['a'] = 1;{' ' * 300}df['a'] = EVIL\n"


def _printed(source: str, monkeypatch: pytest.MonkeyPatch, *, terminal: bool) -> str:
    screen = Console(width=60, force_terminal=terminal, color_system=None, soft_wrap=not terminal)
    monkeypatch.setattr(console, "stdout", lambda: screen)
    with screen.capture() as shown:
        show_source(source)
    return shown.get()


@pytest.mark.parametrize("terminal", [True, False])
def test_code_beyond_the_width_of_the_terminal_is_shown(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal below its line, which has the number; in a file in its line."""
    lines = [line.rstrip() for line in _printed(FAR, monkeypatch, terminal=terminal).splitlines()]
    assert any("EVIL" in line for line in lines)
    if terminal:
        assert max(map(len, lines)) <= 60
        assert [line.split()[0] for line in lines] == ["1", "2", "df['a']"]
    else:
        assert lines == FAR.splitlines()


@pytest.mark.parametrize("no_end", ["\f", "\v", "\x1c", "\x85", "\u2028", "\u2029"])
def test_what_python_takes_for_a_part_of_a_comment_is_shown_in_it(no_end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`str.splitlines` ends a line there: a return that never runs would be shown as code."""
    source = f"def f(df):\n    # note{no_end}    return df\n    return df[:0]\n"
    compile(source, "f", "exec")
    lines = _printed(source, monkeypatch, terminal=False).splitlines()
    assert len(lines) == 3
    assert lines[1].startswith("    # note\\")
    assert "return df" in lines[1]


def test_code_behind_a_lone_carriage_return_is_no_comment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python ends the line there: the code that follows runs, and is shown as code."""
    source = "def f():\n    # note\r    return 'ran'\n    return ''\n"
    space: dict[str, object] = {}
    exec(source, space)  # noqa: S102 - the control: it does run
    assert space["f"]() == "ran"  # type: ignore[operator] # the function above
    assert _printed(source, monkeypatch, terminal=False).splitlines()[1:3] == ["    # note", "    return 'ran'"]
    comment, code = highlight(source).split("\n")[1:3]
    assert '<span class="c"># note' in comment
    assert '<span class="k">return</span>' in code


def test_blanks_that_are_none_are_told_from_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    """`replace("\xa0", "")` does not look as if it took every blank away."""
    assert _printed('x = s.replace("\xa0", "")', monkeypatch, terminal=False) == 'x = s.replace("\\xa0", "")\n'


def test_lines_are_those_of_python() -> None:
    """As many as the parser counts, with and without an end of the last one."""
    assert source_lines("a\r\nb\rc\n\nd\x0ce\n") == ["a", "b", "c", "", "d\x0ce"]
    assert source_lines("a") == ["a"]
