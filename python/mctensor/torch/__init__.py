"""MC-AdamW for PyTorch: weights in 16 bits that do not lose their small updates.

    import mctensor.torch
    optimizer = mctensor.torch.MCAdamW(model.parameters(), lr=3e-4)

Parameters of bfloat16 and float16 are updated in place; the optimizer's state holds the part that rounding would lose.
docs/optim.md describes the storage of the strategies.

``MCTensor`` is a tensor of PyTorch whose elements are expansions; ``nn`` and ``optim`` have layers and optimizers for
it, ``compat`` the names of the published MCTensor.
"""
from __future__ import annotations

import torch

from .. import _core
from .. import _torch_device as device
from .. import _torch_required  # noqa: F401 (first: it checks the version of PyTorch)
from .. import _torch_load as loading
from .. import _torch_shards as shards
from .. import _torch_skips as skips
from .. import _torch_mctensor_table  # noqa: F401  enters the handlers of MCTensor
from .. import _torch_state as states
from .._torch_average import AveragedModel
from .._torch_batch import Batch
from .._torch_mctensor import MCTensor, from_array, from_components, full_gradients, tensor
from .._torch_options import IMPLEMENTATION, check_names, clipped, norm_limit, peak_of, set_step_options
from ..optim import STRATEGIES

__all__ = ["AveragedModel", "MCAdamW", "MCTensor", "STRATEGIES", "from_array", "from_components", "full_gradients",
           "tensor"]


def _key(group) -> tuple:
    """The options that determine the states."""
    return tuple(group[option] for option in loading.FIXED)


class MCAdamW(device.Reports, torch.optim.Optimizer):
    """AdamW with a precision strategy. The first arguments are those of torch.optim.AdamW.

    ``strategy`` is one of STRATEGIES, for all parameters or for each group, or "auto": split16-plus for parameters of
    bfloat16, master for float16, full (PyTorch's AdamW, all in float32) for float32. ``decay_mode`` is "inside" (as
    torch.optim.AdamW), "decoupled" from the learning rate (a step decays weights by weight_decay times the rate divided
    by its peak), or "l2". ``peak_lr`` is this peak, if the schedule does not have it. ``arithmetic`` is "registers"
    (float) or "strict" (every operation is rounded). ``seed`` determines stochastic rounding and is kept with the
    state. ``format`` is the 16-bit format in which a strategy of 16 bits keeps float32 parameters; then the optimizer
    owns the weights, and the parameter shows them. With ``max_grad_norm`` a step scales gradients down so that the norm
    of all of them is at most this value; ``grad`` stays unchanged. With ``metrics`` the report measures the effect of
    the updates. ``foreach`` and ``fused`` change nothing, because a step is one pass. ``differentiable`` is refused,
    and ``capturable`` for parameters on the CPU.

    One call of the library steps all parameters in place. You may write to parameters between steps. A step with a
    gradient that is infinite or NaN changes nothing and does not count; ``last_report.skipped`` tells,
    ``skipped_steps`` counts, and a warning names the parameter. If torch.distributed is initialized, the ranks of
    ``process_group`` ("world": all ranks; None: each for itself) skip a step together. Bits do not depend on the number
    of threads or on the memory layout of parameters. ``mctensor.torch.distributed`` adds up gradients over processes.
    """

    def __init__(self, params, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999),
                 eps: float = 1e-8, weight_decay: float = 0.01, amsgrad: bool = False, *,
                 maximize: bool = False, foreach: bool | None = None, capturable: bool = False,
                 differentiable: bool = False, fused: bool | None = None, strategy: str = "auto",
                 decay_mode: str = "inside", peak_lr: float | None = None, arithmetic: str = "registers",
                 seed: int = 0, format: str = "bfloat16", metrics: bool = False, process_group="world",
                 max_grad_norm: float | None = None):
        self._batches = None
        self._vote = skips.SkipVote(process_group)
        self.metrics = metrics
        self.max_grad_norm = norm_limit(max_grad_norm)
        super().__init__(params, dict(
            lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize,
            foreach=foreach, capturable=capturable, differentiable=differentiable, fused=fused,
            strategy=strategy, decay_mode=decay_mode, peak_lr=peak_lr, arithmetic=arithmetic, format=format,
            seed=seed))

    @property
    def _step_supports_amp_scaling(self) -> bool:
        """Whether a gradient scaler leaves unscaling to the step. Only gradients of float16 need this, because PyTorch
        does not unscale them. All others must be unscaled before the step, because programs may clip them there."""
        return any(p.dtype == torch.float16 for group in self.param_groups for p in group["params"])

    def add_param_group(self, group) -> None:
        """Adds a group of parameters. Raises ValueError for impossible options."""
        super().add_param_group(group)
        try:
            self._check_group(self.param_groups[-1])
        except Exception:
            self.param_groups.pop()
            raise
        self._batches = None

    def _check_group(self, group) -> None:
        check_names(group)
        for i, parameter in enumerate(group["params"]):
            states.check_parameter(states.title_of(group, len(self.param_groups) - 1, i), parameter, group)
        options = _core.AdamWOptions()
        set_step_options(options, group, peak_of(group), 1.0, self.metrics)
        kinds = {(states.strategy_of(p, group), states.format_of(p, group)) for p in group["params"]}
        if not kinds:
            kinds = {("full" if group["strategy"] == "auto" else group["strategy"], group["format"])}
        for strategy, format in sorted(kinds):
            _core.validate_adamw(options, strategy, format)

    def __getstate__(self) -> dict:
        return {**super().__getstate__(), "metrics": self.metrics,
                "max_grad_norm": self.max_grad_norm, "_skips": self._all_skips(), "_vote": self._vote}

    def __setstate__(self, state) -> None:
        super().__setstate__(state)
        self._batches = self._stepper = None
        self.last_report = None
        self.__dict__.setdefault("metrics", False)
        self.__dict__.setdefault("max_grad_norm", None)
        self.__dict__.setdefault("_vote", skips.SkipVote("world"))
        earlier = [self.__dict__.pop(name, 0) for name in ("skipped_steps", "skipped_in_a_row")]
        self.__dict__.setdefault("_skips", tuple(earlier))
        for options in (self.defaults, *self.param_groups):  # earlier versions have fewer options
            for name, value in (*IMPLEMENTATION.items(), ("maximize", False), ("peak_lr", None)):
                options.setdefault(name, value)

    # A step

    def step(self, closure=None, *, grad_scale=None, found_inf=None):
        """Makes a step. ``closure`` computes the loss again, and step returns it. Gradients are divided by
        ``grad_scale``. Nothing happens if ``found_inf`` is not 0. A gradient scaler sets both."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        grad_scale = getattr(self, "grad_scale", None) if grad_scale is None else grad_scale
        found_inf = getattr(self, "found_inf", None) if found_inf is None else found_inf
        if self._is_there():
            self._step_there(grad_scale, found_inf)
            return loss
        is_skipped = self._vote.any_bad if self._vote.are_several() else None
        if found_inf is not None and float(found_inf) != 0:
            if is_skipped is not None:
                is_skipped(1)
            return loss
        scale = 1.0 if grad_scale is None else 1.0 / float(grad_scale)
        try:
            batches = self._gather()
            peaks = [peak_of(group) for group in self.param_groups]
            scale = clipped(self.max_grad_norm, batches, scale)
            for batch in batches:
                set_step_options(batch.options, batch.group, peaks[batch.number], scale, self.metrics)
        except Exception:
            if is_skipped is not None:  # the other ranks wait for an answer
                is_skipped(1)
            raise
        try:
            self.last_report = _core.step_batches([batch.memory for batch in batches],
                                                  [batch.options for batch in batches],
                                                  [batch.steps + 1 for batch in batches], is_skipped)
            if self.last_report.skipped:
                self._skip()
            else:
                self._skips = self._skips[0], 0
                self._finish(batches, peaks)
        finally:
            for batch in batches:
                batch.release()
        return loss

    def _first(self):
        """The first parameter. All parameters are on its device, which is checked when batches are made."""
        return next((p for group in self.param_groups for p in group["params"]), None)

    def _is_there(self) -> bool:
        """Whether the parameters are on a CUDA device. Then this makes the object that steps them."""
        first = self._first()
        is_there = first is not None and device.is_there(first)
        if self._stepper is not None and not (is_there and self._stepper.device == first.device):
            self._skips, self._stepper = self._all_skips(), None
        if is_there and self._stepper is None:
            self._stepper = device.Stepper(first.device, self._skips)
        return is_there

    def _step_there(self, grad_scale, found_inf) -> None:
        """Makes a step on a CUDA device. It synchronizes only if parameters have gradients that had none before."""
        has_vote = self._vote.are_several()
        try:
            batches = self._gather()
            peaks = [peak_of(group, self._stepper.number_once) for group in self.param_groups]
            for batch in batches:
                set_step_options(batch.options, batch.group, peaks[batch.number], 1.0, self.metrics)
            limit = norm_limit(self.max_grad_norm, batches)
            self._stepper.look(batches, peaks, grad_scale, found_inf, has_vote)
        except Exception:
            if has_vote:  # the other ranks wait for an answer
                self._vote.agree(self._stepper.flag(True))
            raise
        try:
            if has_vote:
                self._vote.agree(self._stepper.flag())
            self._stepper.step(limit)
            self._finish(batches, peaks)
        finally:
            for batch in batches:
                batch.release()

    def _finish(self, batches, peaks) -> None:
        for group, peak in zip(self.param_groups, peaks):
            if not device.has_rate(group):
                group["peak_lr"] = peak
        for batch in batches:
            batch.finish()

    def _skip(self) -> None:
        self._skips = self._skips[0] + 1, self._skips[1] + 1
        skips.warn(self)

    def _gather(self) -> list[Batch]:
        """Batches of the parameters that have a gradient, one for each group, type and number of steps. Earlier batches
        are kept while the same parameters have gradients and states; only their addresses are read again."""
        if self._batches is None or not self._are_as_before():
            self._sort(False)
            if not all([batch.locate() for batch in self._batches]):
                self._sort(True)
                if not all([batch.locate() for batch in self._batches]):
                    raise RuntimeError("MCAdamW: gradients or states have changed during the step")
        return self._batches

    def _are_as_before(self) -> bool:
        """Whether all batches are unchanged. Then they have read all addresses."""
        return (len(self.param_groups) == len(self._known)
                and all(_core.has_objects(group["params"], parameters) and key == _key(group)
                        for group, (parameters, key) in zip(self.param_groups, self._known))
                and _core.has_items(self.state, self._keys, self._values)
                and not _core.any_has_grad(self._idle)
                and all([batch.locate() for batch in self._batches]))

    def _sort(self, settles: bool) -> None:
        """Makes batches of the parameters that have a gradient, and records what they depend on. With ``settles``
        faults of their states are corrected or raise errors; otherwise batches detect such faults later."""
        members, idle, known = {}, [], {}
        first = 0
        for number, group in enumerate(self.param_groups):
            for i, p in enumerate(group["params"]):
                place = first
                first += -(-p.numel() // shards.GROUP) * shards.GROUP  # p.numel() counts the whole of a sharded one
                if p.numel() == 0:
                    continue
                if p.grad is None:
                    idle.append(p)
                    continue
                state = self.state[p]
                if settles or not states.has_names(p, group, state):
                    state = self._state_of(p, group, states.title_of(group, number, i))
                steps = self._steps_of(state["step"], known)
                members.setdefault((number, p.dtype, steps), []).append((p, place, i))
        self._batches = [Batch(self.param_groups[number], number, entries, self.state, step)
                         for (number, _, step), entries in members.items()]
        for other in (batch.parameters[0] for batch in self._batches):
            if other.device != self._first().device:
                raise ValueError(f"MCAdamW: parameters are on {self._first().device} and {other.device}; take an "
                                 "optimizer for each")
        self._idle = idle
        self._known = [(list(group["params"]), _key(group)) for group in self.param_groups]
        self._keys, self._values = list(self.state.keys()), list(self.state.values())

    @staticmethod
    def _steps_of(step, known: dict) -> int:
        """A number of steps. A counter on a device is read once for all parameters that share it."""
        if not isinstance(step, torch.Tensor):
            return step
        if id(step) not in known:
            known[id(step)] = int(step)
        return known[id(step)]

    def _state_of(self, parameter, group, title: str) -> dict:
        """The state of a parameter, which is made before its first step. Raises ValueError for a state of another type,
        shape or strategy."""
        state = self.state[parameter]
        if not state:
            states.check_parameter(title, parameter, group)
            state.update(states.new_state(parameter, group))
        states.settle_state(title, parameter, group, state)
        return state

    # Weights and states

    def exact_weights(self, parameter) -> torch.Tensor:
        """The weight as the strategy holds it, rounded to float32."""
        return self._exact_weights(parameter, self._places())

    def _exact_weights(self, parameter, places: dict) -> torch.Tensor:
        group, title = self._find(parameter, places)
        return states.get_weights(parameter, group, self._state_of(parameter, group, title))

    def set_exact_weights(self, parameter, weights: torch.Tensor) -> None:
        """Sets a weight from floats: in the parameter, and in the state the rest that the parameter's type does not
        hold."""
        group, title = self._find(parameter, self._places())
        states.set_weights(parameter, group, self._state_of(parameter, group, title), weights)

    def _places(self) -> dict[int, tuple[int, int]]:
        """The index of the group of each parameter, and its index in the group, by the id of the parameter."""
        return {id(p): (number, i) for number, group in enumerate(self.param_groups)
                for i, p in enumerate(group["params"])}

    def _find(self, parameter, places: dict) -> tuple[dict, str]:
        """The group of a parameter, and the name of the parameter in messages."""
        if id(parameter) not in places:
            raise ValueError("MCAdamW: this parameter belongs to none of the groups")
        number, i = places[id(parameter)]
        return self.param_groups[number], states.title_of(self.param_groups[number], number, i)

    def state_dict(self) -> dict:
        """The state as PyTorch's optimizers show it. Entries of sharded parameters are sharded in the same way, so that
        torch.distributed.checkpoint can join them and cut them for another number of processes."""
        result = super().state_dict()
        parameters = [p for group in self.param_groups for p in group["params"]]
        numbers = [number for group in result["param_groups"] for number in group["params"]]
        for parameter, number in zip(parameters, numbers):
            if number in result["state"]:
                result["state"][number] = states.saved_state(parameter, result["state"][number])
        return result

    def load_state_dict(self, state_dict) -> None:
        """Loads a state exactly. Options that its groups do not have stay unchanged. Hooks are called as in PyTorch:
        pre-hooks may change the state, which is then checked; post-hooks see the new state. Raises ValueError for a
        state of another strategy or of other shapes; then nothing has changed."""
        self._load(state_dict, lambda found: (loading.merged_groups(self, found),
                                              loading.loaded_states(self, found)), self._install)

    def load_converted_state_dict(self, state_dict, weights=None) -> None:
        """Loads the state of torch.optim.AdamW (exp_avg, exp_avg_sq, step) or of an MCAdamW with another strategy: the
        options, and moments and weights, each rounded once to the formats of this strategy. ``weights`` are float
        tensors, one for each parameter, if you have them. Otherwise the weights come from the state, with all its
        digits, or from the parameters. Raises ValueError for AMSGrad and for moments of 8 bits; then nothing has
        changed."""
        self._load(state_dict, lambda found: (loading.merged_groups(self, found, fixed=False),
                                              loading.converted_states(self, found, weights)), self._install_converted)

    def _load(self, state_dict, read, install) -> None:
        """Reads a file between PyTorch's hooks and installs it after PyTorch's own loading. That gets the options
        alone, because it would round states to the type of the parameters."""
        new = {}

        def check(_, found):
            groups, new["states"] = read(found)
            return {**found, "param_groups": groups, "state": loading.others_of(found)}

        def finish(_):
            install(new["states"])
            self._batches = None

        handles = [self.register_load_state_dict_pre_hook(check),
                   self.register_load_state_dict_post_hook(finish, prepend=True)]
        try:
            super().load_state_dict(state_dict)
        finally:
            for handle in handles:
                handle.remove()

    def _install(self, new) -> None:
        self.state.update(new)
        with torch.no_grad():
            for parameter, state in new.items():
                if "theta" in state:
                    shards.local(parameter).copy_(shards.local(state["theta"]))

    def _install_converted(self, new) -> None:
        places = self._places()
        for parameter, (state, weights) in new.items():
            self.state[parameter] = state
            states.set_weights(parameter, self._find(parameter, places)[0], state, weights)
