"""A gate over the sandbox without isolation, and a sample with the mess that these tests are about."""

import random
from collections.abc import Callable, Iterator

import pyarrow as pa
import pytest

from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate.judge.judge_entry import ENTRY
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

Judge = Callable[..., Verdict]

CITIES = ("Rome", "Paris", "New York", "Buenos Aires", "Oslo", "Lima")
NAMES = ("ada LOVELACE", "Alan Turing", "GRACE HOPPER", "Edsger Dijkstra", "barbara liskov", "Ken Thompson")
STATUS = ("shipped", "Shipped", "SHIPED", "pending", "Pending ", "cancelled", "canceled", "returned")
STATES = ("California", "CA", "Texas", "TX", "New York", "NY", "Ohio", "OH")
ACTIVE = ("yes", "Y", "true", "1", "no", "N", "false", "0")
MISSING = ("N/A", "null", "-", "unknown", "fine", "late", "call back", "left at door")


@pytest.fixture(scope="session")
def local_sandbox() -> Iterator[LocalSandbox]:
    with LocalSandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def disposable() -> Iterator[DisposableProcess]:
    with DisposableProcess(ENTRY) as process:
        yield process


@pytest.fixture(scope="session")
def gate(local_sandbox: LocalSandbox, disposable: DisposableProcess) -> Verifier:
    """The gate with little processor time, so that an endless loop costs two seconds, however busy the machine is."""
    policy = Policy()
    limits = policy.limits.model_copy(update={"wall_s": 20.0, "cpu_s": 2.0})
    return Verifier(local_sandbox, disposable, policy.model_copy(update={"limits": limits}), seed=lambda: 20261120)


def orders(rows: int, seed: int, start: int = 0) -> pa.Table:
    """Orders as they arrive: all text, as out of a CSV file, plus one integer, one float and one boolean column."""
    draw = random.Random(seed)  # noqa: S311 - data for a test
    lines = [_order(start + number, draw) for number in range(rows)]
    return pa.Table.from_pylist(lines, schema=SCHEMA)


def _order(number: int, draw: random.Random) -> dict[str, object]:
    year, month, day = draw.randint(2015, 2024), draw.randint(1, 12), draw.randint(1, 28)
    dates = (f"{year}-{month:02}-{day:02}", f"{month:02}/{day:02}/{year}", f"{day} {_MONTHS[month - 1]} {year}")
    phone = f"{draw.randint(200, 999)}{draw.randint(200, 999)}{draw.randint(1000, 9999)}"
    phones = (f"({phone[:3]}) {phone[3:6]}-{phone[6:]}", f"{phone[:3]}.{phone[3:6]}.{phone[6:]}", phone, None)
    amount = draw.randint(100, 999_999) / 100
    city = draw.choice(CITIES)
    return {
        "id": f"A{number:05}",
        "name": draw.choice(NAMES),
        "city": draw.choice((city, f" {city}", f"{city}  ", city)),
        "note": draw.choice(
            ("a  b", "leave at   door", "ring twice", "fish &amp; chips", "caf\u00e9", "cafe\u0301", None)
        ),
        "date": draw.choice(dates),
        "phone": draw.choice(phones),
        "amount": draw.choice((f"{amount:.2f}", f"${amount:,.2f}", f"{amount:,.2f} USD")),
        "weight": draw.choice((f"{draw.randint(1, 90) / 2}", f"{draw.randint(1, 90) / 2} kg")),
        "status": draw.choice(STATUS),
        "active": draw.choice(ACTIVE),
        "state": draw.choice(STATES),
        "zip": str(draw.randint(501, 99_950)),
        "comment": draw.choice(MISSING),
        "quantity": draw.choice((1, 2, 3, 40, -1, None)),
        "score": draw.choice((0.5, 1.25, -0.0, 99.125, None)),
        "paid": draw.choice((True, False, None)),
    }


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TYPES = {"quantity": pa.int64(), "score": pa.float64(), "paid": pa.bool_()}
_COLUMNS = (
    "id", "name", "city", "note", "date", "phone", "amount", "weight", "status", "active", "state", "zip", "comment",
    "quantity", "score", "paid",
)  # fmt: skip
SCHEMA = pa.schema([pa.field(name, _TYPES.get(name, pa.string())) for name in _COLUMNS])


@pytest.fixture(scope="session")
def sample() -> Sample:
    return Sample(orders(120, 1), orders(40, 2, start=1000))


@pytest.fixture
def judge(gate: Verifier, sample: Sample) -> Judge:
    """Judge a source against the orders, quickly unless asked otherwise."""

    def ask(source: str, **options: object) -> Verdict:
        options.setdefault("quick", True)
        return gate.verify(VerifyRequest(source, sample, **options))  # type: ignore[arg-type] # options of verify, passed on as they are

    return ask
