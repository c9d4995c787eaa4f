"""Kinds of values of which anybody can look up whether two texts say the same. Called by equivalence.py."""

from collections.abc import Callable, Sequence

from orchestrator.gate.information.signs_of_numbers.unit_fractions import same_fraction_of_unit
from orchestrator.gate.information.value_kinds.addresses import same_address
from orchestrator.gate.information.value_kinds.blood_groups import same_blood_group
from orchestrator.gate.information.value_kinds.counted_signs import same_count
from orchestrator.gate.information.value_kinds.known_identifiers import same_identifier
from orchestrator.gate.information.value_kinds.moments_in_texts import same_clocks, same_span
from orchestrator.gate.information.value_kinds.multipacks import same_pack
from orchestrator.gate.information.value_kinds.positions import same_position
from orchestrator.gate.information.value_kinds.powers_of_ten import same_power_of_ten
from orchestrator.gate.information.value_kinds.ranges import same_range
from orchestrator.gate.information.value_kinds.rating_scales import same_rank
from orchestrator.gate.information.value_kinds.roman_numerals import same_numeral
from orchestrator.gate.information.value_kinds.said_bounds import same_estimate
from orchestrator.gate.information.value_kinds.telephones import same_with_extension

LOOKED_UP: Sequence[Callable[[str, str], bool | None]] = (
    same_blood_group,
    same_rank,
    same_clocks,
    same_span,
    same_identifier,
    same_position,
    same_with_extension,
    same_address,
    same_count,
    same_estimate,
    same_numeral,
    same_range,
    same_pack,
    same_power_of_ten,
    same_fraction_of_unit,
)
