"""The pages in a real browser: from a login to a decision, with the keyboard, and with cells that try everything."""

import os
import shutil
import socket
import threading
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from orchestrator.core.candidate import Candidate
from orchestrator.core.promoted import Evidence
from orchestrator.core.steps.step_base import Step
from orchestrator.core.verdict import (
    CandidateInfo,
    CheckResult,
    Concern,
    Counterexample,
    DistinctChange,
    Outcome,
    Verdict,
)
from orchestrator.gate.candidate_file import read
from orchestrator.registry.queue.service_job import JobKind, NewJob
from orchestrator.registry.queue.token_store import TokenScope, TokenStore
from orchestrator.registry.store import SqlRegistry
from orchestrator.service.app import make_app
from orchestrator.service.service_settings import ServiceSettings
from tests.service.conftest import CSV, SOURCE, ThreadWorker
from tests.support.hostile_strings import HOSTILE
from tests.support.required import skip_without

pytestmark = pytest.mark.browser
PAGES = ("/", "/new", "/review", "/functions")


class Site:
    """A service that listens, and a browser's page which notes what its policy had to refuse."""

    def __init__(self, app: Any, address: str, page: Page, token: str) -> None:
        self.app, self.address, self.page, self.token = app, address, page, token
        self.refused: list[str] = []
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.refused.append(str(error)))

    def _said(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.refused.append(said.text)

    def go(self, path: str) -> Page:
        self.page.goto(self.address + path)
        return self.page

    def log_in(self) -> None:
        """By the keyboard alone: the field has the focus."""
        self.go("/login").wait_for_function("document.activeElement.name === 'token'")
        self.page.keyboard.type(self.token)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(self.address + "/")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        skip_without("chromium", "no Chromium on this machine; `apt-get install chromium` brings one")
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium refuses to start its own sandbox as root
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=flags)
        yield started
        started.close()


@pytest.fixture
def site(browser: Browser, tmp_path: Path) -> Iterator[Site]:
    settings = ServiceSettings(str(tmp_path / "registry.db"), tmp_path / "state")

    def decide(candidate: Candidate, sample: object) -> Outcome:
        return Outcome.FAIL if "wrong" in candidate.name else Outcome.PASS

    app = make_app(settings, lambda jobs: ThreadWorker(jobs, settings, decide))
    with TokenStore(f"sqlite:///{settings.registry}") as store:
        _, token = store.create("ann", set(TokenScope), 1)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        context = browser.new_context()
        context.set_default_timeout(60_000)
        yield Site(app, f"http://localhost:{listening.getsockname()[1]}", context.new_page(), token)
        context.close()
        server.should_exit = True
        app.state.feed.close()
        thread.join()


def all_below(kind: type[Step]) -> list[type[Step]]:
    """Those that a run can take, not those of other tests."""
    return [
        found
        for one in kind.__subclasses__()
        for found in (one, *all_below(one))
        if one.__module__.startswith("orchestrator.")
    ]


def hostile_verdict(source: str, outcome: Outcome) -> Verdict:
    """Everything that a page shows, full of what would do harm if it were more than text."""
    candidate = read(source)
    row = {f"{name}{number}": name for number, name in enumerate(HOSTILE)}
    example = Counterexample(input=(row,), output=(dict.fromkeys(row, HOSTILE[7]),), wanted=HOSTILE[7])
    concern = Concern(
        kind="figures-vanish", check="keeps-information", detail=" ".join(HOSTILE), settles=HOSTILE[7],
        columns=HOSTILE, counterexample=example, rows=7,
    )  # fmt: skip
    held = outcome is Outcome.HOLD
    checks = (
        CheckResult(id="screen", outcome=Outcome.PASS),
        CheckResult(id="keeps-information", outcome=outcome, detail=" ".join(HOSTILE), counterexample=example),
        CheckResult(id="composes", outcome=Outcome.SKIP, detail=HOSTILE[7]),
    )
    return Verdict(
        candidate=CandidateInfo.of(candidate), verdict=outcome, checks=checks, samples=(example,),
        weakened=(HOSTILE[7],), concerns=(concern,) if held else (), rows_changed=1,
        changes=(DistinctChange(column=HOSTILE[7], rows=2, first=example),) if held else (),
    )  # fmt: skip


def hostile_source(name: str) -> str:
    """A function that says hostile things wherever it can say something."""
    said = " ".join(HOSTILE[7:11]).replace("\\", "").replace('"', "'")
    return f'"""{said}"""\ndef {name}(df):\n    """{said}"""\n    return df  # {said}\n'


def fill(site: Site) -> str:
    """A held function, a promoted one, and a job with a verdict; the address of that job."""
    registry = f"sqlite:///{site.app.state.settings.registry}"
    with SqlRegistry(registry) as store:
        for name, outcome in (("held_one", Outcome.HOLD), ("promoted_one", Outcome.PASS)):
            source = hostile_source(name)
            verdict = hostile_verdict(source, outcome)
            evidence = Evidence(verdict=verdict, policy_sha256="", proposer=HOSTILE[7])
            (store.hold if outcome is Outcome.HOLD else store.promote)(read(source), evidence)
    jobs = site.app.state.jobs
    [token] = site.app.state.tokens.tokens()
    request = {"folder": "0" * 32, "named": HOSTILE[7], "promote": True}
    jobs.add(NewJob(JobKind.VERIFY, token.id, request, ""))
    job = jobs.claim("test")
    source = hostile_source("judged")
    jobs.finish(job, {"verdict": hostile_verdict(source, Outcome.FAIL).model_dump(mode="json"), "source": source})
    return f"/jobs/{job.id}"


def fill_results(site: Site) -> list[str]:
    """An apply, a run and a failed job whose every text is hostile; the addresses of the three."""
    jobs, said = site.app.state.jobs, " ".join(HOSTILE)
    [token] = site.app.state.tokens.tokens()
    values = [{"before": name, "after": None, "count": 2} for name in HOSTILE[:4]]
    columns = [{"name": name, "changed": 3, "values": values} for name in HOSTILE]
    applied = {"rows_in": 9, "rows_out": 9, "quarantined": 0, "columns": columns}
    left = [{"column": name, "form": name, "rows": 1, "holdout": 1} for name in HOSTILE[:9]]
    ran = {
        "rows": 9, "promoted": [], "rejected": 0, "changed": dict.fromkeys(HOSTILE, 2), "status": HOSTILE[7],
        "reason": said, "notes": [said], "held": [{"name": HOSTILE[7], "concerns": [{"detail": said}]}], "left": left,
    }  # fmt: skip
    results = [
        (JobKind.APPLY, {"apply": applied, "notes": [said], "files": HOSTILE[7:9]}),
        (JobKind.RUN, {"run": ran, "files": []}),
        (JobKind.APPLY, None),
    ]
    made = []
    for kind, result in results:
        jobs.add(NewJob(kind, token.id, {"folder": "0" * 32, "named": HOSTILE[7]}, ""))
        job = jobs.claim("test")
        assert jobs.fail(job, said, said) if result is None else jobs.finish(job, result)
        made.append(f"/jobs/{job.id}")
    return made


def test_hostile_text_stays_text_on_every_page(site: Site) -> None:
    """No element comes of it, nothing runs, and the policy has nothing to refuse."""
    job = fill(site)
    site.log_in()
    for path in (*PAGES, job, *fill_results(site), "/nowhere<script>alert(1)</script>"):
        page = site.go(path)
        assert page.locator("script:not([src]), style, iframe, img, object, [onerror], [style]").count() == 0, path
        assert page.locator("a[href^='javascript'], a[href^='http'], base, meta[http-equiv]").count() == 0, path
    assert [said for said in site.refused if "404" not in said] == []


def test_what_the_policy_refuses_is_noticed(site: Site) -> None:
    """The negative control: an inline script and an inline style, put into the page by force, are refused and told."""
    site.log_in()
    site.page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'it ran'";
        document.body.append(script);
        document.body.insertAdjacentHTML("beforeend", "<p style='color:red'>x</p>");
    }""")
    assert site.page.title() != "it ran"
    assert sum("Content Security Policy" in said for said in site.refused) == 2


def test_a_person_uploads_follows_and_reads_a_verdict(site: Site) -> None:
    """The page of the job shows each check as it comes, and the verdict when it is over, without being asked again."""
    site.log_in()
    page = site.go("/new")
    page.set_input_files("#function", {"name": "f.py", "mimeType": "text/x-python", "buffer": SOURCE.encode()})
    page.set_input_files("#verify-data", {"name": "a.csv", "mimeType": "text/csv", "buffer": CSV.encode()})
    page.get_by_role("button", name="Verify").press("Enter")
    page.wait_for_selector("#now")
    assert "queue" in page.inner_text("#now")
    site.app.state.worker.work()
    page.wait_for_selector(".badge.pass")
    assert "idempotent" in page.inner_text(".matrix")
    assert "def trim" in page.inner_text(".code")
    assert site.refused == []


def test_the_page_of_a_run_says_how_it_stands_in_words(site: Site) -> None:
    """It said "queued" to the end, and "Last step: CandidateStep". Each kind of step has its sentence."""
    script = (files("orchestrator.service") / "static" / "live.js").read_text()
    assert [kind.__name__ for kind in all_below(Step) if f"  {kind.__name__}: " not in script] == []
    jobs = site.app.state.jobs
    [token] = site.app.state.tokens.tokens()
    jobs.add(NewJob(JobKind.RUN, token.id, {"folder": "0" * 32, "named": "a.csv"}, ""))
    site.log_in()
    page = site.go("/")
    page.click("text=Run")
    page.wait_for_selector("#now")
    assert page.inner_text("h1 .pill") == "queued"
    job = jobs.claim("test")
    page.wait_for_selector("h1 .pill.busy")
    assert page.inner_text("h1 .pill") == "running"
    jobs.tell(job, [("step", {"kind": "CandidateStep"})])
    page.wait_for_selector("text=A function was proposed.")
    jobs.fail(job, "It ends.", "")
    assert site.refused == []


def test_what_happened_stands_in_the_order_in_which_it_did(site: Site) -> None:
    """The newest first, of whichever function it was."""
    with SqlRegistry(f"sqlite:///{site.app.state.settings.registry}") as store:
        for name in ("first", "second"):
            source = hostile_source(name)
            evidence = Evidence(verdict=hostile_verdict(source, Outcome.PASS), policy_sha256="", proposer="")
            store.promote(read(source), evidence)
        store.suspend("first", reason="odd")
    site.log_in()
    rows = site.go("/functions").locator(".list tbody tr").all_inner_texts()
    assert [row.split()[0] for row in rows] == ["first", "second", "first"]


def test_a_person_approves_and_rejects(site: Site) -> None:
    """What is approved is in use, with who said so; a rejection needs its reason. The keyboard reaches both."""
    fill(site)
    site.log_in()
    page = site.go("/review")
    page.get_by_label("Why it is right").focus()
    page.keyboard.type("units are known")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Nothing waits for you.")
    page = site.go("/functions")
    assert "held_one" in page.inner_text("main")
    assert "units are known (ann, through the service)" in page.inner_text(".list")
    with SqlRegistry(f"sqlite:///{site.app.state.settings.registry}") as store:
        assert {function.name for function in store.functions()} == {"held_one", "promoted_one"}


def test_a_code_logs_in_once(site: Site) -> None:
    """The address that the command prints opens the page; used again it is no use, and no server has seen the code."""
    code = site.app.state.sessions.one_time_code()
    site.go(f"/login#{code}")
    site.page.wait_for_url(site.address + "/")
    assert site.page.get_by_role("button", name="Log out").count() == 1
    site.page.context.clear_cookies()
    site.go(f"/login#{code}")
    site.page.wait_for_selector("[role=alert]")


def led_from_elsewhere(site: Site, address: str) -> str:
    """Open a page of another site that leads the browser to the address; what the service's answer has as its title."""
    elsewhere = "http://elsewhere.test/"
    site.page.route(elsewhere, lambda route: route.fulfill(content_type="text/html", body=f"""
        <script>location = "{address}"</script>"""))  # fmt: skip
    with site.page.expect_response(lambda answer: answer.request.method == "POST"):
        site.page.goto(elsewhere)
    site.page.wait_for_load_state("load")
    return site.page.inner_text("h1")


def who(site: Site) -> str:
    """Whose session the browser has."""
    return site.go("/").inner_text(".who span")


def test_no_address_makes_a_browser_somebody_elses(site: Site) -> None:
    """A link or any web page logged a person in with a stranger's token, who then read what that person uploaded."""
    _, strangers = site.app.state.tokens.create("mallory", {TokenScope.READ, TokenScope.VERIFY}, 1)
    address = f"{site.address}/login#"
    assert led_from_elsewhere(site, address + strangers) == "Log in", "nobody is logged in, and nobody is after it"
    assert "The code in the address is not known" in site.page.inner_text("[role=alert]")
    site.log_in()
    assert led_from_elsewhere(site, address + strangers) == "That did not work"
    assert who(site) == "ann"
    code = site.app.state.sessions.one_time_code()
    assert led_from_elsewhere(site, address + code) == "That did not work", "nor does a code that is good"
    assert who(site) == "ann"
    site.page.get_by_role("button", name="Log out").click()
    site.page.wait_for_url(address[:-1])
    led_from_elsewhere(site, address + code)
    assert who(site) == "operator", "the control: the code was good, and addresses with one are followed"
    site.token = strangers
    site.log_in()
    assert who(site) == "mallory", "the control: so was the token, where a person types it"


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1200, "light")])
def test_pages_fit_their_window(site: Site, width: int, scheme: Any) -> None:
    """Nothing sticks out at the width of a phone; wide tables scroll in their own box."""
    job = fill(site)
    site.log_in()
    site.page.set_viewport_size({"width": width, "height": 800})
    site.page.emulate_media(color_scheme=scheme)
    shots = os.environ.get("CLEANROOM_TEST_SCREENSHOTS")
    for path in (*PAGES, job, *fill_results(site), "/login"):
        site.go(path)
        site.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        if shots:
            name = path.strip("/").split("/")[0] or "list"
            site.page.screenshot(path=f"{shots}/{name}-{width}-{scheme}.png", full_page=True)
        assert site.page.evaluate("document.documentElement.scrollWidth") <= width, path
