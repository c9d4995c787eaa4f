"""Lines that keep their places, ends of names and codes that stay behind, and what is known to say the same."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import stands_for_missing
from orchestrator.gate.information.suspicions import suspicions

PAGES = ["Title\n\nFirst words.\n\nMore words.", "Buy:\n- a lamp\n- a vase", "How to\n\n1. Open it\n2. Close it"]
LIST = "- lamps\n  - red\n  - blue\n- vases"
PROGRAM = "def price(n):\n    return n * 8\n\nprint(price(3))"
TOWNS = [("PARIS", "Paris"), ("New York", "New York"), ("Baton Rouge", "Baton Rouge"), ("McAllen", "McAllen")]
TAGS = [("New,mirror,new", "new, mirror"), ("#Shelf", "shelf"), ("mug, red", "mug, red"), ("new in, sale",) * 2]
LETTERS = [(f"Ada,\n03/{day}/2021 it is.", f"Ada,\n{day} March 2021 it is.") for day in (14, 15, 20)]
STATES = [(code, code) for code in ("CA", "TX", "NY", "WA", "DC", "KS", "AK", "VA")]
DATES = [("03/27/2021", "2021-03-27"), ("11/30/2022", "2022-11-30"), ("13/21/2021", "13/21/2021")]
FIRMS = [("Turing Ltd", "Turing Ltd"), ("Knuth Inc", "Knuth Inc"), ("Turing Unlimited", "Turing Unlimited")]
SHIPS = [("v2.1.0", "2.1.0"), ("3.0.1", "3.0.1"), ("10.2.7", "10.2.7")]
INVOICES = [("INV-2023-00007", "INV-2023-00007"), ("INV 2022-12", "INV-2022-00012")]
GERMANS = [(f"+49 30 55512{n}0", f"+493055512{n}0") for n in range(5)]
POSTCODES = [(code, code) for code in ("10115", "00184", "75001", "01067", "20095", "80331")]
DAYS = [(f"2024-0{n}-12", f"2024-0{n}-12") for n in range(1, 9)]
BOOKS = [(f"3-16-14841{n}-9", f"3-16-14841{n}-9") for n in range(5)]


def kinds(cells: Sequence[Change], witnesses: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, witnesses)}


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("lines-joined", [(page, " ".join(page.split())) for page in PAGES]),
        ("lines-joined", [(LIST, "- lamps\n- red\n- blue\n- vases")]),
        ("lines-joined", [("- lamps\n  - red  wine\n  - blue\n\n\n- vases", "- lamps\n- red wine\n- blue\n\n- vases")]),
        ("lines-joined", [(PROGRAM, PROGRAM.replace("    ", ""))]),
        ("mark-lost", [("Rome\n====\nIn May.\nFood\n----\nx", "# Rome\nIn May.\n# Food\nx")]),
        ("words-joined", [*TOWNS, ("LA PAZ", "LaPaz")]),
        ("letters-lost", [("Candy, sugar", "C, y, sugar"), ("eggs, milk and soy", "eggs, milk, soy")]),
        ("text-cut", [*TAGS, ("New In, New, new", "new in")]),
        ("text-cut", [*TAGS, ("C++, c, c++", "c++")]),
        ("separator-moved", [*TAGS, ("New In, New, new", "new, in")]),
        ("value-misread", [*LETTERS, ("Met on 03/04/2021.", "Met on 3 April 2021.")]),
        ("mark-lost", [("#Rome\nIn May.\n##Food ##", "# Rome\nIn May.\n# Food")]),
        ("value-changed", [(f"#Rome\n```\n{PROGRAM}\n#end\n```", f"# Rome\n```\n{PROGRAM}\n# end\n```")]),
        ("order-changed", [("Baker & Sons, Ltd", "Ltd Baker & Sons"), ("Hopper, Grace", "Grace Hopper")]),
        ("order-changed", [("Ada King, Jr.", "Jr. Ada King")]),
        ("letters-lost", [*INVOICES, ("INV-2023-21-A", "INV-2023-00021"), ("INV 2022-340-A", "INV-2022-00340")]),
        ("words-lost", [("S/M", "S"), ("M", "M"), ("L", "L")]),
        ("mark-lost", [("=3rd", "3"), ("1st", "1"), ("2nd", "2")]),
        ("word-replaced", [("74 St. James Ave", "74 Street James Avenue")]),
        ("other-meaning", [("0043 1 5376242", "+494315376242"), ("030 5376242", "+49305376242")]),
        ("other-meaning", [("+49 (0)60 8764055", "+490608764055")]),
        ("other-meaning", [*STATES, ("Washington, D.C.", "WA")]),
        ("figures-added", [*POSTCODES, ("0150", "00150")]),
        ("value-misread", [*DATES, ("03/04/2021", "2021-04-03")]),
        ("words-lost", [*FIRMS, ("Turing Unlimited Ltd", "Turing Ltd")]),
    ],
)
def test_it_is_suspected(kind: str, cells: Sequence[Change]) -> None:
    """Each is what a function of a held-out corpus did, and passed."""
    assert kind in kinds(cells)


@pytest.mark.parametrize(
    "cells",
    [
        [("Rome\n====\nIn May.\nFood\n----\nx", "# Rome\nIn May.\n## Food\nx")],
        [*TOWNS, ("LA PAZ", "La Paz")],
        [("in stock", "inStock"), ("sold out", "soldOut"), ("onOrder", "onOrder")],
        [("Candy, sugar", "Candy, sugar"), ("eggs, milk and soy", "eggs, milk, soy")],
        [("30,0", "30.0"), ("7,5", "7.5"), ("12,2", "12.2")],
        [*TAGS, ("New In, New, new", "new in, new"), ("C++, c, c++", "c++, c")],
        [*LETTERS, ("Met on 03/04/2021.", "Met on 4 March 2021.")],
        [("#Rome\nIn May.\n##Food ##", "# Rome\nIn May.\n## Food"), ("##Lima", "## Lima")],
        [(f"#Rome\n```\n{PROGRAM} \n#end\n```", f"# Rome\n```\n{PROGRAM}\n#end\n```")],
        [
            (page, "\n".join(line.rstrip() for line in page.split("\n")))
            for page in (*PAGES, LIST + "  ", PROGRAM + " ")
        ],
        [("Steps:\nOpen it", "Steps:\nOpen it."), ("12 High St\nLeeds", "12 High St Leeds")],
        [("Hopper, Grace", "Grace Hopper"), ("Ada King, Jr.", "Ada King, Jr.")],
        [*GERMANS, ("0043 1 5376242", "+4315376242"), ("030 5376242", "+49305376242")],
        [*GERMANS, ("+49 (0)60 8764055", "+49608764055")],
        [*DATES, ("03/04/2021", "2021-03-04")],
        [*STATES, ("Washington, D.C.", "DC"), ("Kansas", "KS")],
        [*POSTCODES, ("153", "00153"), ("1067", "01067")],
        [("4006381333931",) * 2, ("036000291452", "0036000291452"), ("012345678905", "0012345678905")],
        [*FIRMS, ("Turing Limited", "Turing Ltd"), ("Dijkstra Incorporated", "Dijkstra Inc")],
        [*SHIPS, ("V1.0", "1.0.0"), ("v7.13-rc1", "7.13.0-rc1"), ("ver. 2.3", "2.3.0")],
        [*BOOKS, ("978-3-16-148410-0", "9783161484100")],
        [("4.8 mg/L", "4800 µg/L"), ("3 µg/L", "3 µg/L"), ("5 \N{GREEK SMALL LETTER MU}g/L", "5 µg/L")],
        [*DAYS, ("2024-09x05", "2024-09-05"), ("20x4-10-07", "2024-10-07")],
        [("0.01", "1%"), ("0.125", "12.5%"), ("5%", "5%"), ("20%", "20%")],
    ],
)
def test_it_says_the_same(cells: Sequence[Change]) -> None:
    """Right functions of the same corpus, which were held."""
    assert kinds(cells) == set()


def test_a_share_that_is_rounded_loses_precision() -> None:
    """12.5 of a hundred are not 13."""
    assert "precision-lost" in kinds([("0.125", "13%"), ("5%", "5%")])


@pytest.mark.parametrize("value", ["-9999.00", "-999.000", "-1.0", "9999"])
def test_a_number_for_nothing_may_have_decimals(value: str) -> None:
    """As many as the numbers beside it."""
    assert stands_for_missing(value)


def test_lines_of_a_quotation_do_not_run_together() -> None:
    """`> No.` and `> It is` without their signs are two lines, or have a blank between them."""
    mail = "> We said no.\n> It is so."
    assert "words-joined" in kinds([(mail, "We said no.It is so."), ("Thanks, Ann", "Thanks, Ann")])
    assert kinds([(mail, "We said no.\nIt is so."), ("Thanks, Ann", "Thanks, Ann")]) == set()
    assert kinds([(mail, "We said no. It is so."), ("Thanks, Ann", "Thanks, Ann")]) == set()
