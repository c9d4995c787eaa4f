"""What the service answers is what its description promises: each kind of answer is held against /openapi.json."""

from pathlib import Path
from typing import Any

import jsonschema

from tests.service.conftest import CSV, SOURCE, Service


def check(description: dict[str, Any], path: str, method: str, answer: Any) -> None:
    """The status is documented for the address, and the body has the documented form."""
    responses = description["paths"][path][method]["responses"]
    assert str(answer.status_code) in responses, (path, answer.status_code)
    content = responses[str(answer.status_code)]["content"]
    kind = answer.headers["content-type"].split(";")[0]
    assert kind in content, (path, kind)
    schema = content[kind]["schema"] | {"components": description["components"]}
    jsonschema.Draft202012Validator(schema).validate(answer.json())


def test_answers_are_as_the_description_says(service: Service) -> None:
    """Right requests, wrong ones, and ones without a token; to every kind of address."""
    client, headers = service.client, service.headers()
    description = client.get("/openapi.json").json()
    files = {"function": ("f.py", SOURCE), "data": ("a.csv", CSV)}
    asked = service.verify()
    service.wait(asked.json()["id"])
    nowhere = "0" * 32
    for path, method, answer in (
        ("/healthz", "get", client.get("/healthz")),
        ("/readyz", "get", client.get("/readyz")),
        ("/api/v1/verifications", "post", asked),
        ("/api/v1/verifications", "post", client.post("/api/v1/verifications", files=files)),
        ("/api/v1/verifications", "post", client.post("/api/v1/verifications", headers=headers)),
        ("/api/v1/runs", "post", client.post("/api/v1/runs", headers=headers)),
        ("/api/v1/jobs", "get", client.get("/api/v1/jobs", headers=headers)),
        ("/api/v1/jobs", "get", client.get("/api/v1/jobs?limit=0", headers=headers)),
        ("/api/v1/jobs/{job_id}", "get", client.get(asked.headers["location"], headers=headers)),
        ("/api/v1/jobs/{job_id}", "get", client.get(f"/api/v1/jobs/{nowhere}", headers=headers)),
        ("/api/v1/jobs/{job_id}/cancel", "post", client.post(f"{asked.headers['location']}/cancel", headers=headers)),
        ("/api/v1/functions", "get", client.get("/api/v1/functions")),
    ):
        check(description, path, method, answer)


def test_every_address_stands_in_the_docs(service: Service) -> None:
    """Four of them were to be found in the description alone, and nothing said that it needs no token."""
    text = (Path(__file__).parents[2] / "docs" / "service.md").read_text(encoding="utf-8")
    paths = service.client.get("/openapi.json").json()["paths"]
    assert [path for path in (*paths, "/openapi.json") if f"{path}`" not in text] == []


def test_every_address_says_that_it_takes_a_token(service: Service) -> None:
    """Generated clients learn from the description how they log in."""
    description = service.client.get("/openapi.json").json()
    for path, methods in description["paths"].items():
        for operation in methods.values():
            assert bool(operation.get("security")) is path.startswith("/api/"), path
