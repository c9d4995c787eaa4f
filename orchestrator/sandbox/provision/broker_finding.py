"""Whether a broker runs, as a line of `cleanroom doctor`. Called by doctor.py, with or without an engine."""

from orchestrator.core.errors import CleanroomError
from orchestrator.sandbox.broker.broker_client import running_broker
from orchestrator.sandbox.provision.finding import DoctorFinding
from orchestrator.sandbox.provision.recipe import read_recipe

NAME = "broker"


def broker_finding() -> DoctorFinding:
    """`ok` where one answers with this version's image, `warn` where it does not, `info` where there is none."""
    try:
        broker = running_broker()
        if broker is None:
            advice = "`cleanroom broker` makes containers for users without rights on the engine (docs/engines.md)."
            return DoctorFinding(name=NAME, value="none runs", state="info", advice=advice)
        image = broker.image(read_recipe().tag)
    except CleanroomError as error:
        return DoctorFinding(name=NAME, value=error.message, state="warn", advice=error.advice)
    return DoctorFinding(name=NAME, value=f"answers, image {image[:19]}", advice="Commands use it; it has the rights.")
