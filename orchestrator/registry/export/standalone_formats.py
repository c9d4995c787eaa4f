"""Which kinds of files an exported `cleaning_functions.py` cleans, and by what. `export` copies this text into it."""

# --- parts ---
from orchestrator.registry.export.standalone_csv import clean_csv
from orchestrator.registry.export.standalone_files import PACKINGS, Counted, Source, member, packing
from orchestrator.registry.export.standalone_json import clean_json, clean_json_records
from orchestrator.registry.export.standalone_parquet import clean_parquet

# --- end of parts ---
CLEANERS = {"csv": clean_csv, "tsv": clean_csv, "jsonl": clean_json, "json": clean_json, "parquet": clean_parquet}

__all__ = ["CLEANERS", "PACKINGS", "Counted", "Source", "clean_json_records", "member", "packing"]
