"""What a prompt says of the run so far: functions in use, functions that were given up, steps. Called by
`prompt_context`.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from orchestrator.core.requests import PromotedSummary, ProposalRequest, RejectedCandidate
from orchestrator.data.profile.nested_texts import Place, path_of
from orchestrator.propose.prompting.column_profile import mixture, plain
from orchestrator.propose.prompting.fencing import Json
from orchestrator.propose.prompting.focus import stems

if TYPE_CHECKING:
    import pyarrow as pa


def promoted_functions(
    functions: Sequence[PromotedSummary], table: "pa.Table", most: int, found: Mapping[Place, str]
) -> Json:
    """Functions on columns of the table with what they do, those on the most mixed columns first; others by name.

    `found`: what the host still finds, by place, and nothing for the other places of the rows. It stands with functions
    that the run may replace: they may be wrong.
    """
    at_hand = set(table.column_names)
    relevant = [f for f in functions if at_hand & set(f.columns)]
    if len(relevant) > most:
        worst = mixture(table)
        relevant.sort(key=lambda f: -max(worst.get(name, 0.0) for name in f.columns))
    others = [f for f in functions if not at_hand & set(f.columns)]
    listed: list[Json] = [
        {"name": f.name}
        | ({"does": plain(f.docstring, 120)} if f.docstring else {})
        | {"columns": [plain(c, 80) for c in f.columns]}
        | ({"left": left} if (left := suspicions(f, found)) else {})
        for f in relevant[:most]
    ]
    rest = relevant[most:] + others
    if rest:
        listed.append({"others": [plain(f.name, 80) for f in rest[:200]]})
    return listed


def suspicions(function: PromotedSummary, found: Mapping[Place, str]) -> list[Json]:
    """What is left where a function that the run may replace has cleaned: the rows suggest that it is wrong.

    What is left at one key inside of lists and objects says nothing of a function that speaks of other ones only.
    """
    own = {place: words for place, words in found.items() if place[0] in function.columns}
    said = stems(f"{function.name} {function.docstring}")
    spoken = {place for place in own if said & stems(" ".join(place[1:]))}
    return [
        words if len(place) == 1 else f"{words} in {plain(path_of(place), 80)}"
        for place, words in own.items()
        if words and function.own and (place in spoken or len(place) == 1 or not spoken)
    ]


def history_lines(request: ProposalRequest, most: int) -> Json:
    """What happened in this chunk, a line for each step, the newest ones. The lines hold no cell of the data."""
    lines = [message.content for step in request.history for message in step.to_messages(summary=True)]
    newest = lines[-most:] if most else []
    return [plain(line, 200) for line in newest]


def given_up(candidate: RejectedCandidate) -> Json:
    """A candidate that is not in use: the checks that it failed, or the concerns on which a person decides."""
    adds: dict[str, Json] = {"adds": [plain(c, 80) for c in candidate.contract.adds]}
    return {
        "name": candidate.name,
        "waits" if candidate.waits else "failed": list(candidate.failed),
        "issue": plain(candidate.issue, 200),
        "modifies": [plain(c, 80) for c in candidate.contract.modifies or ()],
        **(adds if candidate.contract.adds else {}),
    }
