"""How people and programs spoil cells: each function makes one kind of mess, or None where it would change nothing.

Every mess can be undone from the data alone: the column's majority shows the form that was meant. Called by
`make_orders`.
"""

import html
import random
from collections.abc import Callable
from datetime import date

from examples.orders import pools

Mess = Callable[[random.Random, str], str | None]

NULL_TOKENS = ("N/A", "n/a", "null", "NULL", "-", "unknown", "None", "?")
NBSP = "\u00a0"
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
VOCABULARY = (
    *pools.PRODUCTS, *pools.PAYMENTS, *pools.STATUSES, *(place[0] for place in pools.PLACES),
)  # fmt: skip


def stray_blanks(rng: random.Random, value: str) -> str | None:
    return rng.choice((f" {value}", f"{value} ", f"  {value} ", f"{value}\t")) if value else None


def no_break_space(rng: random.Random, value: str) -> str | None:
    if " " in value and rng.random() < 0.5:
        return value.replace(" ", NBSP, 1)
    return f"{value}{NBSP}" if value else None


def double_spaces(rng: random.Random, value: str) -> str | None:
    return value.replace(" ", rng.choice(("  ", "   ")), 1) if " " in value else None


def null_token(rng: random.Random, value: str) -> str | None:
    """Only where the cell is really missing, so that the blank which others use is the truth."""
    return rng.choice(NULL_TOKENS) if not value else None


def wrong_case(rng: random.Random, value: str) -> str | None:
    """Another casing of a value whose right one is plain from the rest of the column."""
    return _other(value, rng.choice((value.upper(), value.lower(), value.title(), value.capitalize())))


def shouted_name(rng: random.Random, value: str) -> str | None:
    """Upper or lower case, only for names that title case restores (not McDonald, not van der Berg)."""
    return rng.choice((value.upper(), value.lower())) if value.title() == value and value.isascii() else None


def upper_case(_rng: random.Random, value: str) -> str | None:
    return _other(value, value.upper())


def lower_case(_rng: random.Random, value: str) -> str | None:
    return _other(value, value.lower())


def typo(rng: random.Random, value: str) -> str | None:
    """A letter lost, doubled, swapped or replaced; never in a form that is nearer to another true value."""
    if len(value) < 6 or not value.isascii():
        return None
    at = rng.randrange(1, len(value) - 1)
    spoilt = rng.choice((
        value[:at] + value[at + 1 :],
        value[:at] + value[at] + value[at:],
        value[:at] + value[at + 1] + value[at] + value[at + 2 :],
        value[:at] + rng.choice("aeiourstnx") + value[at + 1 :],
    ))  # fmt: skip
    same_letters = spoilt.split() == value.split() or spoilt.lower() == value.lower()
    rivals = (word for word in VOCABULARY if word != value)
    if same_letters or not spoilt[at].isalpha() or not value[at].isalpha() or any(_near(spoilt, r) for r in rivals):
        return None
    return spoilt


def date_format(rng: random.Random, value: str) -> str | None:
    """Slashes are always day first; days above 12 occur, so the column tells."""
    day = date.fromisoformat(value)
    return rng.choice((
        day.strftime("%d/%m/%Y"), day.strftime("%d/%m/%Y"), day.strftime("%d-%b-%Y"), day.strftime("%Y/%m/%d"),
        f"{day.strftime('%B')} {day.day}, {day.year}", f"{value} 00:00:00",
    ))  # fmt: skip


def money(rng: random.Random, value: str) -> str | None:
    amount = float(value)
    return _other(value, rng.choice((
        f"${value}", f"${amount:,.2f}", f"{amount:,.2f}", f"USD {value}", f"{value} USD", value.replace(".", ","),
    )))  # fmt: skip


def unit(rng: random.Random, value: str) -> str | None:
    if not value:
        return None
    number = value.removesuffix(" kg")
    grams = f"{float(number) * 1000:.0f} g"
    return rng.choice((f"{number}kg", f"{number.replace('.', ',')} kg", f"{number} KG", f"{number} kgs", grams))


def pieces(rng: random.Random, value: str) -> str | None:
    return rng.choice((f"{value} pcs", f"{value}pcs", f"{value} pc", f"{value}.0"))


def number_word(_rng: random.Random, value: str) -> str | None:
    return WORDS[int(value)]


def percent(rng: random.Random, value: str) -> str | None:
    number = value.removesuffix("%")
    return rng.choice((f"{number} %", f"{number} percent", f"{number} pct", f"{number}.0%"))


def boolean(rng: random.Random, value: str) -> str | None:
    return rng.choice(
        ("Yes", "Y", "y", "TRUE", "true", "1") if value == "yes" else ("No", "N", "n", "FALSE", "false", "0")
    )


def phone_format(rng: random.Random, value: str) -> str | None:
    if not value:
        return None
    area, office, line = value.split("-")
    return rng.choice((
        f"({area}) {office}-{line}", f"{area}.{office}.{line}", f"{area}{office}{line}", f"+1 {area} {office} {line}",
        f"1-{value}", f"{area} {office} {line}",
    ))  # fmt: skip


def lost_zero(_rng: random.Random, value: str) -> str | None:
    return value.lstrip("0") if value.startswith("0") else None


def float_tail(_rng: random.Random, value: str) -> str | None:
    return f"{value}.0" if not value.startswith("0") else None


def html_entity(_rng: random.Random, value: str) -> str | None:
    return _other(value, html.escape(value).replace("&#x27;", "&#39;"))


def mojibake(_rng: random.Random, value: str) -> str | None:
    """UTF-8 read as Windows-1252."""
    return None if value.isascii() else value.encode("utf-8").decode("cp1252")


def wrapping_quotes(_rng: random.Random, value: str) -> str | None:
    return f'"{value}"' if value else None


def state_name(_rng: random.Random, value: str) -> str | None:
    return pools.STATE_NAMES[value]


def ampersand_word(_rng: random.Random, value: str) -> str | None:
    return _other(value, value.replace("&", "and"))


def separator(rng: random.Random, value: str) -> str | None:
    return _other(value, value.replace(" ", rng.choice("_-"))) if "&" not in value else None


def _other(value: str, spoilt: str) -> str | None:
    return spoilt if spoilt != value else None


def _near(left: str, right: str) -> bool:
    """True when the two are at most two edits apart, the distance at which a person would hesitate."""
    if abs(len(left) - len(right)) > 2:
        return False
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1] <= 2


# Column → kinds with the share of its cells that each may take. A kind that does not fit a drawn cell leaves it alone.
PLAN: dict[str, tuple[tuple[str, Mess, float], ...]] = {
    "order_id": (("stray-blanks", stray_blanks, 0.02), ("case", lower_case, 0.015)),
    "order_date": (("date-format", date_format, 0.11), ("stray-blanks", stray_blanks, 0.01)),
    "customer_name": (
        ("stray-blanks", stray_blanks, 0.02),
        ("double-spaces", double_spaces, 0.02),
        ("case", shouted_name, 0.04),
        ("mojibake", mojibake, 0.15),
        ("html-entity", html_entity, 0.2),
        ("no-break-space", no_break_space, 0.01),
    ),
    "email": (("case", upper_case, 0.05), ("stray-blanks", stray_blanks, 0.03)),
    "phone": (
        ("phone-format", phone_format, 0.11),
        ("null-token", null_token, 0.3),
        ("stray-blanks", stray_blanks, 0.01),
    ),
    "street": (
        ("double-spaces", double_spaces, 0.03),
        ("stray-blanks", stray_blanks, 0.02),
        ("no-break-space", no_break_space, 0.01),
    ),
    "city": (
        ("typo", typo, 0.04),
        ("case", wrong_case, 0.03),
        ("stray-blanks", stray_blanks, 0.02),
        ("quotes", wrapping_quotes, 0.01),
    ),
    "state": (("state-name", state_name, 0.05), ("case", lower_case, 0.03), ("stray-blanks", stray_blanks, 0.01)),
    "zip": (("lost-leading-zero", lost_zero, 0.35), ("float-tail", float_tail, 0.03)),
    "category": (
        ("case", wrong_case, 0.04),
        ("typo", typo, 0.035),
        ("html-entity", html_entity, 0.04),
        ("ampersand-word", ampersand_word, 0.04),
        ("stray-blanks", stray_blanks, 0.015),
    ),
    "product": (
        ("mojibake", mojibake, 0.2),
        ("html-entity", html_entity, 0.15),
        ("quotes", wrapping_quotes, 0.015),
        ("double-spaces", double_spaces, 0.02),
        ("no-break-space", no_break_space, 0.01),
    ),
    "sku": (("stray-blanks", stray_blanks, 0.02), ("case", lower_case, 0.02)),
    "quantity": (("pieces", pieces, 0.06), ("number-word", number_word, 0.02)),
    "unit_price": (("money", money, 0.12),),
    "discount": (("percent", percent, 0.07),),
    "payment_method": (("case", wrong_case, 0.05), ("typo", typo, 0.03), ("separator", separator, 0.02)),
    "status": (("case", wrong_case, 0.06), ("typo", typo, 0.04), ("stray-blanks", stray_blanks, 0.02)),
    "newsletter": (("boolean", boolean, 0.11),),
    "weight": (("unit", unit, 0.09), ("null-token", null_token, 0.3)),
    "notes": (("null-token", null_token, 0.09), ("stray-blanks", stray_blanks, 0.04), ("mojibake", mojibake, 0.3)),
}


def spoil(column: str, value: str, rng: random.Random) -> tuple[str, str] | None:
    """At most one mess for the cell: its kind and what became of the value."""
    for kind, mess, share in PLAN[column]:
        if rng.random() < share:
            spoilt = mess(rng, value)
            if spoilt is not None and spoilt != value:
                return kind, spoilt
    return None
