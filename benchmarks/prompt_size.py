"""What a prompt of a wide table costs, and which planted cells it shows: `python -m benchmarks.prompt_size`.

A table of 3,000 rows and 20 columns, in which every kind of mistake stands in one to three cells. A planted cell counts
as shown when the cell itself, or its exact form beside a count, stands in the prompt. Tokens are counted with the
tokenizer that LiteLLM installs. Needs no model, no network and no container. Prints one line per question.
"""

import json
import random
from typing import TYPE_CHECKING

import pyarrow as pa

from orchestrator.core.requests import ProposalRequest
from orchestrator.propose.llm.chat import Message
from orchestrator.propose.llm.litellm_chat import load_litellm
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.propose.scripted_models import ScriptedChat

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = 3_000
INSTRUCTION = "Phone numbers to E.164, dates of order_date as ISO dates, correct the spelling of status."
PLANTED = {
    "phone": ["030/1234 567", "(0)30 998877", "+49-30-55512", "tel: 030 4444", "n/a"],
    "order_date": ["2024-13-01", "1st May 2024", "01.02.24", "2024/5/6", "20240506", "unknown"],
    "status": ["shiped", "Pendng", "CANCELED", "deliverd "],
    "amount": ["1.234,50", "-", "12 EUR", "1e3", "(45.00)"],
    "weight_kg": ["n/a", "2,5", "950 g"],
    "zip": ["1234", "D-10115", "O0115"],
    "email": ["a@@b.de", "x at y.com", "none"],
    "rating": ["5/5", "four"],
    "country": ["Germny", "DE ", "d"],
}
_STREETS = ("Main Street", "Ahornweg", "Rue de la Paix", "Elm Road", "Bahnhofstr.", "Via Roma")
_NAMES = ("Ada", "Grace", "Linus", "Ken", "Barbara", "Edsger", "Donald", "Margaret")
_WORDS = ("fragile", "leave at the door", "call first", "gift", "second floor", "no hurry", "weekdays only")


def table(seed: int = 7) -> pa.Table:
    """The rows, the same for the same seed."""
    dice = random.Random(seed)
    make: dict[str, Callable[[int], object]] = {
        "id": lambda n: n,
        "order_no": lambda n: f"ORD-{n:06d}",
        "customer": lambda _: f"{dice.choice(_NAMES)} {dice.choice(_NAMES)}son",
        "email": lambda n: f"user{n}@example.{dice.choice(['com', 'org', 'net'])}",
        "phone": lambda _: f"+49 30 {dice.randrange(10**6, 10**7)}",
        "street": lambda _: f"{dice.choice(_STREETS)} {dice.randrange(1, 300)}",
        "city": lambda _: dice.choice(["Berlin", "Hamburg", "Ulm", "Bad Tölz", "Köln", "Bonn"]),
        "zip": lambda _: f"{dice.randrange(10_000, 99_999)}",
        "country": lambda _: dice.choice(["Germany", "France", "Austria", "Italy"]),
        "order_date": lambda _: f"2024-{dice.randrange(1, 13):02d}-{dice.randrange(1, 29):02d}",
        "shipped_at": lambda _: f"2024-{dice.randrange(1, 13):02d}-{dice.randrange(1, 29):02d}T10:00:00Z",
        "status": lambda _: dice.choice(["shipped", "pending", "cancelled", "delivered"]),
        "amount": lambda _: f"{dice.randrange(100, 99_999) / 100:.2f}",
        "currency": lambda _: dice.choice(["EUR", "EUR", "EUR", "USD"]),
        "quantity": lambda _: dice.randrange(1, 12),
        "weight_kg": lambda _: f"{dice.randrange(1, 300) / 10:.1f}",
        "rating": lambda _: str(dice.randrange(1, 6)),
        "sku": lambda _: f"{dice.choice('ABCDEF')}{dice.randrange(100, 999)}-{dice.randrange(10, 99)}",
        "note": lambda _: f"{dice.choice(_WORDS)}, {dice.choice(_WORDS)}" if dice.random() < 0.7 else "",
        "source": lambda _: dice.choice(["web", "app", "phone", "shop"]),
    }
    columns: dict[str, list[object]] = {name: [one(n) for n in range(ROWS)] for name, one in make.items()}
    for name, cells in PLANTED.items():
        for cell in cells:
            for row in dice.sample(range(ROWS), dice.randrange(1, 4)):
                columns[name][row] = cell
    return pa.table(columns)


def shown(text: str) -> int:
    """How many of the planted cells stand in the prompt as they are."""
    return sum(json.dumps(cell, ensure_ascii=False) in text for cells in PLANTED.values() for cell in cells)


def tokens(*messages: Message) -> int:
    """As LiteLLM's tokenizer counts them."""
    return sum(load_litellm().token_counter(model="", text=message.content) for message in messages)


def main() -> None:
    """Print the figures."""
    planted = sum(map(len, PLANTED.values()))
    rows = table()
    for about, instruction in (("three columns named", INSTRUCTION), ("no instruction", "")):
        chat = ScriptedChat(["<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"] * 9)
        ModelProposer(chat, protocol="xml").analyse(ProposalRequest(rows, instruction))
        asked = chat.asked[0].messages
        text = "\n".join(message.content for message in asked[1:])
        wanted = [cell for name in ("phone", "order_date", "status") for cell in PLANTED[name]]
        named = sum(json.dumps(cell) in text for cell in wanted)
        print(
            f"{about:<22} {tokens(*asked):>6,} tokens, of them {tokens(asked[0]):,} in the system message; "
            f"planted cells shown: {shown(text)} of {planted}, of the named columns {named} of {len(wanted)}"
        )


if __name__ == "__main__":
    main()
