"""Which kinds of files an exported `cleaning_functions.py` cleans, and by what. `export` copies this text into it."""

from pathlib import Path

# --- parts ---
from orchestrator.registry.export.standalone_csv import clean_csv
from orchestrator.registry.export.standalone_files import PACKINGS, Counted, Source, member, packing
from orchestrator.registry.export.standalone_json import clean_json, clean_json_records
from orchestrator.registry.export.standalone_parquet import clean_parquet

# --- end of parts ---
CLEANERS = {"csv": clean_csv, "tsv": clean_csv, "jsonl": clean_json, "json": clean_json, "parquet": clean_parquet}

_KINDS = {".csv": "csv", ".txt": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_KINDS |= {".json": "json", ".geojson": "json", ".parquet": "parquet", ".pq": "parquet"}


def kind_by_suffix(path: Path, like: Path | None = None) -> str:
    """The format by the suffix; of a packed file, by that before it, else that of the file in the zip, or of `like`."""
    packed = path.suffix.lower() in PACKINGS
    suffix = Path(path.stem).suffix if packed else path.suffix
    if packed and not suffix and like is not None:
        return kind_by_suffix(like)
    if packed and not suffix and path.suffix.lower() == ".zip":
        suffix = Path(member(path)).suffix
    kind = _KINDS.get(suffix.lower())
    if kind is None or (packed and kind == "parquet"):
        raise ValueError(
            f"files such as {path.name} cannot be cleaned here, but CSV, TSV, JSON Lines, JSON and Parquet files, the "
            "first four also packed (.gz, .zst, .bz2, .xz, .zip); `cleanroom apply` reads other kinds"
        )
    return kind


__all__ = ["CLEANERS", "Counted", "Source", "clean_json_records", "kind_by_suffix", "packing"]
