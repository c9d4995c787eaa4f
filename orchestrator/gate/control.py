"""The control function: before a candidate is blamed for its time, a function of known cost does the same work.

Called by `execution`. What it costs grows with the rows and with nothing else, and it manages all that any function
must manage. It runs on the candidate's inputs, within the candidate's limits, in a container of the same kind: where it
is too slow as well, or its cost seems to grow faster than the rows, the machine is what was measured. It is run only
where a check is about to fail for want of time, so that it costs nothing otherwise; not for a candidate that has used
up its processor time, which no other process can take from it.
"""

from collections.abc import Sequence
from dataclasses import replace

from orchestrator.core.candidate import Shape
from orchestrator.core.jobs import Child, Job, Program

NAME = "strip_cells"
_BY_ROW = '''
def {name}({argument}):
    """Strip the cells."""
    for _ in range(8):
        {strip}
    return {argument}
def detect({argument}):
    """Whether there is something to strip."""
    return False
'''
_OF_TABLES = '''
def {name}(df):
    """Strip the cells."""
    out = df.copy()
    for _ in range(8):
        for place in range(out.shape[1]):
            [str(cell).strip().split() for cell in out.iloc[:, place].tolist()]
    return out
def detect(df):
    """Whether there is something to strip."""
    return [False] * len(df)
'''
_STRIP = {Shape.RECORD: "[str(cell).strip().split() for cell in record.values()]", Shape.TEXT: "text.strip().split()"}


def program(of: Program) -> Program:
    """The control function in the place of a program."""
    if of.shape in _STRIP:
        source = _BY_ROW.format(name=NAME, argument=of.shape.argument, strip=_STRIP[of.shape])
    else:
        source = _OF_TABLES.format(name=NAME)
    return Program(NAME, source, of.shape, of.columns)


def job(of: Job, children: Sequence[Child]) -> Job:
    """The job that these children are of, with the control function in it."""
    cases = (tuple(replace(case, program=None) for case in child.cases) for child in children)
    alone = tuple(replace(child, cases=each) for child, each in zip(children, cases, strict=True))
    return replace(of, programs=(program(of.programs[0]),), children=alone)
