"""Arrays in .npy and .npz files, which NumPy reads, too.

The components are a leading dimension, so that the sum over axis 0 is the value. A .npz file says in
the entry "mctensor_dtypes", lines of "name dtype", which of its entries are arrays of expansions.
"""
from __future__ import annotations

import os

import numpy as np

from . import _core
from ._array import Array, _wrap
from ._make import array, from_planes
from ._dtypes import split

_TYPES_ENTRY = "mctensor_dtypes"


def save(path, x) -> None:
    """Writes an array as a .npy file. The file is replaced as a whole or left as it was."""
    _core.save_npy(os.fspath(path), (x if isinstance(x, Array) else array(x))._t)


def load(path, dtype: str | None = None):
    """Reads a .npy file as an array of a type, which the file does not say; or a .npz file of savez as a
    dict of arrays."""
    name = os.fspath(path)
    if dtype is not None:
        split(dtype)
        return _wrap(_core.load_npy(name, dtype))
    with _opened(name) as entries:
        if _TYPES_ENTRY not in entries:
            raise _core.IoError(f"{name}: no entry {_TYPES_ENTRY}: it was not written by savez")
        types = dict(line.rsplit(" ", 1) for line in str(entries[_TYPES_ENTRY]).splitlines())
        return {key: _entry(name, key, entries[key], types.get(key))
                for key in entries.files if key != _TYPES_ENTRY}


def _opened(name: str):
    try:
        opened = np.load(name, allow_pickle=False)
    except ValueError as error:
        raise _core.IoError(f"{name}: {error}") from None
    if not isinstance(opened, np.lib.npyio.NpzFile):
        raise ValueError(f"{name} is a .npy file: load needs its dtype, as 'f64x2'")
    return opened


def _entry(name: str, key: str, values: np.ndarray, dtype: str | None):
    if dtype is None:
        return values
    try:
        return from_planes(values, dtype)
    except (TypeError, ValueError) as error:
        raise _core.IoError(f"{name}: entry {key}: {error}") from None


def savez(path, **arrays) -> None:
    """Writes arrays, of expansions and of NumPy, by their names into a .npz file."""
    if _TYPES_ENTRY in arrays:
        raise ValueError(f"the name {_TYPES_ENTRY} is the file's own")
    types = [f"{key} {x.dtype}" for key, x in arrays.items() if isinstance(x, Array)]
    entries = {key: x.planes if isinstance(x, Array) else np.asarray(x) for key, x in arrays.items()}
    np.savez(os.fspath(path), **entries, **{_TYPES_ENTRY: np.array("\n".join(types))})
