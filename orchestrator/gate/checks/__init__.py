"""The checks, one module each, in the order in which a verdict lists them. Called by gate.judge.judge.

A check looks at the view and answers with a result, or with None when it needs the confirming container first.
`screen` is judged before anything runs and is therefore no module here.
"""

from orchestrator.gate.checks import (
    columns_kept,
    composes,
    confirmed,
    deterministic,
    dtypes_kept,
    edges,
    effective,
    examples,
    executed,
    holdout,
    idempotent,
    keeps_information,
    order_equivariant,
    precise,
    properties,
    pure,
    resources,
    returns_shape,
    rows_kept,
    split_invariant,
    touches_only_declared,
    user_checks,
)

CHECKS = (
    executed,
    returns_shape,
    rows_kept,
    columns_kept,
    dtypes_kept,
    touches_only_declared,
    effective,
    precise,
    keeps_information,
    idempotent,
    deterministic,
    split_invariant,
    order_equivariant,
    pure,
    examples,
    user_checks,
    edges,
    properties,
    holdout,
    composes,
    resources,
    confirmed,
)
# While one of these fails, rows and columns cannot be told apart any more and nothing after it means anything.
STRUCTURE = frozenset({executed.ID, returns_shape.ID, rows_kept.ID, columns_kept.ID})

__all__ = ["CHECKS", "STRUCTURE"]
