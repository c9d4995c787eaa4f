"""Each rule has a name of its own: under the name of another rule its function would take that one's place."""

from collections import Counter
from importlib import import_module
from pkgutil import walk_packages

from orchestrator.propose.builtin import rules
from orchestrator.propose.builtin.function_names import slug
from orchestrator.propose.builtin.repair_rule import RepairRule


def test_no_two_rules_give_functions_the_same_name() -> None:
    """Dates and numbers name what they write, which is a word of each."""
    modules = [import_module(one.name) for one in walk_packages(rules.__path__, f"{rules.__name__}.")]
    found = {id(value): value for module in modules for value in vars(module).values() if isinstance(value, RepairRule)}
    names = Counter(rule.name for rule in found.values() if not rule.name.startswith("{kind}"))
    assert len(names) > 40
    assert [name for name, count in names.items() if count > 1] == []


def test_names_of_columns_keep_letters_that_have_no_accent_to_lose() -> None:
    """`kapda` and `rega` were no words of anybody's language."""
    assert [slug(name) for name in ("Kapıda", "Regał", "Café (€)", "数")] == ["kapida", "regal", "cafe", "column"]
