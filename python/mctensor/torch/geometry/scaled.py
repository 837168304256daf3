"""A manifold whose lengths are multiplied by a number, as in geoopt."""
from __future__ import annotations

import inspect
import math

import torch

from ..._points import is_plain
from .base import Manifold, are_given

#: for each operation, the index and name of the operand that is divided by the scale
_DIVIDED = {"retr": (1, "u"), "expmap": (1, "u"), "expmap0": (0, "u"), "expmap_transp": (1, "u"),
            "retr_transp": (1, "u"), "transp_follow_expmap": (1, "u"), "transp_follow_retr": (1, "u"),
            "geodesic_unit": (0, "t")}
#: for each operation, the power of the scale that multiplies its result
_MULTIPLIED = {"dist": 1, "dist2": 2, "dist0": 1, "logmap": 1, "logmap0": 1, "dist2plane": 1}
#: methods that return points of the scaled manifold
_POINTS = ("origin", "random", "random_normal", "random_uniform", "random_combined", "wrapped_normal")
#: operations whose meaning changes with lengths
_REFUSED = ("mobius_fn_apply", "mobius_fn_apply_chain", "dist_gradient", "busemann", "horosphere_projection",
            "normal_log_prob", "logmap0back")


class Scaled(Manifold):
    """The manifold with distances times a scale, which may be learned (by its logarithm). Points, and operations that
    are linear in vectors, such as inner and transp, are the manifold's own. expmap divides tangent vectors by the
    scale, and logmap multiplies them by it."""

    def __init__(self, manifold: Manifold, scale=1.0, learnable: bool = False):
        super().__init__()
        if not isinstance(manifold, Manifold):
            raise TypeError(f"Scaled: a manifold of this package is wanted, not {manifold!r}")
        value = torch.as_tensor(scale, dtype=torch.float64).detach().clone()
        if value.numel() != 1 or not are_given(scale, lambda x: (0 < x) & (x < math.inf)):
            raise ValueError(f"Scaled: scale = {scale} is not one number above 0")
        self.base = manifold
        value = value.reshape(())
        if learnable:
            self._log_scale = torch.nn.Parameter(value.log())
        else:
            self.register_buffer("_scale", value, persistent=False)

    @property
    def scale(self):
        """The scale."""
        return self._scale if "_scale" in self._buffers else self._log_scale.exp()

    @property
    def log_scale(self):
        """The logarithm of the scale."""
        return self._scale.log() if "_scale" in self._buffers else self._log_scale

    def __repr__(self) -> str:
        scale = f"{self.scale.item():.9g}" if is_plain(self.scale) else "..."
        return f"Scaled({self.base!r}, scale={scale})"

    def __getattr__(self, name: str):
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name.startswith("_"):
                raise
        return self._version(name)

    def _version(self, name: str):
        """The scaled version of an attribute of the base."""
        own = getattr(self.base, name)
        if name in _DIVIDED or name in _MULTIPLIED:
            return lambda *operands, **options: self._rescaled(name, own, operands, options)
        if name in _POINTS:
            return lambda *size, **options: self._drawn(own, size, options)
        if name in _REFUSED:
            raise NotImplementedError(f"Scaled version of '{name}' is not available")
        return own

    def _rescaled(self, name: str, own, operands, options):
        at, word = _DIVIDED.get(name, (None, None))
        if word in options:
            options[word] = options[word] / self.scale
        elif at is not None and at < len(operands):
            operands = *operands[:at], operands[at] / self.scale, *operands[at + 1:]
        result = own(*operands, **options)
        power = _MULTIPLIED.get(name)
        return result * self.scale.to(result.dtype)**power if power else result

    def _drawn(self, own, size, options):
        if "std" in inspect.signature(getattr(self.base, "random_normal", own)).parameters and own.__name__ != "origin":
            options["std"] = options.get("std", 1) / self.scale
        return self._points(own(*size, **options))


def _add(name: str) -> None:
    """Makes Scaled look up an attribute of Manifold in its base."""
    setattr(Scaled, name, property(lambda self: self._version(name)))


for _name in dir(Manifold):
    if not _name.startswith("_") and _name not in dir(torch.nn.Module) and _name != "name":
        _add(_name)
