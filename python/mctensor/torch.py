"""MC-AdamW for PyTorch: weights in 16 bits that do not lose their small updates.

    import mctensor.torch
    optimizer = mctensor.torch.MCAdamW(model.parameters(), lr=3e-4, strategy="plus")

Parameters of bfloat16 and float16 are updated where they lie; what rounding would lose is in the
optimizer's state. docs/optim.md says what the strategies keep, and how much of it.
"""
from __future__ import annotations

import torch

from . import _core
from . import _torch_state as states
from .optim import STRATEGIES, _enumerator

__all__ = ["MCAdamW", "STRATEGIES"]

#: random bits of parameters begin at multiples of this
_POSITION_UNIT = 128


class MCAdamW(torch.optim.Optimizer):
    """AdamW with a precision strategy.

    ``strategy``: one of STRATEGIES, for all parameters or for each group. ``decay_mode``: "inside" (as
    torch.optim.AdamW), "decoupled" from the learning rate, or "l2". ``arithmetic``: "registers" (float) or
    "strict" (every operation rounded). ``seed``: of stochastic rounding, kept with the state. ``format``: the 16-bit format in
    which float32 parameters are kept; the optimizer then owns the weights and the parameter shows them.
    With ``metrics`` the report says what became of the updates.

    All parameters are stepped by one call of the library for each group and type. A step with a gradient
    that is infinite or NaN changes nothing and does not count; ``last_report.skipped`` tells. Bits do not
    depend on the number of threads nor on how parameters lie in memory.
    """

    # torch.cuda.amp.GradScaler sets grad_scale and found_inf, and leaves the rest to step
    _step_supports_amp_scaling = True

    def __init__(self, params, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999),
                 eps: float = 1e-8, weight_decay: float = 0.01, *, strategy: str = "plus",
                 amsgrad: bool = False, decay_mode: str = "inside", arithmetic: str = "registers",
                 seed: int = 0, format: str = "bfloat16", metrics: bool = False):
        self._batches = None
        self.metrics = metrics
        #: what the last step did, of all parameters together; None before the first
        self.last_report = None
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay,
                                      strategy=strategy, amsgrad=amsgrad, decay_mode=decay_mode,
                                      arithmetic=arithmetic, format=format, seed=seed))

    def add_param_group(self, group) -> None:
        """One more group of parameters. Raises ValueError for options that are impossible."""
        super().add_param_group(group)
        try:
            self._check_group(self.param_groups[-1])
        except Exception:
            self.param_groups.pop()
            raise
        self._batches = None

    def _check_group(self, group) -> None:
        for parameter in group["params"]:
            states.check_parameter(parameter, group)
        options = self._options(_core.AdamWOptions(), group, 1.0)
        formats = {states.format_of(p, group) for p in group["params"]} or {group["format"]}
        for format in sorted(formats):
            _core.validate_adamw(options, group["strategy"], format)

    def __getstate__(self) -> dict:
        return {**super().__getstate__(), "metrics": self.metrics}

    def __setstate__(self, state) -> None:
        super().__setstate__(state)
        self._batches = None
        self.last_report = None
        self.__dict__.setdefault("metrics", False)

    # A step

    @torch.no_grad()
    def step(self, closure=None, *, grad_scale=None, found_inf=None):
        """One step. ``closure`` computes the loss again, which is returned. Gradients are divided by
        ``grad_scale``, and nothing happens where ``found_inf`` is not 0: a gradient scaler sets both."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        grad_scale = getattr(self, "grad_scale", None) if grad_scale is None else grad_scale
        found_inf = getattr(self, "found_inf", None) if found_inf is None else found_inf
        if found_inf is not None and float(found_inf) != 0:
            return loss
        batches = self._gather()
        scale = 1.0 if grad_scale is None else 1.0 / float(grad_scale)
        if len(batches) > 1 and not all(batch.is_finite() for batch in batches):
            self.last_report = _core.StepReport.skip(sum(batch.nonfinite for batch in batches))
            return loss
        report = _core.StepReport()
        for batch in batches:
            report += batch.step(self._options(batch.options, batch.group, scale))
        self.last_report = report
        return loss

    def _options(self, options, group, grad_scale: float):
        """The numbers of a group's step."""
        lr = float(group["lr"])
        options.lr = lr
        options.beta1, options.beta2 = group["betas"]
        options.eps = group["eps"]
        options.weight_decay = group["weight_decay"]
        options.decay_mode = _enumerator("decay_mode", group["decay_mode"])
        initial = float(group.get("initial_lr", lr))
        options.schedule = lr / initial if initial != 0 else 1.0
        options.grad_scale = grad_scale
        options.arithmetic = _enumerator("arithmetic", group["arithmetic"])
        options.seed = group["seed"]
        options.metrics = self.metrics
        return options

    def _gather(self) -> list[_Batch]:
        """Parameters that have a gradient, in as few calls as there are groups, formats and numbers of
        steps. What was gathered before is kept while the same parameters have gradients."""
        if self._batches is None or not self._place_again():
            self._batches, self._idle = self._sorted()
            for batch in self._batches:
                batch.place([p.grad for p in batch.parameters])
        return self._batches

    def _place_again(self) -> bool:
        """Whether all batches are as they were; then they know where everything lies now."""
        if any(p.grad is not None for p in self._idle) or not all(
                self.state.get(batch.parameters[0]) is batch.states[0] for batch in self._batches):
            return False
        gradients = [[p.grad for p in batch.parameters] for batch in self._batches]
        if any(None in grads for grads in map(_identities, gradients)):
            return False
        for batch, grads in zip(self._batches, gradients):
            batch.place(grads)
        return True

    def _sorted(self):
        """Batches of the parameters that have a gradient, and the parameters that have none."""
        members, idle = {}, []
        first = 0
        for number, group in enumerate(self.param_groups):
            for p in group["params"]:
                place = first
                first += -(-p.numel() // _POSITION_UNIT) * _POSITION_UNIT
                if p.numel() == 0:
                    continue
                if p.grad is None:
                    idle.append(p)
                    continue
                state = self.state[p]
                if not state:
                    state.update(states.new_state(p, group))
                members.setdefault((number, p.dtype, state["step"]), []).append((p, place))
        batches = [_Batch(self.param_groups[number], self.state, entries, step)
                   for (number, _, step), entries in members.items()]
        return batches, idle

    # Weights and states

    def exact_weights(self, parameter) -> torch.Tensor:
        """The weight as the strategy holds it, rounded to float32."""
        group = self._group_of(parameter)
        if not self.state[parameter]:
            self.state[parameter].update(states.new_state(parameter, group))
        return states.get_weights(parameter, group, self.state[parameter])

    def set_exact_weights(self, parameter, weights: torch.Tensor) -> None:
        """Sets a weight from floats: to the parameter, and what its type does not hold to the state."""
        group = self._group_of(parameter)
        if not self.state[parameter]:
            self.state[parameter].update(states.new_state(parameter, group))
        states.set_weights(parameter, group, self.state[parameter], weights)

    def _group_of(self, parameter) -> dict:
        for group in self.param_groups:
            if any(p is parameter for p in group["params"]):
                return group
        raise ValueError("MCAdamW: this parameter belongs to none of the groups")

    def load_state_dict(self, state_dict) -> None:
        """Takes over a state, exactly. Raises ValueError for one of another strategy or of other shapes;
        then nothing has changed."""
        groups = state_dict["param_groups"]
        if len(groups) != len(self.param_groups):
            raise ValueError(f"MCAdamW: a state of {len(groups)} groups for {len(self.param_groups)}")
        new = {}
        for number, (mine, theirs) in enumerate(zip(self.param_groups, groups)):
            for option in ("strategy", "amsgrad", "format"):
                if theirs.get(option) != mine[option]:
                    raise ValueError(f"MCAdamW: group {number} of the state has {option} "
                                     f"{theirs.get(option)!r}, the optimizer's has {mine[option]!r}")
            if len(theirs["params"]) != len(mine["params"]):
                raise ValueError(f"MCAdamW: group {number} of the state has {len(theirs['params'])} "
                                 f"parameters, the optimizer's has {len(mine['params'])}")
            for key, parameter in zip(theirs["params"], mine["params"]):
                if key in state_dict["state"]:
                    new[parameter] = states.loaded_state(f"parameter {key}", parameter, mine,
                                                         state_dict["state"][key])
        # PyTorch would round states to the type of the parameters: it gets the options alone
        super().load_state_dict({"state": {}, "param_groups": groups})
        self.state.clear()
        self.state.update(new)
        for parameter, state in new.items():
            if "theta" in state:
                states.show(parameter, state["theta"])
        self._batches = None


def _identities(tensors) -> list:
    """None where there is no tensor: `in` would compare elements."""
    return [None if x is None else 0 for x in tensors]


class _Batch:
    """Parameters of one group, type and number of steps, which are stepped in one call."""

    def __init__(self, group, all_states, entries, steps: int):
        parameters = [p for p, _ in entries]
        self.group = group
        self.parameters = parameters
        self.states = [all_states[p] for p in parameters]
        self.steps = steps
        self.options = _core.AdamWOptions()
        self.is_theta = states.is_theta(parameters[0], group)
        self.format = states.format_of(parameters[0], group)
        self.arrays = _core.AdamWArrays(group["strategy"], self.format)
        for (p, place), state in zip(entries, self.states):
            addresses = {name: x.data_ptr() for name, x in state.items() if isinstance(x, torch.Tensor)}
            self.arrays.add(addresses, p.numel(), place)

    def place(self, grads: list) -> None:
        """Where parameters and gradients lie now; what is not contiguous is copied for the step."""
        if any(grad.is_sparse for grad in grads):
            raise ValueError("MCAdamW: a sparse gradient; it takes dense ones")
        grads = [grad if grad.is_contiguous() else grad.contiguous() for grad in grads]
        if self.is_theta:
            thetas = [p if p.is_contiguous() else p.contiguous() for p in self.parameters]
        else:
            thetas = [state["theta"] for state in self.states]
            grads = [self._narrowed(grad) for grad in grads]
        self.thetas, self.grads = thetas, grads
        self.arrays.place([x.data_ptr() for x in thetas], [x.data_ptr() for x in grads])

    def _narrowed(self, grad):
        narrow = torch.empty(grad.shape, dtype=states.NARROW[self.format])
        _core.narrow_floats(self.format, grad.data_ptr(), narrow.data_ptr(), grad.numel())
        return narrow

    def is_finite(self) -> bool:
        self.nonfinite = self.arrays.count_nonfinite()
        return self.nonfinite == 0

    def step(self, options):
        report = self.arrays.step(options, self.steps + 1)
        if report.skipped:
            return report
        self.steps += 1
        for state in self.states:
            state["step"] = self.steps
        for p, theta in zip(self.parameters, self.thetas):
            if theta is not p:
                p.copy_(theta)
        return report
