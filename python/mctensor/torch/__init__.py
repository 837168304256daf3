"""MC-AdamW for PyTorch: weights in 16 bits that do not lose their small updates.

    import mctensor.torch
    optimizer = mctensor.torch.MCAdamW(model.parameters(), lr=3e-4, strategy="plus")

Parameters of bfloat16 and float16 are updated where they lie; what rounding would lose is in the
optimizer's state. docs/optim.md says what the strategies keep, and how much of it.
"""
from __future__ import annotations

import numpy
import torch

from .. import _core
from .. import _torch_state as states
from .._arguments import number, set_option
from .._torch_batch import Batch
from ..optim import STRATEGIES, _enumerator

__all__ = ["MCAdamW", "STRATEGIES"]


def _require_numpy():
    """Says what to do where PyTorch was built for another NumPy: it would fail at the first step, with a word."""
    try:
        torch.zeros(1).numpy()
    except RuntimeError as error:
        raise ImportError(f"PyTorch {torch.__version__} does not work with NumPy {numpy.__version__} ({error}): install "
                          "the NumPy that it was built for, as a rule numpy<2 beside PyTorch before 2.3; on Debian "
                          "python3-numpy") from error


_require_numpy()

#: random bits of parameters begin at multiples of this
_POSITION_UNIT = 128


def _key(group) -> tuple:
    """What states depend on."""
    return group["strategy"], group["amsgrad"], group["format"]


class MCAdamW(torch.optim.Optimizer):
    """AdamW with a precision strategy.

    ``strategy``: one of STRATEGIES, for all parameters or for each group. ``decay_mode``: "inside" (as
    torch.optim.AdamW), "decoupled" from the learning rate, or "l2". ``arithmetic``: "registers" (float) or
    "strict" (every operation rounded). ``seed``: of stochastic rounding, kept with the state. ``format``: the 16-bit format in
    which float32 parameters are kept; the optimizer then owns the weights and the parameter shows them.
    With ``metrics`` the report says what became of the updates.

    All parameters are stepped by one call of the library, where they and their gradients and states lie
    at the step. A step with a gradient that is infinite or NaN changes nothing and does not count;
    ``last_report.skipped`` tells. Bits do not depend on the number of threads nor on how parameters lie in
    memory. ``mctensor.torch.distributed`` adds up gradients over processes.
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

    def step(self, closure=None, *, grad_scale=None, found_inf=None):
        """One step. ``closure`` computes the loss again, which is returned. Gradients are divided by
        ``grad_scale``, and nothing happens where ``found_inf`` is not 0: a gradient scaler sets both."""
        if self._is_profiled():
            with torch.autograd.profiler.record_function("Optimizer.step#MCAdamW.step"):
                return self._step(closure, grad_scale, found_inf)
        return self._step(closure, grad_scale, found_inf)

    if not hasattr(torch.optim.Optimizer, "register_step_pre_hook"):
        # PyTorch would wrap step to tell its profiler, whether it runs or not, which costs as much as
        # the step of a dozen small parameters. Later versions call their hooks there, too: there it stays.
        step.hooked = True
        _is_profiled = staticmethod(getattr(torch.autograd, "_profiler_enabled", lambda: True))
    else:
        _is_profiled = staticmethod(lambda: False)

    def _step(self, closure, grad_scale, found_inf):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        grad_scale = getattr(self, "grad_scale", None) if grad_scale is None else grad_scale
        found_inf = getattr(self, "found_inf", None) if found_inf is None else found_inf
        if found_inf is not None and float(found_inf) != 0:
            return loss
        scale = 1.0 if grad_scale is None else 1.0 / float(grad_scale)
        batches = self._gather()
        try:
            self.last_report = _core.step_batches(
                [batch.memory for batch in batches],
                [self._options(batch.options, batch.group, scale) for batch in batches],
                [batch.steps + 1 for batch in batches])
            if not self.last_report.skipped:
                for batch in batches:
                    batch.finish()
        finally:
            for batch in batches:
                batch.release()
        return loss

    def _options(self, options, group, grad_scale: float):
        """The numbers of a group's step."""
        lr = number("lr", group["lr"])
        options.lr = lr
        beta1, beta2 = group["betas"]
        set_option(options, "beta1", beta1)
        set_option(options, "beta2", beta2)
        initial = float(group.get("initial_lr", lr))
        options.schedule = lr / initial if initial != 0 else 1.0
        options.grad_scale = grad_scale
        for name in ("eps", "weight_decay", "seed"):
            set_option(options, name, group[name])
        for name in ("decay_mode", "arithmetic"):
            set_option(options, name, _enumerator(name, group[name]))
        set_option(options, "metrics", self.metrics)
        return options

    def _gather(self) -> list[Batch]:
        """Parameters that have a gradient, in as few calls as there are groups, formats and numbers of
        steps. What was gathered before is kept while the same parameters have gradients and states;
        where they lie is asked anew."""
        if self._batches is None or not self._are_as_before():
            self._sort()
            if not all([batch.locate() for batch in self._batches]):
                raise RuntimeError("MCAdamW: gradients or states have changed during the step")
        return self._batches

    def _are_as_before(self) -> bool:
        """Whether all batches are as they were; then they know where everything lies now."""
        return (len(self.param_groups) == len(self._known)
                and all(_core.has_objects(group["params"], parameters) and key == _key(group)
                        for group, (parameters, key) in zip(self.param_groups, self._known))
                and _core.has_items(self.state, self._keys, self._values)
                and not _core.any_has_grad(self._idle)
                and all([batch.locate() for batch in self._batches]))

    def _sort(self) -> None:
        """Makes batches of the parameters that have a gradient, and notes what they depend on."""
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
                state = self._state_of(p, group)
                members.setdefault((number, p.dtype, state["step"]), []).append((p, place))
        self._batches = [Batch(self.param_groups[number], entries, self.state, step)
                         for (number, _, step), entries in members.items()]
        self._idle = idle
        self._known = [(list(group["params"]), _key(group)) for group in self.param_groups]
        self._keys, self._values = list(self.state.keys()), list(self.state.values())

    def _state_of(self, parameter, group) -> dict:
        """The state of a parameter, new before its first step. Raises ValueError where it is that of
        another type, number of elements or strategy."""
        state = self.state[parameter]
        if not state:
            states.check_parameter(parameter, group)
            state.update(states.new_state(parameter, group))
        states.check_state("a parameter", parameter, group, state)
        return state

    # Weights and states

    def exact_weights(self, parameter) -> torch.Tensor:
        """The weight as the strategy holds it, rounded to float32."""
        group = self._group_of(parameter)
        return states.get_weights(parameter, group, self._state_of(parameter, group))

    def set_exact_weights(self, parameter, weights: torch.Tensor) -> None:
        """Sets a weight from floats: to the parameter, and what its type does not hold to the state."""
        group = self._group_of(parameter)
        states.set_weights(parameter, group, self._state_of(parameter, group), weights)

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
