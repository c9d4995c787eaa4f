"""A difference in a few words. Called by `cleanroom diff`, for its text and its page."""

from orchestrator.core.wording import counted
from orchestrator.run.diff.data_diff import DataDiff


def summary(found: DataDiff) -> list[str]:
    """How much differs, in a few clauses."""
    said = [f"{found.changed_rows:,} of {counted(found.rows, 'row')} changed"]
    said += [
        f"{counted(count, 'row')} {word}"
        for count, word in ((found.added, "added"), (found.removed, "removed"))
        if count
    ]
    for names, word in ((found.columns_added, "added"), (found.columns_removed, "removed")):
        said += [f"columns {word}: {', '.join(names)}"] if names else []
    if found.how_rows_count and any(not cell.key for group in found.groups for cell in group.first):
        said.append(found.how_rows_count)
    return said
