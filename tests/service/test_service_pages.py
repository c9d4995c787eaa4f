"""The pages without a browser: sessions, forms from other sites, problems as pages."""

import re
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.promoted import Evidence
from orchestrator.core.verdict import CandidateInfo, CheckResult, Concern, Outcome, SettledConcerns, Verdict
from orchestrator.gate.candidate_file import read
from orchestrator.registry.queue.service_job import JobKind, NewJob
from orchestrator.registry.queue.token_store import TokenScope, TokenStore
from orchestrator.registry.signing.identity import Identity
from orchestrator.service.authorization import COOKIE
from tests.service.conftest import CSV, SOURCE, Make, Service

HTML = {"Accept": "text/html"}
ORIGIN = {"Origin": "http://localhost"}


def log_in(service: Service, *scopes: TokenScope) -> Any:
    secret = service.token(*(scopes or tuple(TokenScope)))
    return service.client.post("/login", data={"token": secret}, headers=ORIGIN)


def test_a_session_is_a_cookie_that_scripts_and_other_sites_do_not_get(service: Service) -> None:
    """It is no token, and ends when somebody logs out."""
    answer = log_in(service)
    cookie = answer.headers["set-cookie"]
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert re.search("HttpOnly", cookie)
    assert re.search("SameSite=strict", cookie)
    assert service.token(*TokenScope) not in cookie
    assert service.client.get("/", headers=HTML).status_code == 200
    session = service.client.cookies[COOKIE]
    assert service.client.post("/logout", headers=ORIGIN).status_code == 303
    again = service.client.get("/", headers=HTML | {"Cookie": f"{COOKIE}={session}"})
    assert (again.status_code, again.headers["location"]) == (303, "/login")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_a_login_lasts_under_every_name_of_this_machine(service: Service, host: str) -> None:
    """A browser keeps no `Secure` cookie that comes without TLS, and so nobody was ever logged in at `[::1]`."""
    at = {"Host": f"{host}:8440", "Origin": f"http://{host}:8440"}
    sent = {"token": service.token(*TokenScope)}
    answer = service.client.post(f"http://{host}:8440/login", data=sent, headers=at)
    assert (answer.status_code, "Secure" in answer.headers["set-cookie"]) == (303, False)


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "http://127.0.0.1:1"), ("::1", "http://[::1]:1"), ("fd00::2", "http://[fd00::2]:1")],
)
def test_a_service_is_reached_where_it_says_that_it_is(make: Make, host: str, address: str) -> None:
    """At the very address that it listens on: `localhost` may be another user's program at `::1`."""
    service = make(host=host)
    assert service.settings.address(1) == address
    assert service.client.get("/healthz", headers={"Host": address.removeprefix("http://")}).status_code == 200


def test_a_login_ends_the_session_that_the_browser_had(service: Service) -> None:
    """It forgets that cookie, which would have been good for twelve hours, for whoever has a copy."""
    log_in(service)
    before = service.client.cookies[COOKIE]
    log_in(service, TokenScope.READ)
    sessions = service.app.state.sessions
    assert sessions.held_by(service.client.cookies[COOKIE]) == service.token(TokenScope.READ)
    assert sessions.held_by(before) is None


def test_the_login_page_names_the_registry_of_the_command(service: Service) -> None:
    """Without it the command makes a token in the default registry, which the service may not have."""
    assert re.search("cleanroom tokens create .*--registry REGISTRY", service.client.get("/login").text)


def test_a_token_is_no_code(service: Service) -> None:
    """What stands behind the # of an address is sent there, and opens codes alone."""
    sent = {"code": service.token(*TokenScope)}
    refused = service.client.post("/login/code", data=sent, headers=ORIGIN | HTML)
    assert (refused.status_code, COOKIE in service.client.cookies) == (401, False)
    code = service.app.state.sessions.one_time_code()
    assert service.client.post("/login/code", data={"code": code}, headers=ORIGIN).status_code == 303


def test_a_session_ends_with_its_token(service: Service) -> None:
    """Whoever's token is revoked is out with the next request."""
    log_in(service)
    with TokenStore(f"sqlite:///{service.settings.registry}") as store:
        store.revoke(store.tokens()[0].id)
    assert service.client.get("/", headers=HTML).status_code == 303


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost.evil.example", "localhost", "//localhost", None]
)
def test_a_form_on_another_site_changes_nothing(service: Service, origin: str | None) -> None:
    """Whatever the browser sends along: only a page of the service itself may change something."""
    log_in(service)
    files = {"function": ("f.py", SOURCE), "data": ("a.csv", CSV)}
    headers = {} if origin is None else {"Origin": origin}
    assert service.client.post("/verifications", files=files, headers=headers).status_code == 403
    assert service.client.get("/api/v1/jobs").json()["jobs"] == []
    assert service.client.post("/verifications", files=files, headers=ORIGIN).status_code == 303


def test_a_problem_is_a_page_for_a_person(service: Service) -> None:
    """The same sentence as for a program."""
    log_in(service)
    page = service.client.get("/jobs/" + "0" * 32, headers=HTML)
    assert page.status_code == 404
    assert "There is no job with that id." in page.text
    assert page.headers["content-type"].startswith("text/html")
    wrong = service.client.post("/login", data={"token": "x"}, headers=ORIGIN | HTML)
    assert wrong.status_code == 401
    assert "not known here" in wrong.text


def test_a_rejection_needs_a_reason(service: Service) -> None:
    """And a function that nobody knows is a sentence."""
    log_in(service)
    empty = service.client.post("/review/f/reject", data={"version": "1", "reason": " "}, headers=ORIGIN | HTML)
    assert empty.status_code == 422
    assert "needs a reason" in empty.text


@pytest.mark.parametrize("reason", [None, "", "  "])
def test_an_approval_needs_a_reason(make: Make, reason: str | None) -> None:
    """It is signed, and whoever reads the log has nothing else; the page asks for it, and the service wants it."""
    service = make(lambda candidate, sample: Outcome.HOLD)
    service.wait(service.verify(promote="true").json()["id"])
    log_in(service)
    page = service.client.get("/review", headers=HTML).text
    form = dict(re.findall(r'name="(sha256|version)" value="(\w+)"', page))
    assert len(re.findall(r'name="reason"[^>]* required', page)) == 2
    form |= {} if reason is None else {"reason": reason}
    refused = service.client.post("/review/trim/approve", data=form, headers=ORIGIN | HTML)
    assert (refused.status_code, "An approval needs a reason." in refused.text) == (422, True)
    assert service.client.get("/api/v1/functions", headers=service.headers()).json() == {"functions": []}


@pytest.mark.parametrize(("outcome", "status"), [(Outcome.HOLD, 303), (Outcome.PASS, 409)])
def test_only_what_is_held_can_be_rejected(make: Make, outcome: Outcome, status: int) -> None:
    """A function that is in use, because somebody has approved it meanwhile, is not taken out of it by a reviewer."""
    service = make(lambda candidate, sample: outcome)
    service.wait(service.verify(promote="true").json()["id"])
    log_in(service, TokenScope.REVIEW)
    form = {"version": "1", "reason": "no"}
    assert service.client.post("/review/trim/reject", data=form, headers=ORIGIN).status_code == status
    with service.app.state.open_registry() as registry:
        assert len(registry.functions()) == (outcome is Outcome.PASS)
        assert registry.held() == ()


def test_a_job_leads_to_the_review_while_there_is_something_to_decide(make: Make) -> None:
    """What was decided does not wait on the page of reviews, to which the job's page still led."""
    service = make(lambda candidate, sample: Outcome.HOLD)
    job = service.verify(promote="true").json()["id"]
    service.wait(job)
    log_in(service)
    led = ['href="/review">Review it.' in service.client.get(f"/jobs/{job}", headers=HTML).text]
    with service.app.state.open_registry() as registry:
        registry.reject("trim", 1, "not what was meant")
    led.append('href="/review">Review it.' in service.client.get(f"/jobs/{job}", headers=HTML).text)
    assert led == [True, False]


def test_what_was_suspended_since_the_page_was_shown_is_not_approved(make: Make) -> None:
    """A page that was still open let a function into use again that had acted up meanwhile."""
    service = make(lambda candidate, sample: Outcome.HOLD)
    service.wait(service.verify(promote="true").json()["id"])
    log_in(service, TokenScope.REVIEW)
    page = service.client.get("/review", headers=HTML).text
    form = dict(re.findall(r'name="(sha256|version)" value="(\w+)"', page)) | {"reason": "looked at the rows"}
    statuses = []
    for _ in range(2):
        statuses.append(service.client.post("/review/trim/approve", data=form, headers=ORIGIN).status_code)
        with service.app.state.open_registry() as registry:
            if registry.functions():
                registry.suspend("trim", "it acts up")
    assert statuses == [303, 422]
    with service.app.state.open_registry() as registry:
        assert registry.functions() == ()


def test_a_reviewer_sees_what_an_approval_ends(make: Make) -> None:
    """That a function takes the place of one in use stood in its source alone."""
    outcomes = iter([Outcome.PASS, Outcome.HOLD])
    service = make(lambda candidate, sample: next(outcomes))
    service.wait(service.verify(promote="true").json()["id"])
    log_in(service)
    files = {"function": ("f.py", SOURCE + "# another\n"), "data": ("a.csv", CSV)}
    service.client.post("/verifications", files=files, data={"promote": "true"}, headers=ORIGIN)
    service.wait(service.client.get("/api/v1/jobs").json()["jobs"][0]["id"])
    page = service.client.get("/review", headers=HTML).text
    assert "it takes <code>trim</code>, version 1, out of use" in page


def test_a_rejection_says_first_what_failed(service: Service) -> None:
    """Its page began with concerns, without a mark, and told how to settle them, which helps no function that fails."""
    concern = Concern(kind="sign", check="keeps-information", detail="a sign is lost", settles="Confirm it.")
    checks = (
        CheckResult(id="keeps-information", outcome=Outcome.HOLD, detail="a doubt"),
        CheckResult(id="edges", outcome=Outcome.FAIL, detail="it raised an error"),
    )
    log_in(service)
    jobs, info = service.app.state.jobs, CandidateInfo.of(read(SOURCE))
    for outcome, count in ((Outcome.FAIL, 2), (Outcome.HOLD, 1)):
        verdict = Verdict(candidate=info, verdict=outcome, checks=checks[:count], concerns=(concern,))
        [token] = service.app.state.tokens.tokens()
        jobs.add(NewJob(JobKind.VERIFY, token.id, {"folder": "0" * 32, "named": "a.csv", "promote": False}, ""))
        job = jobs.claim("test")
        jobs.finish(job, {"verdict": verdict.model_dump(mode="json"), "source": SOURCE})
        page = service.client.get(f"/jobs/{job.id}", headers=HTML).text
        [title] = re.findall(r"<h3><code>sign</code>.*", page)
        assert "in doubt" in title
        assert ("To settle it:" in page) is (outcome is Outcome.HOLD)
        assert "it raised an error" in page[: page.index(title)] or outcome is Outcome.HOLD


def test_the_list_says_what_came_of_each_job(make: Make) -> None:
    """Of a function that was judged its verdict, in words and with a colour; of every other job its state."""
    outcomes = iter([Outcome.PASS, Outcome.HOLD, Outcome.FAIL, Outcome.INFRA])
    service = make(lambda candidate, sample: next(outcomes))
    judged = [service.wait(service.verify(SOURCE + f"# {number}\n").json()["id"]) for number in range(4)]
    verdicts = {job["id"]: job["result"]["verdict"]["verdict"] for job in judged}
    log_in(service)
    page = service.client.get("/", headers=HTML).text
    rows = re.findall(r"<tr>.*?</tr>", page, re.DOTALL)[1:]
    words = {"pass": "passed", "hold": "held", "fail": "rejected", "infra": "not judged"}
    assert sorted(verdicts.values()) == sorted(words)
    for job_id, verdict in verdicts.items():
        [row] = [row for row in rows if f"/jobs/{job_id}" in row]
        assert f'<span class="badge {verdict}">{words[verdict]}</span>' in row
        assert ">done<" not in row
    style = service.client.get("/static/report.css").text + service.client.get("/static/service.css").text
    light, dark = re.findall(r":root\s*{(.*?)}", style, re.DOTALL)[:2]
    for verdict in words:
        [colours] = re.findall(rf"\.badge\.{verdict}\b[^{{]*{{ background:var\((.*?)\); color:var\((.*?)\)", style)
        assert all(f"{name}:" in theme for name in colours for theme in (light, dark))


def test_no_page_names_a_page_that_the_token_may_not_see(service: Service) -> None:
    """A token that only reads is offered no form."""
    log_in(service, TokenScope.READ)
    page = service.client.get("/", headers=HTML).text
    assert "/functions" in page
    assert "/review" not in page
    assert "/new" not in page


def test_an_apply_without_functions_says_that_there_are_none(service: Service) -> None:
    """The data comes back as it was, with the note that the command line has: on the page, and for programs."""
    asked = service.client.post("/api/v1/applies", files={"data": ("a.csv", CSV)}, headers=service.headers())
    job = service.wait(asked.json()["id"])
    assert job["state"] == "done"
    assert job["result"]["notes"] == ["no function is in use there: every row is as it was"]
    log_in(service)
    page = service.client.get(f"/jobs/{job['id']}", headers=HTML).text
    assert "Note: no function is in use there: every row is as it was." in page


def finished(service: Service, kind: JobKind, result: Any) -> str:
    """The page of a job that ended with the result."""
    log_in(service)
    [token] = service.app.state.tokens.tokens()
    jobs = service.app.state.jobs
    job, _ = jobs.add(NewJob(kind, token.id, {"folder": "0" * 32, "named": "a.csv"}, ""))
    assert jobs.finish(jobs.claim("test"), result)
    return service.client.get(f"/jobs/{job.id}", headers=HTML).text


def test_an_applied_file_says_what_was_changed(service: Service) -> None:
    """How many cells, in which columns, and what they became most often."""
    change = {"before": "offen", "after": "open", "count": 29}
    columns = [
        {"name": "id", "changed": 0, "values": []},
        {"name": "state", "changed": 1030, "values": [change]},
        {"name": "<b>", "changed": 1, "values": []},
    ]
    done = {"rows_in": 2000, "rows_out": 2000, "quarantined": 0, "columns": columns}
    page = finished(service, JobKind.APPLY, {"apply": done, "notes": [], "files": []})
    assert "<b>1,031</b><span>cells changed</span>" in page
    assert re.search(r"state</th><td[^>]*>1,030</td><td>.*offen.* → .*open.*29", page)
    assert "&lt;b&gt;</th>" in page
    assert "id</th>" not in page


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"status": "clean"}, "<b>complete</b>"),
        ({"status": "limit", "reason": "chunk 1: enough"}, "<b>limit</b> (chunk 1: enough)"),
        ({"notes": ["it is odd"]}, "Note: it is odd."),
        ({"left": [{"column": "city", "form": "Aa 9", "rows": 3, "holdout": 2}]}, "Left as it was"),
        ({"held": [{"name": "merge", "concerns": [{"detail": "in doubt"}]}]}, "<code>merge</code>: in doubt"),
    ],
)
def test_a_run_says_how_it_ended(service: Service, more: dict[str, Any], said: str) -> None:
    """Its status in words, what it changed, and what is left; results of older services have less in them."""
    done = {"rows": 9, "promoted": ["trim"], "rejected": 0, "changed": {"city": 1200}, "status": "finished"} | more
    page = finished(service, JobKind.RUN, {"run": done, "files": []})
    assert "<b>1,200</b><span>cells changed</span>" in page
    assert re.search(r"city</th><td[^>]*>1,200</td>", page)
    assert said in page
    assert ('<td class="number">5</td>' in page) is ("left" in more)


def test_a_function_that_is_gone_is_told_to_whoever_approves_it(service: Service) -> None:
    """Somebody else may have taken it out meanwhile: that is no trouble of the service, which they should try again."""
    log_in(service)
    form = {"sha256": "0" * 64, "version": "1", "reason": "right"}
    answer = service.client.post("/review/gone/approve", data=form, headers=ORIGIN)
    assert answer.status_code == 422
    assert answer.json()["detail"] == "gone, version 1, is not held any more."


CLAIMS = (
    'CONTRACT = {"modifies": ["city"], "adds": ["land, of the city"], "drops": ["price"], "drops_rows": True}\n'
    + SOURCE
)


def words_of(page: str) -> str:
    """What a person reads."""
    return " ".join(re.sub(r"<[^>]+>", "", page).split())


def test_a_reviewer_sees_all_that_a_function_may_do(make: Make) -> None:
    """That it takes columns or rows away stood in its source alone, and a function that changes nothing changed any."""
    service = make(lambda candidate, sample: Outcome.HOLD)
    for source in (CLAIMS, 'CONTRACT = {"modifies": []}\n' + SOURCE.replace("trim", "look")):
        service.wait(service.verify(source, promote="true").json()["id"])
    log_in(service)
    page = service.client.get("/review", headers=HTML).text
    said = "Changes city; adds land, of the city; takes price away; may take rows away."
    assert said in words_of(page)
    assert "<code>land, of the city</code>" in page
    assert "Changes no column." in words_of(page)


def test_a_function_that_waits_for_approvals_is_not_said_to_be_in_use(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the team wants more people, nothing is applied before they have approved; the page and the API say so."""
    service = make()
    service.wait(service.verify(promote="true").json()["id"])
    log_in(service)
    key, trust = Identity().key.public.text, tmp_path / "trust.yaml"
    monkeypatch.setenv("CLEANROOM_TRUST_FILE", str(trust))
    seen = {}
    for approvals in (0, 2):
        trust.write_text(f"approvals: {approvals}\npeople:\n  ana:\n    keys: [{{key: '{key}'}}]\n")
        page = words_of(service.client.get("/functions", headers=HTML).text)
        [listed] = service.client.get("/api/v1/functions", headers=service.headers()).json()["functions"]
        seen[approvals] = ("not applied: waits for 2 more approvals" in page, listed["missing_approvals"])
    assert seen == {0: (False, 0), 2: (True, 2)}


def test_what_a_model_settled_is_told_of_a_function_in_use(service: Service) -> None:
    """As in the report of its run: without it, what no person has looked at seems to have passed like all else."""
    candidate = read(SOURCE)
    concern = Concern(kind="figures-vanish", check="keeps-information", detail="12 is lost", settles="", columns=("n",))
    verdict = Verdict(
        candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, weakened=("the screen is off",),
        checks=(CheckResult(id="screen", outcome=Outcome.PASS),),
        settled=SettledConcerns(by="openai/any", also_proposed=True, concerns=(concern,)),
    )  # fmt: skip
    with service.app.state.open_registry() as registry:
        registry.promote(candidate, Evidence(verdict=verdict, policy_sha256="", proposer="openai/any"))
    log_in(service)
    page = words_of(service.client.get("/functions", headers=HTML).text)
    for said in ("concerns settled by a model", "openai/any, which wrote the function as well", "12 is lost"):
        assert said in page
    assert "The policy weakened layers of protection: the screen is off." in page
