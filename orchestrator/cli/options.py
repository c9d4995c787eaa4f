"""The options that several commands share, each defined once, in the groups that the help and cleanroom.toml have.

An option is a type to annotate a parameter with; its default stands where the command takes it.
"""

from pathlib import Path
from typing import Annotated, Literal

import typer

from orchestrator.core import privacy

DATA, MODEL, LIMITS, SANDBOX, OUTPUT = "Data", "Model", "Limits", "Sandbox", "Output"

Messy = Annotated[
    str,
    typer.Argument(
        help="The messy file, or - for stdin; or an address: s3://…, postgresql://…?table=NAME.", show_default=False
    ),
]
EncodingOption = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        help="How a CSV, TSV, text or HTML file is stored, where it is not UTF-8: cp1252, utf-16-le, …",
        show_default=False,
        rich_help_panel=DATA,
    ),
]
DelimiterOption = Annotated[
    str | None,
    typer.Option(
        "--delimiter",
        help="What parts the columns of a CSV or TSV file, where it is guessed wrong: ';', '|', '\\t', '\\x1f', …",
        show_default=False,
        rich_help_panel=DATA,
    ),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="csv, tsv, jsonl, json, …, where the name of the file does not say it; needed for stdin.",
        show_default=False,
        rich_help_panel=DATA,
    ),
]
SheetOption = Annotated[
    str | None,
    typer.Option("--sheet", help="The sheet; else the first one not hidden.", show_default=False, rich_help_panel=DATA),
]
ArrayOption = Annotated[
    str | None,
    typer.Option(
        "--path",
        metavar="KEY",
        help="Where in a JSON document the rows are, with points between keys: result.items.",
        show_default=False,
        rich_help_panel=DATA,
    ),
]
InstructionOption = Annotated[
    str,
    typer.Option(
        "--instruction", "-i", help="What to clean, in words; @FILE reads it from a file.", rich_help_panel=DATA
    ),
]
ShapeOption = Annotated[
    Literal["table", "record", "text"],
    typer.Option(
        "--shape", help="What the functions take: a DataFrame, one record (a dict), or one text.", rich_help_panel=DATA
    ),
]
ConventionsOption = Annotated[
    Path | None,
    typer.Option(
        "--conventions", help="YAML file: case, dates, null words, values … per column.", rich_help_panel=DATA
    ),
]
ExamplesOption = Annotated[
    Path | None,
    typer.Option(
        "--examples",
        help='JSON or JSONL of {"input": row, "output": row}, or a table with columns x__dirty and x__clean.',
        rich_help_panel=DATA,
    ),
]
ChunkRowsOption = Annotated[int, typer.Option("--chunk-rows", min=10, help="Rows per chunk.", rich_help_panel=DATA)]
MaxChunksOption = Annotated[
    int, typer.Option("--max-chunks", min=1, help="Look at this many chunks at most.", rich_help_panel=DATA)
]
SamplingOption = Annotated[
    Literal["sequential", "random", "diverse"],
    typer.Option(
        "--sampling", metavar="HOW", help="How chunks are drawn: sequential, random or diverse.", rich_help_panel=DATA
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed for sampling and for the holdout.", rich_help_panel=DATA)]

ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        envvar="CLEANROOM_MODEL",
        help="builtin, replay:FILE, or a LiteLLM model such as openai/gpt-4o \\[default: builtin].",
        rich_help_panel=MODEL,
    ),
]
TesterModelOption = Annotated[
    str | None,
    typer.Option(
        "--tester-model",
        help="A model that tests without seeing the code; none: nobody \\[default: --model, about cells in doubt].",
        rich_help_panel=MODEL,
    ),
]
PlannerModelOption = Annotated[
    str | None,
    typer.Option("--planner-model", help="A model that merges functions that overlap.", rich_help_panel=MODEL),
]
ExplorerModelOption = Annotated[
    str | None,
    typer.Option("--explorer-model", help="A model for --explore \\[default: --model].", rich_help_panel=MODEL),
]
ExploreOption = Annotated[
    int,
    typer.Option(
        "--explore", min=0, max=20, help="Probes into the rows of a chunk before proposing.", rich_help_panel=MODEL
    ),
]
PrivacyOption = Annotated[
    privacy.Privacy,
    typer.Option("--privacy", help="What models may see of the data.", rich_help_panel=MODEL),
]
HeaderOption = Annotated[
    privacy.Header,
    typer.Option(
        "--header",
        help="names: the first line names the columns, although it looks like data.",
        rich_help_panel=MODEL,
    ),
]
ApiBaseOption = Annotated[
    str | None,
    typer.Option(
        "--api-base",
        envvar="CLEANROOM_API_BASE",
        help="Address of an OpenAI-compatible server.",
        rich_help_panel=MODEL,
    ),
]
ApiKeyEnvOption = Annotated[
    str | None,
    typer.Option(
        "--api-key-env",
        metavar="NAME",
        help="The variable with the key for the models \\[default: CLEANROOM_API_KEY].",
        rich_help_panel=MODEL,
    ),
]
ProtocolOption = Annotated[
    Literal["auto", "xml", "structured"],
    typer.Option("--protocol", help="How the model is asked to answer.", rich_help_panel=MODEL),
]
TimeoutOption = Annotated[
    float,
    typer.Option("--timeout", min=1.0, max=86_400.0, help="Seconds to wait for one answer.", rich_help_panel=MODEL),
]
PatienceOption = Annotated[
    float,
    typer.Option(
        "--patience",
        min=0.0,
        max=86_400.0,
        help="Seconds to keep trying while the model is unavailable.",
        rich_help_panel=MODEL,
    ),
]

MaxIterationsOption = Annotated[
    int, typer.Option("--max-iterations", min=1, help="Proposals per chunk.", rich_help_panel=LIMITS)
]
MaxRepairsOption = Annotated[
    int, typer.Option("--max-repairs", min=0, help="Repairs per candidate.", rich_help_panel=LIMITS)
]
MaxRejectedOption = Annotated[
    int,
    typer.Option(
        "--max-rejected",
        min=1,
        help="End a chunk after so many functions were given up with all their repairs.",
        rich_help_panel=LIMITS,
    ),
]
OnHoldOption = Annotated[
    Literal["reject", "keep", "accept"],
    typer.Option("--on-hold", help="What becomes of functions whose concerns nobody settles.", rich_help_panel=LIMITS),
]
LanesOption = Annotated[
    int, typer.Option("--lanes", min=1, max=64, help="Questions to the model at once.", rich_help_panel=LIMITS)
]
PlanEveryOption = Annotated[
    int,
    typer.Option(
        "--plan-every",
        min=0,
        help="Look for functions to merge after so many chunks, and at the end; 0: never.",
        rich_help_panel=LIMITS,
    ),
]
MaxCallsOption = Annotated[
    int | None, typer.Option("--max-calls", min=1, help="Budget: model calls in all.", rich_help_panel=LIMITS)
]
MaxTokensOption = Annotated[
    int | None, typer.Option("--max-tokens", min=1, help="Budget: tokens in all.", rich_help_panel=LIMITS)
]
MaxCostOption = Annotated[
    float | None,
    typer.Option("--max-cost", min=0.0, max=1e9, help="Budget: US dollars in all.", rich_help_panel=LIMITS),
]
MaxSecondsOption = Annotated[
    float | None,
    typer.Option("--max-seconds", min=1.0, max=1e9, help="Budget: seconds of the whole run.", rich_help_panel=LIMITS),
]

PolicyOption = Annotated[
    Path | None, typer.Option("--policy", help="YAML file with limits and thresholds.", rich_help_panel=SANDBOX)
]
StrictOption = Annotated[
    bool,
    typer.Option(
        "--strict", help="Refuse to run where any layer is missing, or weakened by the policy.", rich_help_panel=SANDBOX
    ),
]
ChecksOption = Annotated[
    Path | None,
    typer.Option(
        "--checks",
        help="Your own acceptance checks: Python with functions check_*(before, after).",
        rich_help_panel=SANDBOX,
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        help="Run functions on workers: local:N starts N here, tls://HOST:PORT uses a scheduler.",
        show_default=False,
        rich_help_panel=SANDBOX,
    ),
]
TlsOption = Annotated[
    Path | None,
    typer.Option(
        "--tls",
        help="The client's folder of `cleanroom cluster certs`, for a scheduler.",
        show_default=False,
        rich_help_panel=SANDBOX,
    ),
]

QuarantineOption = Annotated[
    str | None,
    typer.Option(
        "--quarantine",
        help="Leave out rows that cannot be read, keep them in this file, and go on.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
AsJsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.", rich_help_panel=OUTPUT)]

TelemetryOption = Annotated[
    Literal["off", "otlp"] | None,
    typer.Option(
        "--telemetry",
        envvar="CLEANROOM_TELEMETRY",
        help="otlp: send spans where OTEL_EXPORTER_OTLP_ENDPOINT says \\[default: otlp where that is set].",
        rich_help_panel=OUTPUT,
    ),
]
LogJsonOption = Annotated[
    bool,
    typer.Option("--log-json", help="Say on stderr, as JSON lines, what happens.", rich_help_panel=OUTPUT),
]

SETTABLE = (
    ShapeOption, ConventionsOption, ChunkRowsOption, MaxChunksOption, SamplingOption, SeedOption,
    ModelOption, TesterModelOption, PlannerModelOption, ExplorerModelOption, ExploreOption, PrivacyOption,
    ApiBaseOption, ProtocolOption, TimeoutOption, PatienceOption,
    MaxIterationsOption, MaxRepairsOption, MaxRejectedOption, OnHoldOption, LanesOption, PlanEveryOption,
    MaxCallsOption, MaxTokensOption, MaxCostOption, MaxSecondsOption,
    PolicyOption, StrictOption, ChecksOption,
    AsJsonOption, TelemetryOption,
)  # fmt: skip
"""What a file may set. Not what is chosen for each call: what is read, where results go, what is overwritten."""
