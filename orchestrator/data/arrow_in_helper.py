"""Arrow as a helper process wants it. Imported first by `decoder_process` and `judge_process`, and by nothing else.

Their other modules would import pandas with the first Arrow array that one of them makes: 0.5 s of processor time, and
pages that each forked child has to map.
"""

from orchestrator.data.arrow_without_pandas import defer_pandas

defer_pandas(by_others=True)
