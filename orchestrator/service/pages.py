"""Renders the pages: templates of the service over those of the report, with its filters. Called by the page routes.

Everything that comes from data, sources or names goes through the report's filters, which escape it and show what a
reader would not see. There is no inline script or style, so the policy of `gatekeeper` can forbid all of them.
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import ChoiceLoader, Environment, PackageLoader

from orchestrator.core.errors import CandidateError
from orchestrator.core.needs import read_first
from orchestrator.core.steps.run_steps import shown_status
from orchestrator.core.verdict import Concern, Verdict
from orchestrator.gate.candidate_file import read
from orchestrator.registry.queue.token_store import TokenScope
from orchestrator.run.report.render import environment
from orchestrator.service.denied import Denied

_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def page(request: Request, name: str, status: int = 200, **values: Any) -> HTMLResponse:
    """The template, rendered for whoever asks."""
    caller = getattr(request.state, "caller", None)
    text = (
        _environment()
        .get_template(f"{name}.html.j2")
        .render(
            caller=caller,
            TokenScope=TokenScope,
            here=request.url.path,
            opened=request.app.state.settings.opened,
            **values,
        )
    )
    return HTMLResponse(text, status)


def problem_page(request: Request, denied: Denied, headers: Mapping[str, str]) -> Response:
    """A problem for a person; whoever is not logged in is asked to."""
    if denied.status == 401 and request.method == "GET":
        return RedirectResponse("/login", 303)
    made = page(request, "problem", denied.status, denied=denied)
    made.headers.update(headers)
    return made


def report_page(text: str) -> HTMLResponse:
    """A run's report. Its one style is allowed by its hash, and nothing else is."""
    found = _STYLE.search(text)
    style = base64.b64encode(hashlib.sha256((found[1] if found else "").encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return HTMLResponse(text, headers={"Content-Security-Policy": policy})


def static_file(name: str) -> Response:
    """A style or a script of the service. Raises Denied for any other name."""
    own = {"service.css", "live.js", "login.js", "icon.svg"}
    if name == "report.css":
        content = files("orchestrator.run.report").joinpath("templates/style.css").read_bytes()
    elif name in own:
        content = files("orchestrator.service").joinpath(f"static/{name}").read_bytes()
    else:
        raise Denied(404, "There is nothing at this address.")
    kind = _TYPES[name.rpartition(".")[2]]
    return Response(content, media_type=kind, headers={"Cache-Control": "public, max-age=300"})


def verdict_of(result: Mapping[str, Any] | None) -> Verdict | None:
    """The verdict in a job's result, if there is one."""
    return Verdict.model_validate(result["verdict"]) if result and "verdict" in result else None


def issue_of(source: str) -> str:
    """What the function says that it is for."""
    try:
        return read(source).issue
    except CandidateError:
        return ""


def by_kind(concerns: tuple[Concern, ...]) -> list[tuple[str, list[Concern]]]:
    """The concerns, those of a kind together."""
    ordered = sorted(concerns, key=lambda one: one.kind)
    return [(kind, list(found)) for kind, found in groupby(ordered, key=lambda one: one.kind)]


@cache
def _environment() -> Environment:
    base = environment()
    assert base.loader is not None  # noqa: S101 - it was made with one
    made = base.overlay(loader=ChoiceLoader([PackageLoader("orchestrator.service"), base.loader]))
    made.globals.update(
        verdict_of=verdict_of, by_kind=by_kind, issue_of=issue_of, shown_status=shown_status, read_first=read_first
    )
    return made
