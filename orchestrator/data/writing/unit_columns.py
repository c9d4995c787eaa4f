"""Words in the name of a column that says what another one is counted in. Called by the gate and the proposer."""

NAMES_OF_UNITS = frozenset(
    {"unit", "units", "uom", "currency", "currencies", "ccy", "curr", "waehrung", "währung", "devise", "moneda"}
)
