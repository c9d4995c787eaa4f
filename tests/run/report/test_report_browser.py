"""The report in a real browser: what is on it cannot run, and its own policy would stop it if it could."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from orchestrator.run.report import render_report
from tests.run.report_steps import hostile, usual
from tests.support.required import skip_without

pytestmark = pytest.mark.browser

BROKEN = """<style>main { width:358px }</style><script>
addEventListener("load", () => {
  const broken = new Set();
  document.querySelectorAll("details").forEach((one) => { one.open = true; });
  for (const cell of document.querySelectorAll(".quality td, .quality th, .sample td, .sample th")) {
    const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      for (const word of node.data.matchAll(/\\w+/g)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map((one) => Math.round(one.top)));
        if (lines.size > 1) broken.add(word[0]);
      }
    }
  }
  document.title = `broken: ${[...broken].join(" ")}.`;
});</script>"""
ATTACK = "<script>document.title = 'it ran'</script><img src=x onerror=\"document.title = 'it ran'\">"


@pytest.fixture(scope="module")
def browser() -> str:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        skip_without("chromium", "no Chromium on this machine; `apt-get install chromium` brings one")
    return found


def dom(browser: str, html: str, folder: Path) -> str:
    """The document as the browser has it after everything has run."""
    page = folder / "page.html"
    page.write_text(html, encoding="utf-8")
    flags = ["--headless", "--disable-gpu", "--virtual-time-budget=2000", f"--user-data-dir={folder / 'profile'}"]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")  # Chromium refuses to start its own sandbox as root
    command = [browser, *flags, "--dump-dom", page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def test_hostile_cells_become_no_elements(browser: str, tmp_path: Path) -> None:
    """The browser's own parser, which is more forgiving than any other, sees no script, image or frame."""
    seen = dom(browser, render_report(hostile()), tmp_path)
    assert "</html>" in seen
    for tag in ("<script", "<img", "<iframe", 'onerror="alert'):
        assert tag not in seen


def test_the_policy_stops_what_escaping_would_have_missed(browser: str, tmp_path: Path) -> None:
    """A script put into the page by force does not run; in the same page without the policy it does."""
    attacked = render_report(usual()).replace("<main>", f"<main>{ATTACK}", 1)
    assert "it ran" not in dom(browser, attacked, tmp_path).split("<title>")[1].split("</title>")[0]
    bare = attacked.replace('http-equiv="Content-Security-Policy"', 'name="nothing"', 1)
    assert "it ran" in dom(browser, bare, tmp_path).split("<title>")[1].split("</title>")[0]


def test_short_words_stay_whole_where_the_table_scrolls(browser: str, tmp_path: Path) -> None:
    """On a telephone names of columns and cells stood in pieces; a word longer than a screen still breaks."""
    bare = render_report(usual()).replace('http-equiv="Content-Security-Policy"', 'name="nothing"', 1)
    long = "w" * 300
    seen = dom(browser, bare.replace("newsletter", long).replace("<main>", f"{BROKEN}<main>", 1), tmp_path)
    assert f"<title>broken: {long}.</title>" in seen
