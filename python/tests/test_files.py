"""Files that are damaged or have strange names."""
import os

import numpy as np
import pytest

import mctensor as mct


def test_paths_that_are_no_utf8(tmp_path):
    for name in (os.fsencode(tmp_path) + b"/no\xff.npy", f"{tmp_path}/no\udcff.npy"):
        with pytest.raises(OSError, match=r"no\\xff\.npy"):
            mct.load(name, "f64x2")


def test_paths_that_no_file_has(tmp_path):
    path = f"{tmp_path}/\ud800.npy"
    for call in (lambda: mct.load(path, "f64x2"), lambda: mct.load(path), lambda: mct.save(path, mct.ones(2))):
        with pytest.raises(ValueError, match=r"ud800.npy', which cannot be the name of a file"):
            call()


def test_damaged_archives(tmp_path):
    path = tmp_path / "a.npz"
    mct.savez(path, a=mct.array([1.0, 2.0]), b=np.arange(3))
    content = path.read_bytes()
    for place in range(0, len(content), 9):
        path.write_bytes(content[:place])
        with pytest.raises(OSError):
            mct.load(path)
        path.write_bytes(content[:place] + bytes([content[place] ^ 255]) + content[place + 1:])
        try:
            mct.load(path)
        except OSError:
            pass


@pytest.mark.parametrize("entries, message", [
    (dict(mctensor_dtypes=np.array("a")), "mctensor_dtypes: there is no dtype 'a', only f64x1"),
    (dict(mctensor_dtypes=np.array("a f64x9")), "mctensor_dtypes: there is no dtype 'f64x9'"),
    (dict(mctensor_dtypes=np.array(""), a=np.array([None])), "entry a: Object arrays"),
    (dict(mctensor_dtypes=np.array("a f64x2"), a=np.ones(2, np.float32)), "entry a: planes of float32")])
def test_archives_of_others(tmp_path, entries, message):
    np.savez(tmp_path / "a.npz", **entries)
    with pytest.raises(OSError, match=message):
        mct.load(tmp_path / "a.npz")
