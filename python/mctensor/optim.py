"""AdamW in reduced precision over your own arrays (NumPy's, or anything with DLPack), without PyTorch.

    strategy = "split16-plus"
    states = new_arrays(strategy, weights)               # float32 weights to theta, low, m, v ...
    arrays = AdamWArrays(strategy)
    arrays.add(**states, grad=gradients)                 # shared, not copied
    report = arrays.step(AdamWOptions(lr=3e-4), step=1)  # in place, all in one call
"""
from __future__ import annotations

import numpy as np

from . import _core
from ._arguments import real_array, set_option, whole, word
from ._pickles import NotPickled
from ._turns import Turns

StepReport = _core.StepReport

#: the names of all strategies
STRATEGIES = tuple(_core.strategies())
#: the NumPy types of the arrays; a 16-bit format as its bits, float16 also as itself
_NUMPY = {"narrow": np.uint16, "float32": np.float32, "lower_bits": np.int16, "lower_byte": np.uint8,
          "roots": np.uint8, "marks": np.uint32}


def AdamWOptions(**options) -> _core.AdamWOptions:
    """The options of a step: lr, beta1, beta2, eps, weight_decay, decay_mode ("inside", "decoupled", "l2"), schedule,
    grad_scale, seed, arithmetic ("registers", "strict"), metrics, metric_sample."""
    result = _core.AdamWOptions()
    set_options(result, options)
    return result


def set_options(target: _core.AdamWOptions, options: dict) -> None:
    """Sets options of a step by their names. Raises TypeError for unknown names and values of other types, ValueError
    for other values."""
    for name, value in options.items():
        if not hasattr(target, name) or name.startswith("_"):
            raise TypeError(f"AdamWOptions has no '{name}'")
        set_option(target, name, _enumerator(name, value))


def _enumerator(name: str, value):
    kinds = {"decay_mode": _core.WeightDecay, "arithmetic": _core.Arithmetic}
    if name not in kinds or not isinstance(value, str):
        return value
    try:
        return kinds[name][value]
    except KeyError:
        names = ", ".join(kind.name for kind in kinds[name])
        raise ValueError(f"{name} '{value}' is not one of {names}") from None


def layout_of(strategy: str, parameters: int, amsgrad: bool = False,
              marks: bool = False) -> dict[str, tuple[str, int, int]]:
    """The arrays that a strategy keeps for so many parameters: name -> (content, bytes, elements). ``marks`` adds the
    marks, if the strategy has them. With them a step notices that the program has written theta."""
    return _core.adamw_arrays(str(strategy), whole("parameters", parameters), bool(amsgrad), bool(marks))


def _memory(name: str, array, nbytes: int, writeable: bool) -> np.ndarray:
    """A NumPy array on the memory of ``array``. Raises ValueError unless it is contiguous and has this number of
    bytes."""
    values = array if isinstance(array, np.ndarray) else _core.as_numpy(array)[0]
    if values.nbytes != nbytes:
        raise ValueError(f"{name} has {values.nbytes} bytes, {nbytes} are wanted")
    if not values.flags.c_contiguous:
        raise ValueError(f"{name} is not contiguous")
    if writeable and not values.flags.writeable:
        raise ValueError(f"{name} may not be written")
    return values


def _check_type(name: str, content: str, values: np.ndarray, format: str) -> None:
    wanted = np.dtype(_NUMPY[content])
    allowed = {wanted}
    if content == "narrow":
        allowed = {np.dtype(np.float16)} if format == "float16" else {np.dtype(np.uint16)}
    if values.dtype not in allowed and not (content == "lower_byte" and values.dtype == np.int8):
        found = " or ".join(map(str, allowed))
        raise TypeError(f"{name} holds {values.dtype}, {found} is wanted for {content} of {format}")


class AdamWArrays(NotPickled):
    """Arrays of parameters that one call steps. They are checked once and shared from then on. Several threads may use
    it, one at a time."""

    _instead = "its arrays are yours: store them, and add() them to a new one"

    def __init__(self, strategy: str, format: str = "bfloat16"):
        self.strategy = strategy
        self.format = format
        self._arrays = _core.AdamWArrays(word(strategy), word(format))
        self._kept = []
        self._turn = Turns()

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, *, theta, grad, first: int = 0, **states) -> None:
        """Adds a parameter: its weights, its gradient (of the type of theta) and the arrays that layout_of names;
        AMSGrad needs v_max. ``first`` is the position of the parameter among all, a multiple of 128: with stochastic
        rounding different positions get different random bits. With ``marks`` you may write to theta between steps: the
        next step takes theta as the weights, and drops low for every group of 128 in which theta has changed. Without
        marks low would still belong to the old theta, so use set_weights to write."""
        given = {"theta": theta, **states}
        count = np.size(theta) if isinstance(theta, np.ndarray) else _core.as_numpy(theta)[0].size
        wanted = layout_of(self.strategy, count, "v_max" in states, "marks" in states)
        if set(given) != set(wanted):
            raise TypeError(f"{self.strategy} keeps {', '.join(wanted)}; given are {', '.join(given)}")
        addresses = {}
        kept = []
        for name, (content, size, elements) in wanted.items():
            values = _memory(name, given[name], size * elements, True)
            _check_type(name, content, values, self.format)
            addresses[name] = values.ctypes.data
            kept.append(values)
        gradient = _memory("grad", grad, kept[0].nbytes, False)
        _check_type("grad", wanted["theta"][0], gradient, self.format)
        with self._turn:
            self._arrays.add(addresses, count, whole("first", first), gradient.ctypes.data)
            self._kept.append((*kept, gradient))

    def step(self, options: _core.AdamWOptions, step: int) -> _core.StepReport:
        """Makes a step of all parameters, with the number ``step`` >= 1, or of none if a gradient is not finite."""
        if not isinstance(options, _core.AdamWOptions):
            raise TypeError(f"options must be AdamWOptions, not {options!r}")
        with self._turn:
            return self._arrays.step(options, whole("step", step))

    def set_weights(self, index: int, weights: np.ndarray) -> None:
        """Writes float weights to theta and low of parameter ``index``."""
        weights = _floats("set_weights", weights)
        with self._turn:
            self._arrays.set_weights(whole("index", index), weights)

    def weights(self, index: int) -> np.ndarray:
        """The weights of parameter ``index`` as the strategy holds them, rounded to float."""
        index = whole("index", index)
        with self._turn:
            result = np.empty(self._kept[index][0].shape, dtype=np.float32)
            self._arrays.get_weights(index, result)
            return result


def _floats(name: str, x) -> np.ndarray:
    return np.ascontiguousarray(real_array(name, x, np.float32))


def new_arrays(strategy: str, weights: np.ndarray, format: str = "bfloat16",
               amsgrad: bool = False) -> dict[str, np.ndarray]:
    """Stores float weights as a strategy does: theta and low with their marks, and zeros for the states."""
    weights = _floats("new_arrays", weights)
    result = {}
    for name, (content, _, elements) in layout_of(strategy, weights.size, amsgrad, True).items():
        kind = np.float16 if content == "narrow" and format == "float16" else _NUMPY[content]
        result[name] = np.zeros(weights.shape if elements == weights.size else elements, kind)
    arrays = _core.AdamWArrays(word(strategy), word(format))
    arrays.add({name: values.ctypes.data for name, values in result.items()}, weights.size, 0)
    arrays.set_weights(0, weights)
    return result


def narrow(x: np.ndarray, format: str = "bfloat16") -> np.ndarray:
    """Rounds floats to nearest in a 16-bit format. bfloat16 is returned as bits (uint16)."""
    x = _floats("narrow", x)
    result = np.empty(x.shape, np.float16 if format == "float16" else np.uint16)
    _core.narrow_floats(word(format), x.ctypes.data, result.ctypes.data, x.size)
    return result


def widen(x: np.ndarray) -> np.ndarray:
    """Converts numbers of a 16-bit format to floats: float16, or the bits of bfloat16 (uint16)."""
    x = np.ascontiguousarray(x)
    if x.dtype not in (np.float16, np.uint16):
        raise TypeError(f"widen: float16 or the bits of bfloat16 (uint16) are wanted, not {x.dtype}")
    result = np.empty(x.shape, np.float32)
    _core.widen_to_floats("float16" if x.dtype == np.float16 else "bfloat16", x.ctypes.data,
                          result.ctypes.data, x.size)
    return result
