"""A fitted function that writes what most rows of a key say, and what is made of it. For the tests of apply."""

import importlib.util
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

from orchestrator.core.fitted import LearntState
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.gate import candidate_file
from orchestrator.registry.export.export import export_functions

MAJORITY = '''"""Rows of a key should agree."""
CONTRACT = {"shape": "fitted", "modifies": ["city"]}


def fit(df):
    votes = {}
    for key, city in zip(df["id"].tolist(), df["city"].tolist()):
        of_key = votes.setdefault(key, {})
        of_key[city] = of_key.get(city, 0) + 1
    return votes


def merge(one, other):
    made = {key: dict(votes) for key, votes in one.items()}
    for key, votes in other.items():
        for city, count in votes.items():
            made.setdefault(key, {})[city] = made.get(key, {}).get(city, 0) + count
    return made


def transform(df, state):
    """Write what most rows of the key say."""
    right = [max(sorted(state[k]), key=state[k].get) if k in state else c for k, c in zip(df["id"], df["city"])]
    return df.assign(city=right)
'''
ROWS = "id,city\na,Rome\nb,Oslo\na,Rom\nb,Oslo\nb,Olso\na,Rome\n"
CLEAN = "id,city\na,Rome\nb,Oslo\na,Rome\nb,Oslo\nb,Oslo\na,Rome\n"


def promoted(source: str, state: str = '{"a":{"Rimini":1}}') -> Promoted:
    """A promoted fitted function, proved with another state than that of the file."""
    candidate = candidate_file.read(source)
    verdict = Verdict(
        candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=(), state=LearntState.of(state, 1)
    )
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


def exported(function: Promoted, state: LearntState, folder: Path) -> ModuleType:
    """The file that runs without cleanroom, loaded."""
    path = folder / "cleaning_functions.py"
    path.write_text(export_functions([function.model_copy(update={"learnt": state})]), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("cleaning_functions_fitted", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
