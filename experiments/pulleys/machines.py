"""All machines beside the seven of the paper."""

from dataclasses import replace

from experiments.pulleys import hoists, paper, public

FREE_PAYLOAD = replace(
  paper.FP0, name="FP0 free", title="FP0 with a payload free in all six directions", joint="free"
)

CASES = (FREE_PAYLOAD, *public.CASES, *hoists.CASES)
