"""Points with exact tiles: the manifolds' values near the origin, and their digits far from it."""
import copy
import pickle

import numpy as np
import pytest

from conftest import beside
from mctensor import geometry, optim


def sample(count, dimension, seed=0):
    rng = np.random.default_rng(seed)
    if dimension == 0:  # of the disk
        return rng.uniform(-0.6, 0.6, (count, 2))
    return np.column_stack([rng.standard_normal((count, dimension - 1)), np.exp(rng.standard_normal(count))])


@pytest.mark.parametrize("dimension", [0, 2, 3, 5])
def test_as_the_manifold(dimension):
    tiling = geometry.LTiling() if dimension == 0 else geometry.HTiling(2.0)
    manifold = geometry.PoincareBall() if dimension == 0 else geometry.HalfSpace(2.0)
    a, b = sample(9, dimension), sample(9, dimension, 4)
    x, y = tiling.points(a), tiling.points(b)
    assert len(x) == 9 and "9 points" in repr(x)
    assert np.allclose(x.to_model(), a, rtol=1e-14)
    d = tiling.dist(x, y)
    assert np.allclose(d, manifold.dist(a, b), rtol=1e-13)
    assert np.allclose(tiling.dist0(x), manifold.dist0(a), rtol=1e-13)
    v = tiling.logmap(x, y)
    assert np.allclose(tiling.norm(x, v), d, rtol=1e-13)
    assert np.allclose(tiling.dist(tiling.expmap(x, v), y), 0, atol=1e-13)
    assert np.allclose(tiling.norm(y, tiling.ptransp(x, y, v)), d, rtol=1e-12)
    gradient = tiling.egrad2rgrad(x, tiling.dist_gradient(x, y))
    assert np.allclose(-d[:, None] * gradient, v, atol=1e-12)
    assert np.array_equal(tiling.dist(x, y[3]), [tiling.dist(x[i], y[3])[0] for i in range(9)])
    assert np.array_equal(x[2:4].local, x.local[2:4]) and len(x[[0, 5]]) == 2


def test_far_out():
    """A thousand radii from the origin, where coordinates of double are all at the boundary."""
    plane = geometry.LTiling()
    x = plane.points(np.zeros((1, 2)))
    for _ in range(4):
        x = plane.expmap(x, np.array([[250.0, 0.0]]) / plane.norm(x, np.array([[1.0, 0.0]]))[:, None])
    y = plane.expmap(x, np.array([[0.0, 1e-9]]))
    expected = plane.norm(x, np.array([[0.0, 1e-9]]))
    assert np.allclose(plane.dist(x, y), expected, rtol=1e-12) and plane.dist0(x) > 50
    (tile,) = x.tiles
    assert len(tile) == 9 and tile[0] ** 2 * 3 - tile[3] ** 2 - tile[6] ** 2 == 3  # exactly
    assert max(map(abs, tile)) > 2**64


def test_training():
    space = geometry.HTiling()
    x, target = space.points(sample(5, 3)), space.points(sample(1, 3, 8))
    before = space.dist(x, target)
    for _ in range(30):
        d = space.dist(x, target)
        space.rsgd_step(x, 2 * d[:, None] * space.dist_gradient(x, target), 0.1)
    assert np.all(space.dist(x, target) < 0.01 * before)


def test_tiles_of_any_size():
    space = geometry.HTiling()
    x = space.points([[0.0, 1.0]])
    for sign in (1, -1):
        ((level, place),) = space.expmap(x, [[sign * 2e4, 0.0]]).tiles
        assert place.bit_length() > 15000 and (place > 0) == (sign > 0) and isinstance(level, int)
    assert space.points([[-3.25, 1.0], [2.5, 1.0], [0.5, 1.0]]).tiles == [(0, -4), (0, 2), (0, 0)]


def test_threads_read_while_points_move():
    space = geometry.HTiling()
    x, y = (space.points(sample(500, 3)) for _ in range(2))
    held = x._points  # as who reads has them
    begin = held.local().planes[0].copy()
    beside(lambda: space.rsgd_step(x, np.ones((500, 3)), 1e-6), lambda: (x.tiles, x.local), 20)
    for _ in range(20):
        space.rsgd_step(y, np.ones((500, 3)), 1e-6)
    assert np.array_equal(held.local().planes[0], begin)
    assert x.tiles == y.tiles and np.array_equal(x.local, y.local) and not np.array_equal(x.local, begin)


def test_bad_arguments():
    plane = geometry.LTiling()
    x = plane.points(sample(3, 0))
    for radius in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="radius"):
            geometry.LTiling(radius)
    with pytest.raises(ValueError, match="outside"):
        plane.points([[1.0, 0.5]])
    with pytest.raises(ValueError, match="shape"):
        plane.points([[0.1, 0.1, 0.1]])
    with pytest.raises(ValueError, match="2 to 5"):
        geometry.HTiling().points(np.ones((1, 6)))
    with pytest.raises(ValueError, match="3 points and 2"):
        plane.dist(x, x[:2])
    with pytest.raises(TypeError, match="another tiling"):
        plane.dist(x, geometry.HTiling().points(sample(3, 2)))
    with pytest.raises(ValueError):
        plane.norm(x, np.zeros((2, 2)))
    with pytest.raises(IndexError):
        x[7]
    for call in (lambda: plane.dist(x.local, x), lambda: plane.dist(x, x.local), lambda: plane.dist0(None),
                 lambda: plane.rsgd_step(x.local, x.local, 0.1)):
        with pytest.raises(TypeError, match="points of a tiling are taken"):
            call()
    with pytest.raises(TypeError, match="lr must be a float, not 'x'"):
        plane.rsgd_step(x, x.local, "x")
    before = x.local
    with pytest.raises(ValueError):
        plane.rsgd_step(x, np.full((3, 2), np.nan), 0.1)
    assert np.array_equal(x.local, before)


def test_copies_are_exact_and_pickles_an_error():
    plane = geometry.LTiling()
    x = plane.points(np.array([[0.1, 0.2]]))
    far = plane.expmap(x, np.array([[30.0, 1.0]]))
    for other in (copy.copy(far), copy.deepcopy(far)):
        assert other.tiles == far.tiles and np.array_equal(other.local, far.local)
        plane.rsgd_step(other, np.array([[1.0, 0.0]]), 0.1)
        assert other.tiles != far.tiles or not np.array_equal(other.local, far.local)
    with pytest.raises(TypeError, match="TilingPoints: pickle.*tiles and local"):
        pickle.dumps(far)
    points = np.array([[0.1, 0.2]])
    for made, words in ((geometry.Rsgd(points, geometry.PoincareBall(), 0.1), r"Rsgd: pickle.*save\(path\)"),
                        (geometry.Radam(points, geometry.PoincareBall(), 0.1), r"Radam: pickle.*save\(path\)"),
                        (optim.AdamWArrays("plus"), r"AdamWArrays: pickle.*add\(\)")):
        for f in (pickle.dumps, copy.deepcopy, copy.copy):
            with pytest.raises(TypeError, match=words):
                f(made)
