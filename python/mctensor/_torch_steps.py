"""The step of optimizers that move one parameter after the other."""
from __future__ import annotations

import torch


class StepByParameter(torch.optim.Optimizer):
    """The base of such optimizers. They have a method ``_step_parameter``."""

    @torch.no_grad()
    def step(self, closure=None):
        """Makes a step of the parameters that have gradients. ``closure`` computes the loss again, and step returns
        it."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            self._check(group)
            for p in group["params"]:
                if p.grad is not None:
                    self._step_parameter(p, group)
        return loss

    def _check(self, group) -> None:
        """Raises ValueError for impossible options."""

    def _step_parameter(self, p, group) -> None:
        raise NotImplementedError
