"""Makes runnable source out of an attack, and out of its control. Called by attack_runs.py and controls.py.

The word DOSE in a source stands for a value: a large one in the attack, a harmless one in the control, so that both are
the same program.
"""

import re

from orchestrator.sandbox.redteam.attack import Attack, Form
from orchestrator.sandbox.redteam.corpus import shared

_REPORT = """
def f(df):
    return df.assign(said=_report())
"""
_PRINT = """
print(_report())
"""


def attack_source(attack: Attack) -> str:
    """What goes into the sandbox (for a script: what runs on the host)."""
    return _assemble(attack, attack.source, attack.dose) + (_REPORT if attack.form is Form.PROBE else "")


def control_source(attack: Attack) -> str:
    """The harmless form. A probe's is a whole program that prints what it met."""
    control = attack.control
    dose = attack.dose if control.dose is None else control.dose
    return _assemble(attack, control.source or attack.source, dose) + (_PRINT if attack.form is Form.PROBE else "")


def _assemble(attack: Attack, source: str, dose: object) -> str:
    dosed = re.sub(r"\bDOSE\b", lambda _: repr(dose), source)
    helpers = [shared(name) for name in (*attack.uses, *(["probe"] if attack.form is Form.PROBE else []))]
    return "\n".join([*helpers, dosed])
