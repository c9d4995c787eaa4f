"""The one list of checks, in the order in which a verdict shows them.

Called by the verdict builder, the judge and the reports. A new check is a module with a `CHECK` and a line here.
"""

from orchestrator.gate import screen
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
    stateless,
    touches_only_declared,
    user_checks,
)
from orchestrator.gate.checks.fitted_checks import learns, learns_more, leaves_unseen, merges

CHECKS = (
    screen.CHECK,
    learns.CHECK,
    merges.CHECK,
    leaves_unseen.CHECK,
    learns_more.CHECK,
    executed.CHECK,
    returns_shape.CHECK,
    rows_kept.CHECK,
    columns_kept.CHECK,
    dtypes_kept.CHECK,
    touches_only_declared.CHECK,
    effective.CHECK,
    precise.CHECK,
    keeps_information.CHECK,
    idempotent.CHECK,
    deterministic.CHECK,
    split_invariant.CHECK,
    order_equivariant.CHECK,
    stateless.CHECK,
    pure.CHECK,
    examples.CHECK,
    user_checks.CHECK,
    edges.CHECK,
    properties.CHECK,
    holdout.CHECK,
    composes.CHECK,
    resources.CHECK,
    confirmed.CHECK,
)
ORDER = tuple(check.id for check in CHECKS)
STRUCTURAL = frozenset(check.id for check in CHECKS if check.structural)
