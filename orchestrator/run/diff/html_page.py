"""A difference as one HTML page that needs nothing else. Called by `cleanroom diff --html`."""

from html import escape

from orchestrator.core.wording import counted
from orchestrator.data.shortened_pair import shortened
from orchestrator.data.text import clean_text
from orchestrator.run.diff.data_diff import ChangedCell, DataDiff
from orchestrator.run.diff.diff_summary import summary
from orchestrator.run.report.visible import MAX_CELL, cell, shown

_STYLE = (
    "body{font:15px system-ui,sans-serif;margin:2em;max-width:70em}table{border-collapse:collapse;margin:0 0 1.5em}"
    "td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left;white-space:pre-wrap}"
    "del{background:#fdd}ins{background:#dfd;text-decoration:none}h2{font-size:1.1em}"
    ".hidden-char,.blank{background:#fec;color:#840;font-size:.88em;unicode-bidi:isolate}"
    ".none,.cut{color:#666;font-style:italic}"
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def html_page(found: DataDiff) -> str:
    """The page; all that comes from the data goes through the report's filters: escaped, with nothing hidden."""
    title = " → ".join(escape(clean_text(name, MAX_CELL)) for name in (found.first, found.second))
    parts = [f"<h1>{title}</h1>", f"<p>{shown('; '.join(summary(found)))}</p>"]
    for group in found.groups:
        parts.append(f"<h2>{shown(group.column)}: {group.kind}, {counted(group.cells, 'cell')}</h2>")
        rows = "".join(_row(changed) for changed in group.first)
        parts.append(f"<table><tr><th>row</th><th>before</th><th>after</th></tr>{rows}</table>")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"><title>{title}</title><style>{_STYLE}</style>'
        f"<body>{''.join(parts)}</body></html>\n"
    )


def _row(changed: ChangedCell) -> str:
    place = ", ".join(changed.key) or str(changed.file_row)
    before, after = shortened(changed.before, changed.after, MAX_CELL)
    return f"<tr><td>{shown(place)}</td><td><del>{cell(before)}</del></td><td><ins>{cell(after)}</ins></td></tr>"
