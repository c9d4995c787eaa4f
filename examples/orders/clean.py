"""The true orders: consistent customers, places, products, formats. Called by `make_orders`, which dirties a copy."""

import random
import unicodedata
from datetime import date, timedelta

from examples.orders import pools

COLUMNS = (
    "order_id", "order_date", "customer_name", "email", "phone", "street", "city", "state", "zip", "category",
    "product", "sku", "quantity", "unit_price", "discount", "payment_method", "status", "newsletter", "weight", "notes",
)  # fmt: skip

Row = dict[str, str]


def true_rows(count: int, rng: random.Random) -> list[Row]:
    """`count` orders of about a third as many customers."""
    customers = [_customer(number, rng) for number in range(max(1, count // 3))]
    return [_order(number, rng.choice(customers), rng) for number in range(count)]


def _customer(number: int, rng: random.Random) -> Row:
    first, last = rng.choice(pools.FIRST_NAMES), rng.choice(pools.LAST_NAMES)
    city, state, zip_code, area = rng.choices(pools.PLACES, weights=range(len(pools.PLACES) + 4, 4, -1))[0]
    return {
        "customer_name": f"{first} {last}",
        "email": f"{_ascii(first)}.{_ascii(last)}{number}@example.com",
        "phone": "" if rng.random() < 0.06 else f"{area}-555-{rng.randrange(100, 10_000):04d}",
        "street": f"{rng.randrange(1, 2000)} {rng.choice(pools.STREETS)}",
        "city": city,
        "state": state,
        "zip": f"{zip_code + rng.randrange(3):05d}",
        "newsletter": rng.choice(("yes", "no", "no")),
    }


def _order(number: int, customer: Row, rng: random.Random) -> Row:
    category = rng.choices(tuple(pools.PRODUCTS), weights=pools.CATEGORY_WEIGHTS)[0]
    product, sku, price, weight = rng.choice(pools.PRODUCTS[category])
    order = customer | {
        "order_id": f"ORD-{100_001 + number}",
        "order_date": (date(2024, 1, 1) + timedelta(days=rng.randrange(540))).isoformat(),
        "category": category,
        "product": product,
        "sku": sku,
        "quantity": str(rng.choices(range(1, 13), weights=(40, 22, 12, 8, 5, 4, 2, 2, 1, 2, 1, 1))[0]),
        "unit_price": f"{price * rng.choice((0.9, 1, 1, 1, 1.05)):.2f}",
        "discount": rng.choices(pools.DISCOUNTS, weights=(55, 15, 15, 8, 7))[0],
        "payment_method": rng.choices(pools.PAYMENTS, weights=(50, 25, 15, 10))[0],
        "status": rng.choices(pools.STATUSES, weights=(55, 20, 12, 8, 5))[0],
        "weight": "" if rng.random() < 0.05 else f"{weight:.1f} kg",
        "notes": rng.choice(pools.NOTES) if rng.random() < 0.3 else "",
    }
    return {column: order[column] for column in COLUMNS}


def _ascii(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.replace("ø", "o")).encode("ascii", "ignore").decode()
    return "".join(c for c in plain.lower() if c.isalpha())
