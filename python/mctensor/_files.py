"""Arrays in .npy and .npz files, which NumPy reads, too.

The components are a leading dimension, so the sum over axis 0 is the value. In a .npz file the entry "mctensor_dtypes"
lists the entries that are arrays of expansions, in lines of "name dtype".
"""
from __future__ import annotations

import contextlib
import zipfile
import zlib

import numpy as np

from . import _core
from ._arguments import file_path
from ._array import Array, _wrap
from ._make import array, from_planes
from ._dtypes import split

_TYPES_ENTRY = "mctensor_dtypes"
#: the exceptions of Python's readers for damaged files
_DAMAGE = (TypeError, ValueError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)


def save(path, x) -> None:
    """Writes an array as a .npy file. The file is replaced as a whole or left as it was."""
    _core.save_npy(file_path("path", path), (x if isinstance(x, Array) else array(x))._t)


def load(path, dtype: str | None = None):
    """Reads a .npy file as an array of the type ``dtype``, which the file does not name; or, without ``dtype``, a .npz
    file of savez as a dict of arrays."""
    name = file_path("path", path)
    if dtype is not None:
        split(dtype)
        return _wrap(_core.load_npy(name, dtype))
    with _opened(name) as entries:
        if _TYPES_ENTRY not in entries.files:
            raise _core.IoError(f"{name}: no entry {_TYPES_ENTRY}: it was not written by savez")
        with _reading(f"{name}: entry {_TYPES_ENTRY}"):
            types = _types_of(str(entries[_TYPES_ENTRY]))
        result = {}
        for key in entries.files:
            if key != _TYPES_ENTRY:
                with _reading(f"{name}: entry {key}"):
                    result[key] = from_planes(entries[key], types[key]) if key in types else entries[key]
        return result


def _opened(name: str):
    with _reading(name):
        opened = np.load(name, allow_pickle=False)
    if not isinstance(opened, np.lib.npyio.NpzFile):
        raise ValueError(f"{name} is a .npy file: load needs its dtype, as 'f64x2'")
    return opened


@contextlib.contextmanager
def _reading(what: str):
    """Raises IoError if a file that the block reads is damaged."""
    try:
        yield
    except _DAMAGE as error:
        raise _core.IoError(f"{what}: {error}") from None


def _types_of(lines: str) -> dict[str, str]:
    types = {}
    for line in lines.splitlines():
        key, _, types[key] = line.rpartition(" ")
        split(types[key])  # raises TypeError for an unknown type
    return types


def savez(path, **arrays) -> None:
    """Writes arrays of expansions and NumPy arrays by their names into a .npz file."""
    if _TYPES_ENTRY in arrays:
        raise ValueError(f"no array can have the name {_TYPES_ENTRY}, which the file itself uses")
    for key in arrays:
        if len(f"{key}.".splitlines()) > 1:
            raise ValueError(f"savez: the name {key!r} has a line break, and the file lists types in lines")
    types = [f"{key} {x.dtype}" for key, x in arrays.items() if isinstance(x, Array)]
    entries = {key: x.planes if isinstance(x, Array) else np.asarray(x) for key, x in arrays.items()}
    np.savez(file_path("path", path), **entries, **{_TYPES_ENTRY: np.array("\n".join(types))})
