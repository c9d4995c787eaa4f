"""Every route says who may use it; everybody else is refused, before anything of the request's body is read."""

import re
from typing import Any

import pytest
from fastapi import APIRouter
from fastapi.routing import iter_route_contexts

from orchestrator.core.differences import VersionDiff
from orchestrator.core.errors import JobRefused
from orchestrator.registry.queue.service_job import JobKind, NewJob
from orchestrator.registry.queue.token_store import TokenScope, TokenStore
from orchestrator.run.apply.residual import Residual
from orchestrator.service.authorization import ScopedRoute, public
from tests.registry.conftest import make_candidate, make_evidence
from tests.service.conftest import SOURCE, Service

# The whole matrix. A new route without a line here fails a test, and so does one whose scopes change.
PUBLIC: frozenset[TokenScope] = frozenset()
ANY_WORK = frozenset({TokenScope.READ, TokenScope.VERIFY, TokenScope.RUN})
MATRIX = {
    "GET /healthz": PUBLIC,
    "GET /readyz": PUBLIC,
    "GET /openapi.json": PUBLIC,
    "GET /metrics": frozenset({TokenScope.ADMIN}),
    "POST /api/v1/verifications": frozenset({TokenScope.VERIFY}),
    "POST /api/v1/applies": frozenset({TokenScope.RUN}),
    "POST /api/v1/runs": frozenset({TokenScope.RUN}),
    "GET /api/v1/jobs": frozenset({TokenScope.READ}),
    "GET /api/v1/jobs/{job_id}": ANY_WORK,
    "HEAD /api/v1/jobs/{job_id}": ANY_WORK,
    "GET /api/v1/jobs/{job_id}/events": ANY_WORK,
    "POST /api/v1/jobs/{job_id}/cancel": frozenset({TokenScope.VERIFY, TokenScope.RUN}),
    "GET /api/v1/jobs/{job_id}/files/{name:path}": frozenset({TokenScope.READ, TokenScope.RUN}),
    "HEAD /api/v1/jobs/{job_id}/files/{name:path}": frozenset({TokenScope.READ, TokenScope.RUN}),
    "GET /api/v1/functions": frozenset({TokenScope.READ}),
    "GET /static/{name}": PUBLIC,
    "GET /login": PUBLIC,
    "POST /login": PUBLIC,
    "POST /login/code": PUBLIC,
    "POST /logout": frozenset(TokenScope),
    "GET /": frozenset(TokenScope),
    "GET /new": frozenset({TokenScope.VERIFY, TokenScope.RUN}),
    "POST /verifications": frozenset({TokenScope.VERIFY}),
    "POST /applies": frozenset({TokenScope.RUN}),
    "POST /runs": frozenset({TokenScope.RUN}),
    "GET /jobs/{job_id}": ANY_WORK,
    "POST /jobs/{job_id}/cancel": frozenset({TokenScope.VERIFY, TokenScope.RUN}),
    "GET /jobs/{job_id}/report": frozenset({TokenScope.READ, TokenScope.RUN}),
    "GET /run": frozenset({TokenScope.READ}),
    "GET /functions": frozenset({TokenScope.READ}),
    "GET /review": frozenset({TokenScope.REVIEW}),
    "POST /review/{name}/approve": frozenset({TokenScope.REVIEW}),
    "POST /review/{name}/reject": frozenset({TokenScope.REVIEW}),
}


def routes_of(app: Any) -> dict[str, frozenset[TokenScope]]:
    """All routes of the app, as it has them; one that is of another class has no scopes, and fails below."""
    found = {}
    for context in iter_route_contexts(app.routes):
        assert isinstance(context.original_route, ScopedRoute), context.path
        for method in context.methods or ():
            found[f"{method} {context.path}"] = context.original_route.scopes
    return found


def test_the_routes_are_those_of_the_matrix(service: Service) -> None:
    """What is not in the matrix fails here, and so does a scope that has changed."""
    assert routes_of(service.app) == MATRIX


def test_a_route_without_scopes_cannot_be_made() -> None:
    """Nobody can forget them: the app does not come up. Marked as public, it does."""
    router = APIRouter(route_class=ScopedRoute)

    def endpoint() -> None: ...

    with pytest.raises(TypeError, match="/new does not say"):
        router.get("/new")(endpoint)
    router.get("/new")(public(endpoint))


@pytest.mark.parametrize("route", MATRIX)
def test_each_scope_opens_its_routes_and_no_other(service: Service, route: str) -> None:
    """No token: 401; a token of each single scope: 403 unless it is one of the route's."""
    method, path = route.split(" ")
    address = re.sub(r"\{name.*\}", "x", path).replace("{job_id}", "0" * 32)
    scopes = MATRIX[route]
    assert (service.client.request(method, address).status_code == 401) is bool(scopes)
    for scope in TokenScope:
        status = service.client.request(method, address, headers=service.headers(scope)).status_code
        assert status != 401
        assert (status == 403) is bool(scopes and scope not in scopes), (scope, status)


def test_wrong_revoked_and_expired_tokens_are_refused(service: Service) -> None:
    """Each with its sentence; none says whether a token like it is known."""
    secret = service.token(TokenScope.READ, name="soon gone")
    with TokenStore(f"sqlite:///{service.settings.registry}") as store:
        store.revoke("soon gone")
    for header in (f"Bearer {secret}", "Bearer x", "Bearer", "", "Basic eDp4", f"Basic {secret}", "Bearer \xff"):
        refused = service.client.get("/api/v1/jobs", headers=[(b"Authorization", header.encode("latin-1"))])
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert secret not in refused.text


def test_what_a_revoked_token_has_asked_for_is_not_done(service: Service) -> None:
    """Whoever takes a stolen token back does not find a function in use that its thief had put into the queue."""
    thief = {"Authorization": f"Bearer {service.token(*TokenScope, name='stolen')}"}
    bad = service.verify(headers=thief, promote=True).json()["id"]
    good = service.verify(SOURCE.replace("trim", "tidy"), promote=True).json()["id"]
    with TokenStore(f"sqlite:///{service.settings.registry}") as store:
        store.revoke("stolen")
    assert service.wait(good)["state"] == "done"
    assert service.client.get(f"/api/v1/jobs/{bad}", headers=service.headers()).json()["state"] == "cancelled"
    named = service.client.get("/api/v1/functions", headers=service.headers()).json()["functions"]
    assert [one["name"] for one in named] == ["tidy"]


def test_a_token_that_is_revoked_while_its_request_arrives_gets_no_job(service: Service) -> None:
    """It was usable when the head came, and is not any more when all of the body is there."""
    secret = service.token(TokenScope.VERIFY, name="going")
    with TokenStore(f"sqlite:///{service.settings.registry}") as store:
        known = store.find(secret)
        store.revoke("going")
    assert known is not None
    with pytest.raises(JobRefused, match="revoked"):
        service.app.state.jobs.add(NewJob(JobKind.VERIFY, known.id, {"folder": "0" * 32}, "a"))
    assert service.app.state.jobs.newest() == []


def test_the_body_of_a_request_without_a_token_is_not_read(service: Service) -> None:
    """A refusal comes at once, whatever would have followed."""

    def endless() -> Any:
        yield b"x" * 1000
        raise AssertionError("the body was read")

    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    assert service.client.post("/api/v1/runs", content=endless(), headers=headers).status_code == 401


def test_promoting_takes_another_scope(service: Service) -> None:
    """A token that may verify may not store what passes."""
    assert service.verify(headers=service.headers(TokenScope.VERIFY), promote="true").status_code == 403
    assert service.verify(SOURCE, service.headers(TokenScope.VERIFY)).status_code == 202


def test_each_use_is_on_record(service: Service) -> None:
    """Also one that was refused; with the route and never with what stood in the request."""
    headers = service.headers(TokenScope.READ)
    service.client.get("/api/v1/jobs/" + "0" * 32, headers=headers)
    service.client.get("/api/v1/jobs?limit=3", headers=headers)
    service.client.post("/api/v1/runs", headers=headers)
    with TokenStore(f"sqlite:///{service.settings.registry}") as store:
        uses = [(use.action, use.status) for _, use in store.uses(store.tokens()[0].id)]
    assert uses == [
        ("POST /api/v1/runs", 403),
        ("GET /api/v1/jobs", 200),
        ("GET /api/v1/jobs/{job_id}", 404),
        ("created", 0),
    ]


def test_replacing_a_function_takes_another_scope(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who may promote but not review takes nothing out of use by the way: a contract can name what it replaces."""
    monkeypatch.setattr(Residual, "of", lambda _self, sample, _functions: sample)  # the test has no sandbox
    monkeypatch.setattr(Residual, "must_follow", lambda _self, _sample, _others, _candidate, evidence: evidence)
    monkeypatch.setattr(Residual, "differences", lambda *_: VersionDiff(name="better", old=1, new=1))
    with service.app.state.open_registry() as registry:
        registry.promote(candidate := make_candidate("mask"), make_evidence(candidate))
    replacing = f'CONTRACT = {{"replaces": "mask"}}\n{SOURCE}'
    may_not = service.headers(TokenScope.VERIFY, TokenScope.RUN)
    job = service.wait(service.verify(replacing, may_not, promote="true").json()["id"], may_not)
    assert job["result"]["verdict"]["verdict"] == "fail"
    assert "replaces 'mask', which is no function that may be replaced" in str(job["result"]["verdict"]["checks"])
    with service.app.state.open_registry() as registry:
        assert [one.name for one in registry.functions()] == ["mask"]
    assert service.wait(service.verify(SOURCE, may_not, promote="true").json()["id"], may_not)["state"] == "done"
    with service.app.state.open_registry() as registry:
        assert [one.name for one in registry.functions()] == ["mask", "trim"]
    renamed = replacing.replace("trim", "better")
    assert service.wait(service.verify(renamed, promote="true").json()["id"])["state"] == "done"  # by who may review
    with service.app.state.open_registry() as registry:
        assert [one.name for one in registry.functions()] == ["trim", "better"]
