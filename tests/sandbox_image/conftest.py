"""The helper modules are imported by their bare names, as candidates do."""

import sys

from orchestrator.data.assets import asset

sys.path.append(str(asset("sandbox_image")))
