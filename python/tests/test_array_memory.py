"""Indexing, views, shared memory, files."""
import pickle
import types

import numpy as np
import pytest

import mctensor as mct

KEYS = [0, -1, slice(1, 3), slice(None, None, -1), Ellipsis, None, (0, 1), (0, 1, 2), (slice(None), 2),
        (Ellipsis, 1), (None, 1, None), (1, slice(0, 2), slice(None, None, 2)), [0, 2], np.array([1, 0]),
        ([0, 1], [1, 2]), (slice(None), [2, 0]), ([0, 1], slice(None), [1, 2]), np.int64(1),
        (slice(2, 0, -1), Ellipsis, slice(1, None))]


def values(x):
    return x.to_fraction()


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_indexing_is_numpys(key, dtype):
    x = mct.randn((3, 4, 5), 1, dtype)
    assert np.array_equal(values(x[key]), values(x)[key])
    assert x[key].dtype == dtype
    written = values(x)
    written[key] = 7
    x[key] = 7
    assert np.array_equal(values(x), written)


def test_masks():
    x = mct.randn((3, 4), 1)
    mask = x > 0
    assert np.array_equal(values(x[mask]), values(x)[mask])
    x[mask] = "0.1"
    assert np.all(x[mask] == mct.array("0.1")) and np.all(x[~mask] <= 0)


def test_assignment_rounds_once():
    x = mct.zeros(3, "f32x2")
    x[0] = "0.1"
    x[1:] = mct.array(["0.2", "0.3"], "f64x4")
    assert mct.array_equal(x, mct.array(["0.1", "0.2", "0.3"], "f32x2"))
    with pytest.raises(ValueError):
        x[:2] = [1, 2, 3]


@pytest.mark.parametrize("key, said", [
    (3, "index 3 .* axis 0 .* size 3"), (-4, "index -4"), ((0, 4), "index 4 .* axis 1 .* size 4"), ([5], "index 5"),
    ((0, 0, 0), "2-dimensional, but 3")], ids=str)
def test_bad_index(key, said):
    x = mct.zeros((3, 4))
    with pytest.raises(IndexError, match=said):
        x[key]
    with pytest.raises(IndexError, match=said):
        x[key] = 1


def test_no_dimensions_are_written(dtype):
    x = mct.ones((), dtype)
    assert x == 1 and mct.full((), "0.5", dtype) == 0.5
    x[...] = 2
    assert np.add(x, 1, out=x) is x and x == 3
    np.copyto(x, mct.array(4, dtype))
    assert x == 4 and x[True].tolist() == [4] and x[False].shape == (0,)
    x[()] = 5
    assert x == 5


def test_basic_indexing_gives_views():
    x = mct.zeros((4, 5))
    for view in (x[1:3], x.T, x.reshape(20), x[:, 2], x[None], x.swapaxes(0, 1), np.moveaxis(x, 0, 1),
                 x[2, 3, ...], np.squeeze(x[None])):
        assert np.shares_memory(view.planes, x.planes)
    x[1:3][0, 0] = 5
    assert x[1, 0] == 5
    x[...] = x[::-1]  # overlapping
    assert x[2, 0] == 5
    assert not np.shares_memory(x[[0, 1]].planes, x.planes)
    kept = x[1:]
    del x
    assert kept[1, 0] == 5


def test_long_chains_of_views():
    for view in (lambda x: x[1:], lambda x: np.swapaxes(x, 0, 0), lambda x: mct.from_planes(x.planes, x.dtype),
                 lambda x: x.reshape(-1, 1)[:, 0]):
        x = mct.ones(30000)
        for _ in range(20000):
            x = view(x)
        assert x[-1] == 1
        del x


def test_shapes_are_numpys():
    x = mct.randn((2, 1, 3), 1)
    plain = x.to_numpy()
    for f in (lambda a: a.T, lambda a: a.transpose(2, 0, 1), lambda a: a.transpose((1, 0, 2)),
              lambda a: a.reshape(3, -1), lambda a: a.reshape((6,)), lambda a: a.ravel(),
              lambda a: np.squeeze(a), lambda a: np.squeeze(a, 1), lambda a: np.expand_dims(a, (0, -1)),
              lambda a: np.expand_dims(a, [0, 1]), lambda a: np.transpose(a, np.array([2, 0, 1])),
              lambda a: np.squeeze(a, -2), lambda a: np.roll(a=a, shift=1), lambda a: np.flip(m=a),
              lambda a: np.compress([True, False], a, axis=0),
              lambda a: np.broadcast_to(a, (4, 2, 5, 3)), lambda a: np.roll(a, 1, 0),
              lambda a: np.flip(a, 2), lambda a: np.moveaxis(a, 0, -1), lambda a: np.tile(a, (1, 2, 1)),
              lambda a: np.repeat(a, 2, axis=1), lambda a: np.take(a, [1, 0], axis=0),
              lambda a: np.swapaxes(a, 0, 2), lambda a: a.flatten(), lambda a: np.triu(a[:, 0])):
        assert np.array_equal(f(x).to_numpy(), f(plain))
    assert np.shape(x) == np.shape(a=x) == (2, 1, 3) and np.ndim(x) == np.size(x, 2) == 3
    assert np.size(x) == x.size == 6 and len(x) == 2
    assert np.zeros_like(x).shape == x.shape and np.full_like(x, "0.1")[0, 0, 0] == mct.array("0.1")
    for bad in (lambda: x.reshape(4), lambda: x.squeeze(0), lambda: x.transpose(0, 1),
                lambda: np.broadcast_to(x, (3,)), lambda: np.broadcast_to(x, (2, -1, 3)),
                lambda: x.squeeze(4), lambda: x.squeeze(-4), lambda: mct.array(1).squeeze(0),
                lambda: x.swapaxes(0, 3), lambda: np.expand_dims(x, (0, 0))):
        with pytest.raises(ValueError):
            bad()
    with pytest.raises(TypeError):
        len(mct.array(1))
    assert [row.shape for row in x] == [(1, 3), (1, 3)]


def test_what_is_expanded_is_not_written():
    x = np.broadcast_to(mct.ones(3), (2, 3))
    assert (x + 1).tolist() == [[2] * 3] * 2
    with pytest.raises(ValueError):
        x += 1
    with pytest.raises(ValueError, match="expanded"):
        x[0] = 1


def test_planes_share_memory(dtype):
    x = mct.randn((3, 4), 1, dtype)
    again = mct.from_planes(x.planes, dtype)
    assert again.planes.ctypes.data == x.planes.ctypes.data
    x[1, 1] = 3
    assert again[1, 1] == 3
    assert x.planes.shape == (x.components, 3, 4)


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) >= "2.0.0", reason="NumPy 2 has so many dimensions")
def test_more_dimensions_than_numpy_has():
    with pytest.raises(ValueError, match="33 dimensions"):
        mct.zeros((1,) * 32).planes


def test_from_planes_of_numpy():
    memory = np.zeros((2, 5))
    x = mct.from_planes(memory[:, ::2], "f64x2")
    memory[0, 2] = 8
    assert x.tolist() == [0, 8, 0]
    x[0] = "0.1"
    assert memory[0, 0] == 0.1 and memory[1, 0] != 0
    with pytest.raises(TypeError, match="float64"):
        mct.from_planes(np.zeros((2, 3), np.float32), "f64x2")
    with pytest.raises(ValueError, match="in front"):
        mct.from_planes(np.zeros((3, 3)), "f64x2")
    memory.flags.writeable = False
    with pytest.raises(ValueError, match="written"):
        mct.from_planes(memory, "f64x2")


def test_memory_lives_as_long_as_it_is_used():
    planes = mct.randn((1000,), 1).planes
    copy = planes.copy()
    mct.randn((1000,), 2)
    assert np.array_equal(planes, copy)
    x = mct.from_planes(np.full((2, 1000), 3.0), "f64x2")
    mct.randn((1000,), 3)
    assert np.all(x.planes == 3)


def test_dlpack_with_torch(dtype):
    torch = pytest.importorskip("torch", "2.4")
    x = mct.randn((3, 4), 1, dtype)
    t = torch.from_dlpack(x)
    assert t.data_ptr() == x.planes.ctypes.data and tuple(t.shape) == (x.components, 3, 4)
    t[0, 1, 1] = 5
    t[1:, 1, 1] = 0
    assert x[1, 1] == 5
    back = mct.from_planes(t, dtype)
    assert back.planes.ctypes.data == t.data_ptr()
    assert mct.array_equal(mct.array(t[0], f"{dtype.split('x')[0]}x1"), back.to_numpy()) or "bf" in dtype


def test_dlpack_with_numpy():
    x = mct.randn((3, 4), 1)
    if hasattr(np, "from_dlpack"):
        assert np.from_dlpack(x).ctypes.data == x.planes.ctypes.data


def test_dlpack_with_jax():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    x = jax.numpy.arange(6, dtype="float32").reshape(2, 3)
    assert mct.array_equal(mct.array(x, "f64x2"), np.asarray(x))
    again = mct.from_planes(x, "f32x2")
    assert again.planes.ctypes.data == x.unsafe_buffer_pointer() and np.array_equal(again.planes, x)
    shared = jax.dlpack.from_dlpack(mct.ones((4, 4), "f32x2"))  # planes without a gap between them
    assert shared.shape == (2, 4, 4) and float(shared.sum()) == 16


def test_npy(dtype, tmp_path):
    x = mct.randn((3, 4), 1, dtype)
    mct.save(tmp_path / "x.npy", x[:, ::-1])
    assert mct.array_equal(mct.load(tmp_path / "x.npy", dtype), x[:, ::-1])
    np.save(str(tmp_path / "y.npy"), x + 1)
    np.save(tmp_path / "y", x)  # the ending is added, as by NumPy
    raw = np.load(tmp_path / "y.npy")
    assert raw.shape == ((x.components, 3, 4) if x.components > 1 else (3, 4))
    if not dtype.startswith("bf"):
        assert np.array_equal(raw.reshape(x.planes.shape), x.planes)


def test_npz(dtype, tmp_path):
    x, plain = mct.randn((3, 4), 1, dtype), np.arange(5)
    mct.savez(tmp_path / "all.npz", x=x, plain=plain)
    found = mct.load(tmp_path / "all.npz")
    assert found["x"].dtype == dtype and mct.array_equal(found["x"], x)
    assert np.array_equal(found["plain"], plain) and set(found) == {"x", "plain"}


def test_bad_files(tmp_path):
    with pytest.raises(OSError, match="nothing.npy"):
        mct.load(tmp_path / "nothing.npy", "f64x2")
    mct.save(tmp_path / "x.npy", mct.ones((3, 4)))
    with pytest.raises(OSError, match="x.npy"):
        mct.load(tmp_path / "x.npy", "f64x3")
    with pytest.raises(ValueError, match="dtype"):
        mct.load(tmp_path / "x.npy")
    np.savez(tmp_path / "foreign.npz", a=np.ones(3))
    with pytest.raises(OSError, match="savez"):
        mct.load(tmp_path / "foreign.npz")
    (tmp_path / "text.npz").write_text("no archive")
    with pytest.raises(OSError):
        mct.load(tmp_path / "text.npz")
    with pytest.raises(OSError):
        mct.save(tmp_path / "no" / "folder.npy", mct.ones(2))


def test_functions_can_be_pickled():
    """As the work that goes to other processes."""
    for name in mct.__all__:
        function = getattr(mct, name)
        if isinstance(function, types.FunctionType):
            assert pickle.loads(pickle.dumps(function)) is function, name
