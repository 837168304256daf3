"""Changes of tensors that PyTorch does not see by itself."""
from __future__ import annotations

import torch


class Versions:
    """Counts a change of parameters, as every operation of PyTorch in place does: a backward pass that needs what
    they were is an error then."""

    def __init__(self, parameters):
        self._count, self._counted = getattr(torch.autograd.graph, "increment_version", None), parameters
        try:
            self._count([])
        except (TypeError, AttributeError, RuntimeError):
            # earlier versions of PyTorch: tensors without elements, which share the parameters' counters
            self._count, self._counted = torch._foreach_zero_, [p.detach() for p in parameters]
            for witness in self._counted:
                witness.data = witness.new_empty(0)

    def advance(self) -> None:
        self._count(self._counted)
