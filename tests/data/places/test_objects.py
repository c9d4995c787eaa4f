"""Objects of a store, read and written, against local servers: S3, Google Cloud Storage, Azure."""

import errno
import gzip
import os
import shutil
import tempfile
from base64 import b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from orchestrator.core.errors import CleanroomError, DataError, OutputError, UsageError
from orchestrator.data.data_address import DataAddress, location
from orchestrator.data.objects import object_store
from orchestrator.data.sources import open_bytes, open_source
from orchestrator.data.spool import Spool, name_for_copy
from orchestrator.data.targets import check_target, open_target
from tests.support.azure_server import KEY
from tests.support.object_server import BUCKET, SECRET, ObjectServer, S3Server, objects, s3

__all__ = ["objects", "s3"]

CSV = b'id,city\r\n1," Rome "\r\n2,\r\n'


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Temporary files of this test alone; none is left when it is over."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(object_store, "_RETRIES", 0)
    return tmp_path


def copy(source: str, target: str, *, times: int = 1) -> None:
    """Write the rows of one object to another."""
    dataset = open_source(source)
    with open_target(location(target), like=dataset, schema=dataset.schema) as writer:
        for batch in list(dataset.read()) * times:
            writer.write(batch.table, batch)
        dataset.check_unchanged()


def test_an_object_is_read_and_written_like_a_file(objects: ObjectServer, places: Path) -> None:
    """The same bytes come out as went in, with its dialect; the copy is private and goes away."""
    objects.put("in/orders.csv", CSV)
    dataset = open_source(objects.at("in/orders.csv"))
    assert (dataset.name, dataset.columns, dataset.rows) == ("orders.csv", ("id", "city"), 2)
    folder = dataset.path.parent
    assert folder.stat().st_mode & 0o777 == 0o700
    copy(objects.at("in/orders.csv"), objects.at("out/c.csv"))
    assert objects.get("out/c.csv") == CSV
    del dataset
    assert not folder.exists()


def test_an_object_with_a_long_name_is_read_and_written(objects: ObjectServer) -> None:
    """A store counts 1,024 bytes for all of a key, a file system 255 for a name; a letter of Chinese takes three."""
    for name in ("数" * 96 + ".csv", "a" * 400 + ".csv"):
        objects.put(f"in/{name}", CSV)
        copy(objects.at(f"in/{name}"), objects.at(f"out/{name}"))
        assert objects.get(f"out/{name}") == CSV
        with open_bytes(objects.at(f"in/{name}")).open() as opened:
            assert opened.read() == CSV


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://example.org/a.csv", "a.csv"),
        ("https://example.org/in%2Fa.csv", "a.csv"),
        ("https://example.org/a%00%0a.csv", "a__.csv"),
        ("https://example.org/%2e%2e", "data"),
        ("https://example.org/a/%2f", "data"),
    ],
)
def test_a_copy_has_a_name_that_leads_nowhere_else(address: str, name: str) -> None:
    """Whatever is escaped in the address; a control character of it ended in an internal error."""
    place = location(address)
    assert isinstance(place, DataAddress)
    assert name_for_copy(place.name) == name


def test_the_bytes_of_an_object_are_read_by_a_parser(objects: ObjectServer) -> None:
    """Unpacked, under the object's name; one that is written meanwhile is refused."""
    objects.put("in/access.log.gz", gzip.compress(CSV))
    file = open_bytes(objects.at("in/access.log.gz"))
    with file.open() as opened:
        assert (opened.read(), str(file)) == (CSV, objects.at("in/access.log.gz"))
    file.check_unchanged()
    objects.put("in/access.log.gz", gzip.compress(b"else"))
    with pytest.raises(DataError, match=r"access\.log\.gz has changed while cleanroom worked on it"):
        file.check_unchanged()
    objects.put("in/broken.gz", b"no gzip")
    with pytest.raises(DataError, match=rf"^{objects.scheme}://bucket/in/broken\.gz "):
        open_bytes(objects.at("in/broken.gz"))


def test_a_large_object_is_uploaded_in_parts(objects: ObjectServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is there when the last part is."""
    monkeypatch.setattr(object_store, "_PART", 5 * 2**20)
    objects.put("in.csv", b"a\n" + b"x" * 2**20 + b"\n")
    copy(objects.at("in.csv"), objects.at("out.csv"), times=11)
    assert len(objects.get("out.csv") or b"") == 11 * (2**20 + 1) + 2
    assert sum(objects.is_part(method, query) for method, _, query in objects.asked) == 3


@pytest.mark.parametrize("broken", ["last part", "completion"])
def test_a_connection_that_breaks_at_the_last_part_leaves_nothing(
    objects: ObjectServer, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """Neither an object nor an unfinished upload; also where it is the completion that fails. The old object stays."""
    monkeypatch.setattr(object_store, "_PART", 5 * 2**20)
    monkeypatch.setattr(object_store, "_AT_ONCE", 1)
    objects.put("in.csv", b"a\n" + b"x" * 2**20 + b"\n")
    objects.put("out.csv", b"old\n1\n")

    parts = []

    def breaks(method: str, _: str, query: str) -> int | None:
        if objects.is_part(method, query):
            parts.append(query)
            return 500 if broken == "last part" and len(parts) == 3 else None
        return 500 if broken == "completion" and objects.completes(method, query) else None

    objects.status_of = breaks
    with pytest.raises(OutputError, match=r"out\.csv cannot be used: the server answers 500"):
        copy(objects.at("in.csv"), objects.at("out.csv"), times=11)
    objects.status_of = lambda *_: None
    assert objects.get("out.csv") == b"old\n1\n"
    assert objects.names() == ["in.csv", "out.csv"]
    assert objects.unfinished() == []


def test_what_fails_before_the_end_uploads_nothing(objects: ObjectServer) -> None:
    """An error while rows are written: no request that writes is made."""
    objects.put("in.csv", CSV)
    dataset = open_source(objects.at("in.csv"))
    objects.asked.clear()

    def write() -> None:
        with open_target(location(objects.at("out.csv")), like=dataset, schema=dataset.schema) as writer:
            writer.write(next(dataset.batches()))
            raise DataError("Something went wrong later.")

    with pytest.raises(DataError, match="later"):
        write()
    assert [request for request in objects.asked if request[0] in ("PUT", "POST")] == []


@pytest.mark.parametrize("when", ["changed", "gone"])
def test_an_object_that_changes_while_it_is_read_is_noticed(objects: ObjectServer, when: str) -> None:
    """Nothing is written then, although what was read was one version of it."""
    objects.put("in.csv", CSV)
    dataset = open_source(objects.at("in.csv"))
    dataset.check_unchanged()
    if when == "changed":
        objects.put("in.csv", CSV.replace(b"Rome", b"Bari"))
    else:
        objects.delete("in.csv")
    with pytest.raises(DataError, match="nothing was written"):
        dataset.check_unchanged()


def sentence(caught: pytest.ExceptionInfo[CleanroomError]) -> str:
    """The message; it is one line, has an advice, and no secret in it."""
    error = caught.value
    assert error.advice
    assert "\n" not in error.message
    assert SECRET not in error.message + error.advice
    assert KEY not in error.message + error.advice
    return error.message


@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_a_bucket_without_rights_is_one_sentence(objects: ObjectServer, method: str) -> None:
    """For reading and for writing."""
    objects.put("in.csv", CSV)
    objects.status_of = lambda m, *_: 403 if m == method else None
    with pytest.raises((DataError, OutputError), match="refused to these credentials") as caught:
        copy(objects.at("in.csv"), objects.at("out.csv"))
    assert sentence(caught)
    objects.status_of = lambda *_: None
    assert objects.names() == ["in.csv"]


def test_wrong_credentials_are_one_sentence(objects: ObjectServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that the store does not know; where to look is said, and of this store alone."""
    objects.put("in.csv", CSV)
    for name, value in objects.environment(secret=b64encode(b"wrong").decode()).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(DataError, match="refused to these credentials") as caught:
        open_source(objects.at("in.csv"))
    assert sentence(caught)
    variables = {"s3": "AWS_*", "gs": "GOOGLE_*", "az": "AZURE_*"}
    assert [name for scheme, name in variables.items() if name in caught.value.advice] == [variables[objects.scheme]]


@pytest.mark.parametrize(
    ("address", "environment"),
    [
        ("gs://bucket/x.csv", {"GOOGLE_SERVICE_ACCOUNT": "/nowhere.json"}),
        ("gs://bucket/x.csv", {"GOOGLE_APPLICATION_CREDENTIALS": "/nowhere.json"}),
        ("gs://bucket/x.csv", {"GOOGLE_SERVICE_ACCOUNT_KEY": '{"private_key": "' + SECRET}),
        ("az://bucket/x.csv", {}),
        ("az://bucket/x.csv", {"AZURE_STORAGE_ACCOUNT_NAME": "a", "AZURE_STORAGE_ACCOUNT_KEY": SECRET}),
        ("az://bucket/x.csv", {"AZURE_STORAGE_ACCOUNT_NAME": "a", "AZURE_STORAGE_SAS_KEY": SECRET}),
    ],
)
def test_an_account_that_cannot_be_read_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, address: str, environment: dict[str, str]
) -> None:
    """It is not taken for a broken connection, after which one would try again."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(DataError, match="what the environment says of the account") as caught:
        open_source(address)
    assert sentence(caught)


@pytest.mark.parametrize(
    ("scheme", "variable"), [("s3", "AWS_ENDPOINT_URL"), ("gs", "GOOGLE_BASE_URL"), ("az", "AZURE_STORAGE_ENDPOINT")]
)
def test_an_endpoint_that_is_no_address_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, scheme: str, variable: str
) -> None:
    """The variable is named; the library, which panics at it, does not get it."""
    monkeypatch.setenv(variable, "localhost:1")
    with pytest.raises(DataError, match=f"{variable} holds no address") as caught:
        open_source(f"{scheme}://bucket/x.csv")
    assert sentence(caught)


def test_a_bucket_that_is_not_there_cannot_be_written(objects: ObjectServer) -> None:
    """The bucket is what is missing, not the object; it is said before the work, too."""
    objects.put("in.csv", CSV)
    nowhere = f"{objects.scheme}://nowhere"
    with pytest.raises(OutputError, match=f"There is no {nowhere} to write") as early:
        check_target(location(f"{nowhere}/out.csv"))
    assert sentence(early)
    with pytest.raises(OutputError, match=f"There is no {nowhere} to write") as caught:
        copy(objects.at("in.csv"), f"{nowhere}/out.csv")
    assert sentence(caught)


def test_a_bucket_that_may_be_written_and_not_listed_is_a_target(objects: ObjectServer) -> None:
    """Refusing the list says nothing of writing; an object that is not there yet is no obstacle."""
    check_target(location(objects.at("out.csv")))
    objects.put("in.csv", CSV)
    dataset = open_source(objects.at("in.csv"))
    objects.status_of = lambda method, *_: 403 if method == "GET" else None
    check_target(location(objects.at("out.csv")))
    with open_target(location(objects.at("out.csv")), like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            writer.write(batch.table, batch)
    objects.status_of = lambda *_: None
    assert objects.get("out.csv") == CSV


def test_a_missing_key_and_a_missing_bucket_are_one_sentence(objects: ObjectServer) -> None:
    """The object is named as its user named it."""
    for address in (objects.at("no.csv"), f"{objects.scheme}://nowhere/no.csv"):
        with pytest.raises(DataError, match=f"There is no {address}") as caught:
            open_source(address)
        assert sentence(caught)


def test_a_server_that_is_not_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not waited for without end."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with pytest.raises(DataError, match="cannot be reached") as caught:
        open_source("s3://bucket/x.csv")
    assert sentence(caught)


def test_a_bad_row_is_named_with_the_object(objects: ObjectServer) -> None:
    """The message has the address and not the temporary copy."""
    objects.put("in.csv", b"a,b\n1,2\n1,2,3\n")
    with pytest.raises(DataError) as caught:
        list(open_source(objects.at("in.csv")).batches())
    assert objects.at("in.csv") in sentence(caught)
    assert "cleanroom-data" not in caught.value.message


def test_a_disk_that_is_too_small_is_one_sentence(objects: ObjectServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known before a byte is read."""
    objects.put("in.csv", CSV)
    free = shutil.disk_usage("/")._replace(free=100)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    with pytest.raises(DataError, match="does not fit on the disk") as caught:
        open_source(objects.at("in.csv"))
    assert sentence(caught)


def test_a_private_copy_that_cannot_be_written_names_the_object(
    objects: ObjectServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A temporary file was named that is gone, and another output folder advised, which would not help."""
    objects.put("in.csv", CSV)
    dataset = open_source(objects.at("in.csv"))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("orchestrator.data.files.os.fsync", full)

    def write() -> None:
        with open_target(location(objects.at("out.csv")), like=dataset, schema=dataset.schema) as writer:
            writer.write(next(dataset.batches()))

    with pytest.raises(OutputError, match="no space left") as caught:
        write()
    assert f"The private copy of {objects.at('out.csv')} in " in caught.value.message
    assert "TMPDIR" in caught.value.advice


def test_a_web_page_can_be_read_and_not_written(s3: S3Server) -> None:
    """A signed address works, and its signature is shown nowhere."""
    s3.put("in.csv", CSV)
    signed = s3.client.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": "in.csv"})
    dataset = open_source(signed)
    assert (dataset.rows, dataset.name) == (2, "in.csv")
    dataset.check_unchanged()
    assert str(dataset.place) == f"{s3.url}/{BUCKET}/in.csv?…"
    with pytest.raises(UsageError, match="read, but not written") as caught:
        check_target(location(signed))
    assert "Signature" not in sentence(caught)


def test_a_redirect_is_told_neither_the_signature_nor_the_login() -> None:
    """The next server got the whole signed address as the Referer; a login goes no further than its own server."""
    asked: list[tuple[str, str | None, str | None]] = []
    places: dict[str, str] = {}

    class Page(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Silent."""

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            asked.append((path, self.headers["Authorization"], self.headers["Referer"]))
            self.send_response(302 if path in places else 200)
            if path in places:
                self.send_header("Location", places[path])
            self.send_header("Content-Length", "0" if path in places else str(len(CSV)))
            self.send_header("Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT")
            self.end_headers()
            self.wfile.write(b"" if path in places else CSV)

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as one, ThreadingHTTPServer(("127.0.0.2", 0), Page) as two:
        for server in (one, two):
            Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        places |= {"/a.csv": "/b.csv?sig=Geheim", "/b.csv": f"http://127.0.0.2:{two.server_port}/c.csv"}
        dataset = open_source(f"http://u:Geheim@127.0.0.1:{one.server_port}/a.csv?sig=Geheim")
        assert (dataset.rows, dataset.name) == (2, "a.csv")
        one.shutdown()
        two.shutdown()
    login = f"Basic {b64encode(b'u:Geheim').decode()}"
    assert set(asked) == {("/a.csv", login, None), ("/b.csv", login, None), ("/c.csv", None, None)}


def test_without_the_library_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named."""
    monkeypatch.setitem(__import__("sys").modules, "obstore.store", None)
    with pytest.raises(DataError, match="need obstore") as caught:
        open_source("s3://bucket/x.csv")
    assert "cleanroom[objects]" in caught.value.advice


def test_what_a_killed_process_left_is_removed(places: Path) -> None:
    """Only where nobody holds its lock, and it is not just being made."""
    left, young = places / "cleanroom-data-left", places / "cleanroom-data-young"
    left.mkdir()
    (left / "rows").write_text("private")
    young.mkdir()
    used = Spool()
    for folder in (left, used.folder):
        os.utime(folder, (1, 1))
    Spool()
    assert not left.exists()
    assert young.exists()
    assert used.folder.exists()
