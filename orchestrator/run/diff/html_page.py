"""A difference as one HTML page that needs nothing else. Called by `cleanroom diff --html`."""

from html import escape

from orchestrator.core.wording import counted
from orchestrator.run.diff.data_diff import ChangedCell, DataDiff

_STYLE = (
    "body{font:15px system-ui,sans-serif;margin:2em;max-width:70em}table{border-collapse:collapse;margin:0 0 1.5em}"
    "td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left;white-space:pre-wrap}"
    "del{background:#fdd}ins{background:#dfd;text-decoration:none}h2{font-size:1.1em}"
)


def html_page(found: DataDiff) -> str:
    """The page; all that comes from the data is escaped."""
    title = f"{escape(found.first)} → {escape(found.second)}"
    parts = [f"<h1>{title}</h1>", f"<p>{escape('; '.join(summary(found)))}</p>"]
    for group in found.groups:
        parts.append(f"<h2>{escape(group.column)}: {escape(group.kind)}, {group.cells:,} cells</h2>")
        rows = "".join(_row(cell) for cell in group.first)
        parts.append(f"<table><tr><th>row</th><th>before</th><th>after</th></tr>{rows}</table>")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
        f"<body>{''.join(parts)}</body></html>\n"
    )


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
    return said


def _row(cell: ChangedCell) -> str:
    place = ", ".join(cell.key) or str(cell.row)
    before, after = (escape("" if text is None else text) for text in (cell.before, cell.after))
    return f"<tr><td>{escape(place)}</td><td><del>{before}</del></td><td><ins>{after}</ins></td></tr>"
