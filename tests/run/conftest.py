"""Makes `tests.run.report_steps` importable however pytest was started."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
