"""What is advised about a file that cannot be read can be done, and what can be decided is decided."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.errors import DataError, UsageError
from orchestrator.core.wording import KEEP_APART, KEEP_APART_OF_UTF8, without_quarantine
from orchestrator.data.formats import open_dataset, open_writer
from tests.support.ole import ole_file

ENCRYPTED = ole_file("EncryptionInfo", "\x06DataSpaces", "Version", "EncryptedPackage")


def refused(path: Path, content: bytes, encoding: str | None = None, *, set_aside: bool = False) -> DataError:
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        for _ in open_dataset(path, encoding=encoding, set_aside=set_aside).read():
            pass
    return caught.value


def test_rows_of_a_text_are_not_advised_to_be_kept_apart(tmp_path: Path) -> None:
    """A `.txt` of sentences is no table in which a row could be set aside; the control is one of rows."""
    prose = "Café crème ouvert. Naïve façade.\n\nIt rains.\n".encode("cp1252")
    said = refused(tmp_path / "a.txt", prose)
    assert said.advice == "Say --encoding cp1252 if that is how the file is stored."
    assert open_dataset(tmp_path / "a.txt", encoding="cp1252").columns == ("text",)
    assert "--quarantine" in refused(tmp_path / "b.txt", "name,place\nZoë,Köln\n".encode("cp1252")).advice


@pytest.mark.parametrize("bad", [b"\xff", b"\0"])
def test_rows_are_to_be_kept_apart_where_that_is_possible(tmp_path: Path, bad: bytes) -> None:
    """In tables and in JSON Lines, where it is tried here; no document of one piece is told so."""
    rows = {
        "a.csv": b"a,b\n1,\xc3\xa9\n2,%s\n3,z\n4,q\n" % bad,
        "a.jsonl": b'{"a": "x"}\n{"a": "%s"}\n{"a": "y"}\n{"a": "z"}\n' % bad,
    }
    for name, content in rows.items():
        assert KEEP_APART in refused(tmp_path / name, content).advice
        assert len(open_dataset(tmp_path / name, set_aside=True).unreadable) == 1
    for name, content in {"a.json": b'[{"a": "%s"}]' % bad, "a.md": b"One.\n\nTwo %s.\n" % bad}.items():
        assert "--quarantine" not in refused(tmp_path / name, content).advice


def test_rows_that_are_not_kept_apart_without_an_encoding_are_with_it(tmp_path: Path) -> None:
    """A file of which no letter beyond ASCII is right may have another encoding."""
    content = b"a,b\n1,x\n2,\xff\n3,z\n4,q\n"
    assert "--encoding utf-8 must be said" in refused(tmp_path / "a.csv", content, set_aside=True).advice
    assert len(open_dataset(tmp_path / "a.csv", encoding="utf-8", set_aside=True).unreadable) == 1


def test_all_that_keeps_rows_apart_is_said_at_once(tmp_path: Path) -> None:
    """`--quarantine` alone was advised, and then refused since `--encoding` must be said, too."""
    said = refused(tmp_path / "a.csv", b"a,b\n1,x\n2,\xff\n3,z\n4,q\n")
    assert said.advice == f"Say --encoding NAME if that is how the file is stored. {KEEP_APART_OF_UTF8}"
    assert without_quarantine(said.advice) == "Say --encoding NAME if that is how the file is stored."
    json = refused(tmp_path / "a.jsonl", b'{"a": "x"}\n{"a": "\xff"}\n{"a": "y"}\n')
    assert KEEP_APART in json.advice  # it has no encoding that could be said
    known = refused(tmp_path / "b.csv", b"a,b\n1,x\n2,\x81\n3,z\n", "cp1252")
    assert KEEP_APART in known.advice


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("½ tablet", "cp1252"),
        ("Köln;½;¼;5 ± 1;2 × 3", "cp1252"),
        ("żółć;łódź", "cp1250"),
        ("привет", "cp1251"),
        ("año;niño;ó", "cp1252"),
        ("Þórshöfn;naïve;£12", "cp1252"),
        ("Það er gott veður á Þingvöllum", "cp1252"),
        ("Ţara Românească, învăţământ", "cp1250"),
        ("Małgorzata Kowalska; ulica Długa", "cp1250"),
        ("Đorđević, Čačak", "cp1250"),
        ("Győr, Szűcs Gáborné, Körösfő", "cp1250"),
        ("João põe o chapéu na mão", "cp1252"),
        ("õlu ja öö, kõik väärt", "cp1252"),
    ],
)
def test_the_message_says_which_encoding_it_looks_like(tmp_path: Path, text: str, codec: str) -> None:
    """Fractions and signs of measures are as usual as letters; of two that fit, only letters speak for cp1250."""
    said = refused(tmp_path / "a.csv", f"a\n{text}\n".encode(codec))
    assert said.message.endswith(f"it looks like {codec}.")
    assert said.advice.startswith(f"Say --encoding {codec} ")


@pytest.mark.parametrize("bad", [b"\xff", b"a\xffb", b"\xe6", b"\xd0x \xd1y"])
def test_a_letter_alone_is_of_no_other_script(tmp_path: Path, bad: bytes) -> None:
    """One byte among ASCII letters is no word of Russian or Greek."""
    said = refused(tmp_path / "a.csv", b"a,b\n1,%s\n" % bad)
    assert not any(codec in said.message for codec in ("cp1251", "cp1253"))


def test_a_text_that_ends_in_the_middle_of_a_character_is_said(tmp_path: Path) -> None:
    """It is in the encoding that was said, or that its mark says: that is not advised once more."""
    text = "a,b\n1,x\n".encode("utf-16-le") + b"x"
    for said in (refused(tmp_path / "a.csv", text, "utf-16-le"), refused(tmp_path / "a.csv", b"\xff\xfe" + text)):
        assert said.message.endswith("line 3: the file ends in the middle of a character of UTF-16-LE.")
        assert said.advice == "Check that it was written or copied completely."


def test_a_limit_is_said_with_its_number_and_what_to_do(tmp_path: Path) -> None:
    """Of keys in JSON Lines, of columns in Parquet."""
    keys = refused(tmp_path / "a.jsonl", b"\n".join(b'{"k%d": 1}' % i for i in range(2001)))
    assert "at most 2,000 keys" in keys.message
    assert keys.advice
    pq.write_table(pa.table({f"c{i}": [1] for i in range(20_001)}), tmp_path / "a.parquet")
    with pytest.raises(DataError, match="claims 20,001 columns and 1 row groups; at most 20,000 and") as columns:
        open_dataset(tmp_path / "a.parquet")
    assert columns.value.advice


@pytest.mark.parametrize("name", ["a.md", "a.pdf", "a.csv"])
def test_an_empty_file_needs_no_header_to_be_empty(tmp_path: Path, name: str) -> None:
    """No text and no document has one."""
    said = refused(tmp_path / name, b"")
    assert (said.message, said.advice) == (f"{tmp_path / name} is empty.", "Check how it was made or copied.")


@pytest.mark.parametrize("name", ["a.xlsx", "a.xls", "a.docx"])
def test_an_encrypted_file_is_told_from_an_older_one(tmp_path: Path, name: str) -> None:
    """The stream that holds what is encrypted stands in the directory; words in another stream say nothing."""
    assert refused(tmp_path / name, ENCRYPTED).message == f"{tmp_path / name} is encrypted."
    older = ole_file("Workbook") + "EncryptedPackage".encode("utf-16-le").ljust(512, b"\0")
    assert "is encrypted" not in refused(tmp_path / name, older).message


def test_several_documents_are_not_sent_from_one_format_to_the_other(tmp_path: Path) -> None:
    """Objects over several lines, one after the other, are neither JSON nor JSON Lines, and both say so."""
    several = b'{\n  "a": 1\n}\n{\n  "a": 2\n}\n'
    assert "jq -c . FILE > FILE.jsonl" in refused(tmp_path / "a.json", several).advice
    assert "--format json" in refused(tmp_path / "a.jsonl", several).advice
    assert "--format jsonl" in refused(tmp_path / "b.json", b'{"a": 1}\n{"a": 2}\n').advice


def test_rows_under_keys_of_their_own_can_be_made_a_list(tmp_path: Path) -> None:
    """As exports of key-value stores have them."""
    assert "to_entries" in refused(tmp_path / "a.json", b'{"x1": {"a": 1}, "x2": {"a": 2}}').advice


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("film.srt", "--format text"),
        ("mail.EML", "--format text"),
        ("access.log", "--parser"),
        ("a.feather", "as Parquet"),
        ("a.xml", "JSON Lines or CSV"),
        ("a.zzz", "Use CSV (.csv)"),
    ],
)
def test_a_known_kind_without_a_reader_has_advice_of_its_own(tmp_path: Path, name: str, advice: str) -> None:
    """A list of all formats says nothing to somebody with subtitles."""
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(UsageError, match="cannot be read or written yet") as said:
        open_dataset(tmp_path / name)
    assert advice in (said.value.advice or "")
    (tmp_path / "like.csv").write_text("a\n1\n")
    like = open_dataset(tmp_path / "like.csv")
    with pytest.raises(UsageError, match="cannot be read or written yet") as said:  # no reader helps to write one
        open_writer(tmp_path / name, like=like, schema=like.schema)
    assert said.value.advice == "Name a file that ends in .csv, .jsonl, .parquet, …"


def test_features_of_a_map_are_rows_of_json(tmp_path: Path) -> None:
    """GeoJSON is JSON under another name."""
    place = (
        '{"type": "Feature", "properties": {"name": "Oslo"}, "geometry": {"type": "Point", "coordinates": [10, 59]}}'
    )
    (tmp_path / "a.geojson").write_text(f'{{"type": "FeatureCollection", "features": [{place}]}}')
    data = open_dataset(tmp_path / "a.geojson")
    assert (data.format, data.rows, data.columns) == ("json", 1, ("type", "properties", "geometry"))


def test_columns_of_fixed_width_are_told_where_a_comma_stops_them(tmp_path: Path) -> None:
    """The advice was about quotes and delimiters alone. The control: a row without columns parted by blanks."""
    header = "name      town\n"
    said = refused(tmp_path / "a.txt", f"{header}Ann       Ulm, Söflingen\n".encode(), "utf-8").advice
    assert said.startswith("If its columns are of fixed width, say --parser fixed-width. Otherwise: Delete")
    assert "fixed width" not in refused(tmp_path / "b.txt", f"{header}Ann,Ulm\n".encode(), "utf-8").advice


def test_columns_of_fixed_width_are_told_where_commas_part_names(tmp_path: Path) -> None:
    """Each line has one in the name of a person: it was read as two columns without a word. The control: no blanks."""
    lines = [
        f"{number:06}  {name:<16}{'IT':<8}2009" for number, name in enumerate(["Young, Liam", *["Bauer, Ben"] * 19])
    ]
    (tmp_path / "a.txt").write_text("\n".join(["NO      NAME            DEPT    HIRED", *lines, ""]))
    assert "if its columns are of fixed width, say --parser fixed-width" in open_dataset(tmp_path / "a.txt").notes
    (tmp_path / "b.txt").write_text("no,name\n" + "1,Young  Liam\n" * 10)
    assert open_dataset(tmp_path / "b.txt").notes == ()
