"""What every exported `cleaning_functions.py` consists of, beside the functions themselves. Read as text by `export`.

It imports nothing of cleanroom, so that the exported file runs on its own; its reading and writing follow `data/`,
and a test holds its results against those of the sandboxed apply.
"""

import os
import sys

if __name__ == "__main__":  # a module beside this file is not what is meant: the manifest does not name it
    _here = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120 - pathlib could be such a module
    sys.path[:] = [path for path in sys.path if os.path.realpath(path) != _here]

import argparse
import base64
import copy
import hashlib
import json
import linecache
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

try:
    import pandas as pd
except ModuleNotFoundError as missing:
    if __name__ != "__main__" or missing.name != "pandas":
        raise
    sys.exit(f"{Path(__file__).name} needs pandas; install it for this Python: {sys.executable} -m pip install pandas")

if pd.__version__.partition(".")[0] != "3":  # texts, missing values and copies are others in other ones
    _said = f"the functions were proved with pandas 3, and do other things in {pd.__version__}: install 'pandas>=3,<4'"
    if __name__ != "__main__":
        raise ImportError(_said)
    sys.exit(f"{Path(__file__).name}: {_said}")


def _check_unchanged() -> None:
    """End the program unless the signed manifest beside this file names it by its hash, as it is.

    This shows accidents and careless changes. Who signed the manifest is for `cleanroom registry verify` to say.
    """
    here = Path(__file__).resolve()
    own = hashlib.sha256(here.read_bytes()).hexdigest()
    for folder in (here.parent / "registry", here.parent):
        try:
            manifest = (folder / "manifest.json").read_bytes()
            envelope = json.loads((folder / "manifest.dsse.json").read_bytes())
            statement = json.loads(base64.b64decode(envelope["payload"]))
            signed = statement["subject"][0]["digest"]["sha256"] == hashlib.sha256(manifest).hexdigest()
            if signed and own in json.loads(manifest)["files"].values():
                return
        except (OSError, ValueError, KeyError, TypeError, LookupError, AttributeError):
            continue
    sys.stderr.write(
        f"{here.name}: the signed manifest beside it does not name this file as it is. Keep it in the folder of its "
        "export, or export it again: cleanroom registry export\n"
    )
    sys.exit(1)


if __name__ == "__main__":
    _check_unchanged()  # before any function is loaded


class Function(NamedTuple):
    """A function as it was promoted: `apply` takes and returns a DataFrame, a dict or a str, as its shape says.

    A function of texts cleans every text in its columns. A fitted one has a `state`: what it has learnt, as JSON. To
    learn anew: `fit(frame)`, `merge(state, state)`, then `knowing(state)`. `needs`: columns without which it fails.
    `modifies`, `adds`, `drops`, `drops_rows`: what it may change, or any column where `modifies` is None.
    """

    name: str
    source: str
    apply: Callable[[Any], Any]
    shape: str = "table"
    columns: tuple[str, ...] = ()
    state: str = ""
    fit: Callable[[Any], Any] | None = None
    merge: Callable[[Any, Any], Any] | None = None
    modifies: tuple[str, ...] | None = None
    adds: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    drops_rows: bool = False
    needs: tuple[str, ...] = ()
    transform: Callable[[Any, Any], Any] | None = None

    def knowing(self, state: str) -> "Function":
        """The fitted function with another state."""
        transform = self.transform
        return self._replace(state=state, apply=lambda frame: transform and transform(frame, json.loads(state)))


def _load(
    name: str,
    sha256: str,
    text: str,
    shape: str = "table",
    columns: tuple[str, ...] = (),
    entry: str = "",
    state: str = "",
    **declared: Any,
) -> Function:
    """Run the source in a module of its own and take its function. Refuses a text other than the proved one."""
    source = text[1:]  # the first line break only makes the listing readable
    if hashlib.sha256(source.encode()).hexdigest() != sha256:
        raise ImportError(f"{name} is not the text that was proved: it was changed after its export")
    filename = f"<{name} of {Path(__file__).name}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    code = compile(source, filename, "exec", dont_inherit=True, optimize=0)  # with its asserts, whatever -O says
    part = partial(Proved, code, f"{__name__}.{name}", by_row=shape in ("record", "text"))
    apply = part(entry or name)
    if shape != "fitted":
        return Function(name, source, apply, shape, columns, **declared)
    fit, merge = part("fit"), part("merge")
    return Function(name, source, apply, shape, fit=fit, merge=merge, transform=apply, **declared).knowing(state)


# --- apart ---
from orchestrator.registry.export.standalone_apart import (  # noqa: E402 - `export` puts that module's text here
    Proved,
    applied,
    as_passed_on,
)
from orchestrator.registry.export.standalone_contract import as_declared_record, as_text  # noqa: E402 - and that one's
from orchestrator.registry.export.standalone_learning import refuse_missing, taught  # noqa: E402 - and that one's

# --- end of apart ---


# --- helpers ---
# --- end of helpers ---
# --- functions ---
FUNCTIONS: tuple[Function, ...] = ()
# --- end of functions ---


def clean(frame: pd.DataFrame, functions: tuple[Function, ...] | None = None) -> pd.DataFrame:
    """A copy of the frame with every function, or those given, applied in order; fitted ones with the state they have.

    Raises ValueError where a column is missing, and what a function raises.
    """
    chosen = FUNCTIONS if functions is None else functions
    for function in chosen:
        refuse_missing(function, frame)
    if FUNCTIONS and FUNCTIONS[0].shape in ("record", "text"):
        return _clean_rows(frame.copy())
    labels, cleaned = frame.index, frame.reset_index(drop=True)  # as proved: a new column is aligned by the labels
    for function in chosen:
        try:
            made, left = applied(function, cleaned, f"{__name__}.{function.name}")
        except Exception as error:
            vars(error).setdefault("cleanroom_function", function.name)  # for the program's message
            raise
        labels, cleaned = labels.take(left), restore_lost_types(cleaned, as_passed_on(cleaned, made))
    return cleaned.set_axis(labels)


def clean_record(record: dict[str, Any], row: int = 0) -> dict[str, Any]:
    """The record with every function of records and texts applied, in order; the one that is given stays as it is."""
    for function in FUNCTIONS:
        given, record = record, copy.deepcopy(record)
        try:
            if function.shape == "record":
                record = as_declared_record(function, given, function.apply(record))
            for name in function.columns:
                if isinstance(record.get(name), str):
                    record[name] = as_text(function.apply(record[name]))
        except Exception as error:
            vars(error).setdefault("cleanroom_function", function.name)
            vars(error)["cleanroom_row"] = row
            raise
    return record


def _clean_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with each row cleaned as a record in which a missing value is None; in place."""
    columns = {str(name): [_plain_value(value) for value in frame[name].tolist()] for name in frame.columns}
    given = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    made = [clean_record(record, row) for row, record in enumerate(given)]
    left = [*columns]
    for function in FUNCTIONS:
        left = [name for name in left if name not in function.drops] + [*function.adds]
    for name in dict.fromkeys([*left, *(key for record in made for key in record)]):  # also where no row has it
        values = [record.get(name) for record in made]
        if name not in columns:
            frame[name] = values
        elif values != columns[name]:
            frame[name] = pd.Series(values, index=frame.index, dtype=_fitting(frame[name].dtype, values))
    return frame.drop(columns=[name for name in columns if name not in left])


def _plain_value(value: Any) -> Any:
    return None if pd.api.types.is_scalar(value) and pd.isna(value) else value


def _fitting(dtype: Any, values: list[Any]) -> Any:
    """The type that the column had, if the values fit it."""
    try:
        pd.Series(values, dtype=dtype)
    except (TypeError, ValueError):
        return object
    return dtype


# --- lost types ---
from typing import TYPE_CHECKING  # noqa: E402 - all of this is replaced

if TYPE_CHECKING:
    from lost_types import restore_lost_types  # noqa: TC004 - `export` puts the text of sandbox_image/lost_types.py here
# --- end of lost types ---


# --- formats ---
from orchestrator.registry.export.standalone_formats import (  # noqa: E402 - `export` puts that module's text here
    CLEANERS,
    Counted,
    Source,
    clean_json_records,
    kind_by_suffix,
    packing,
)

# --- end of formats ---


def clean_file(source: Path, target: Path, encoding: str | None = None, delimiter: str | None = None) -> None:
    """Clean a CSV, TSV, JSON Lines, JSON or Parquet file, also a packed one; the result appears whole or not at all.

    Rows are read, cleaned and written some thousand at a time, as `cleanroom apply` does; before that each fitted
    function learns from all of them. `encoding`: that of a CSV or TSV file without a byte order mark, else UTF-8.
    `delimiter`: what parts its columns, else guessed. Raises ValueError.
    """
    kind = kind_by_suffix(source)
    if kind_by_suffix(target, source) != kind:
        raise ValueError(f"{source.name} and {target.name} must be of the same kind")
    if os.path.realpath(source) == os.path.realpath(target) or (target.exists() and source.samefile(target)):
        raise ValueError("input and output are the same file; name another output")
    by_row = bool(FUNCTIONS) and FUNCTIONS[0].shape in ("record", "text")
    if kind not in ("csv", "tsv") and (encoding or delimiter) is not None:
        raise ValueError("only CSV and TSV have an encoding and a delimiter to choose; leave that option out")
    given = Source(source, encoding or "utf-8", delimiter)
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.resolve().parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            with packing(file, target) as packed:
                if by_row and kind in ("jsonl", "json"):
                    clean_json_records(given, kind, Counted(clean_record, source.name), packed)
                else:
                    passed = partial(CLEANERS[kind], given, kind)
                    known = taught(FUNCTIONS, lambda take, nowhere: passed(Counted(take, source.name), nowhere), clean)
                    passed(Counted(partial(clean, functions=known), source.name), packed)
            given.check_unchanged()
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0o022)
        os.umask(mask)
        own = target.exists() and target.stat().st_uid == Path(name).stat().st_uid  # not of a file others put there
        Path(name).chmod(target.stat().st_mode & 0o777 if own else 0o666 & ~mask)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def main() -> None:
    parser = argparse.ArgumentParser(description="Clean a CSV, TSV, JSON, JSON Lines or Parquet file.")
    parser.add_argument("source", type=Path, metavar="IN")
    parser.add_argument("target", type=Path, metavar="OUT")
    parser.add_argument("--encoding", help="of a CSV or TSV file that is not UTF-8, as in cp1252")
    parser.add_argument("--delimiter", help="of a CSV or TSV file where it is guessed wrong: ';', '|', '\\t', …")
    options = parser.parse_args()
    try:
        clean_file(options.source, options.target, options.encoding, options.delimiter)
    except UnicodeEncodeError as error:
        parser.exit(2, f"{parser.prog}: {options.target}: the result has a character that {error.encoding} lacks\n")
    except UnicodeDecodeError as error:
        line = Source(options.source, options.encoding or "utf-8").first_unreadable()
        where = f"line {line}: " if line else ""
        parser.exit(
            2, f"{parser.prog}: {options.source}: {where}not all of it is {error.encoding}; say --encoding NAME\n"
        )
    except ValueError as error:  # JSONDecodeError is among them
        said = "".join(char if char.isprintable() else " " for char in str(error))
        parser.exit(2, f"{parser.prog}: {options.source}: {said}\n")
    except ModuleNotFoundError as error:
        install = f"{sys.executable} -m pip install {error.name}"
        parser.exit(2, f"{parser.prog}: {options.source}: this needs {error.name}; install it: {install}\n")
    except OSError as error:
        name = options.source if error.filename == str(options.source) else options.target  # never the hidden file
        parser.exit(3, f"{parser.prog}: {name}: {error.strerror}\n")


if __name__ == "__main__":
    main()
