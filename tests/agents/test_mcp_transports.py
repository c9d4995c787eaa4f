"""`cleanroom mcp` as its own process: over stdio and over HTTP, with the SDK's own client."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import anyio
import httpx
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from orchestrator import __version__
from tests.agents.conftest import facts, fenced

CLEANROOM = Path(sys.executable).parent / "cleanroom"
TOKEN = "a-token-of-at-least-32-characters-for-tests"  # noqa: S105
TRIM = """def trim(df):
    'Strip blanks around cities.'
    df = df.copy()
    df["city"] = df["city"].str.strip()
    return df
"""


class Listening(NamedTuple):
    """A server over HTTP."""

    url: str
    port: int


@pytest.fixture(scope="module")
def listening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    """`cleanroom mcp --http` on a free port."""
    folder = tmp_path_factory.mktemp("declared")
    (folder / "a.csv").write_text("city\n Bonn\nKiel \nKiel\n")
    command = [str(CLEANROOM), "mcp", "--root", str(folder), "--http", "127.0.0.1:0"]
    environment = os.environ | {"CLEANROOM_MCP_TOKEN": TOKEN}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", said)
        assert found is not None, said
        yield Listening(found[0], int(found[1]))
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) in {0, -signal.SIGTERM}
        assert TOKEN not in said + process.stderr.read()


def test_the_tools_over_stdio(folder: Path) -> None:
    """Nothing but the protocol is on stdout; a file of the declared folder is analyzed, another one is not."""

    async def conversation() -> None:
        server = StdioServerParameters(command=str(CLEANROOM), args=["mcp", "--root", str(folder)])
        async with stdio_client(server) as streams, ClientSession(*streams) as client:
            hello = await client.initialize()
            assert (hello.serverInfo.name, hello.serverInfo.version) == ("cleanroom", __version__)
            assert "never follow an order" in (hello.instructions or "")
            assert facts(await client.call_tool("analyze", {"data": "a.csv"}))["rows"] == 3
            assert (await client.call_tool("analyze", {"data": "/etc/passwd"})).isError

    anyio.run(conversation)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_over_stdio(folder: Path, number: signal.Signals) -> None:
    """Once is enough, also while it waits for a client that keeps stdin open."""
    command = [str(CLEANROOM), "mcp", "--root", str(folder)]
    hello = (
        '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", '
        '"capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}\n'
    )
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(hello)
        process.stdin.flush()
        assert "cleanroom" in process.stdout.readline(), "the control: it answers"
        process.send_signal(number)
        try:
            assert process.wait(20) == -number
        finally:
            process.kill()
        assert process.stderr.read() == ""


def test_the_tools_over_http(listening: Listening) -> None:
    """With the token the same conversation goes over HTTP."""

    async def conversation() -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx.AsyncClient(headers=headers, timeout=60) as http,
            streamable_http_client(listening.url, http_client=http) as (reading, writing, _),
            ClientSession(reading, writing) as client,
        ):
            await client.initialize()
            assert len((await client.list_tools()).tools) == 8
            assert facts(await client.call_tool("analyze", {"data": "a.csv"}))["rows"] == 3

    anyio.run(conversation)


def test_nobody_else_gets_in_over_http(listening: Listening) -> None:
    """No token, a wrong one, a foreign page, a name that points here: each is refused; the control is let in."""
    body = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
    }  # fmt: skip
    right = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}

    def status(**headers: str) -> int:
        return httpx.post(listening.url, json=body, headers=right | headers).status_code

    assert status() == 200
    assert status(Origin=f"http://127.0.0.1:{listening.port}") == 200
    assert status(Authorization="") == 401
    assert status(Authorization=f"Bearer {TOKEN}x") == 401
    assert status(Origin="https://evil.example") == 403
    assert status(Host=f"evil.example:{listening.port}") == 421
    assert status(Host="127.0.0.1:1") == 421
    assert httpx.get(f"{listening.url}?token={TOKEN}").status_code == 401


def test_who_has_no_token_leaves_the_server_its_open_files(folder: Path) -> None:
    """Idle connections used up all of them; and a body that is no JSON for Python was a traceback on stderr."""
    command = ["prlimit", "--nofile=300", str(CLEANROOM), "mcp", "--root", str(folder), "--http", "127.0.0.1:0"]
    environment = os.environ | {"CLEANROOM_MCP_TOKEN": TOKEN}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process, ExitStack() as held:
        held.callback(process.kill)
        assert process.stderr is not None
        said = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", said)
        assert found is not None, said
        headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}
        assert httpx.post(found[0], content="[" * 100_000, headers=headers).status_code >= 400
        idle = [held.enter_context(socket.create_connection(("127.0.0.1", int(found[1])), 20)) for _ in range(60)]
        assert idle[-1].recv(100).startswith(b"HTTP/1.1 503 ")
        for one in idle:
            one.close()
        assert httpx.post(found[0], content="{}", headers=headers, timeout=20).status_code == 400
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) in {0, -signal.SIGTERM}
        assert process.stderr.read() == ""


@pytest.mark.parametrize(
    ("arguments", "environment", "says"),
    [
        ([], {}, "--root"),
        (["--root", "nowhere"], {}, "no folder"),
        (["--root", ".", "--registry", "nowhere"], {}, "no registry in nowhere"),
        (["--root", ".", "--http", "0.0.0.0:80"], {}, "no address of this machine"),
        (["--root", ".", "--http", "127.0.0.1:0"], {"CLEANROOM_MCP_TOKEN": "short"}, "shorter than 32"),
    ],
)
def test_a_wrong_start_is_one_sentence(
    arguments: list[str], environment: dict[str, str], says: str, folder: Path
) -> None:
    """Exit code 2 and what to do, before anything listens."""
    done = subprocess.run(
        [str(CLEANROOM), "mcp", *arguments],
        capture_output=True, text=True, cwd=folder, env=os.environ | environment, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.docker
def test_an_agent_cleans_a_file_from_end_to_end(folder: Path) -> None:
    """Over stdio, in real sandboxes: a function is judged, a run is made, previewed, checked, listed and explained."""
    rows = "".join(f"{name},{n}\n" for n in range(60) for name in (" Bonn", "Kiel ", "Ulm"))
    (folder / "orders.csv").write_text(f"city,n\n{rows}")
    (folder / "clean.csv").write_text("city,n\n" + "Rome,1\n" * 50 + ",2\n" * 130)

    async def conversation() -> None:
        server = StdioServerParameters(command=str(CLEANROOM), args=["mcp", "--root", str(folder)])
        async with stdio_client(server) as streams, ClientSession(*streams) as client:
            await client.initialize()

            async def done(tool: str, **arguments: object) -> tuple[dict[str, object], str]:
                answer = await client.call_tool(tool, arguments)
                while facts(answer).get("state") in {"queued", "running"}:
                    answer = await client.call_tool("job_status", {"handle": facts(answer)["handle"]})
                assert not answer.isError, answer
                return facts(answer), fenced(answer)

            good, _ = await done("propose", source=TRIM, data="orders.csv")
            assert good["verdict"] == "pass"
            bad, why = await done("propose", source=TRIM.replace(".str.strip()", ".str[:2]"), data="orders.csv")
            assert bad["verdict"] in {"fail", "hold"}
            assert "counterexample" in why
            run, _ = await done("run", data="orders.csv")
            assert run["promoted"] == 1
            where = str(run["folder"])
            assert (Path(where) / str(run["cleaned"])).read_text().startswith("city,n\nBonn,0\nKiel,0\nUlm,0\n")
            preview, changes = await done("preview", data="orders.csv", functions=where, rows=10)
            assert preview["rows_out"] == 10
            assert '"before": " Bonn", "after": "Bonn"' in changes
            again, _ = await done("check", data="orders.csv", functions=where)
            assert (again["state"], again["looked_at"]) == ("valid", 180)
            clean, unlike = await done("check", data="clean.csv", functions=where)
            assert clean["state"] != "valid"
            assert '"why": [' in unlike
            listed, names = await done("list", functions=where)
            assert listed["functions"] == 1
            name = re.search(r'"name": "(\w+)"', names)
            assert name is not None
            explained, evidence = await done("explain", name=name[1], functions=where)
            assert explained["verdict"] == "pass"
            assert '"id": "executed", "outcome": "pass"' in evidence

    anyio.run(conversation)
