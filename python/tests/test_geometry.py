"""Manifolds on NumPy's arrays and those of expansions."""
import decimal
import fractions
import os

import numpy as np
import pytest

import mctensor as mct
from mctensor import geometry

MANIFOLDS = [geometry.PoincareBall(), geometry.HalfSpace(2.0), geometry.Lorentz(0.5)]
OTHERS = [geometry.Klein(1.5), geometry.Hemisphere(2.0), geometry.Sphere(0.5), geometry.Euclidean(),
          geometry.Stereographic(-0.7), geometry.Stereographic(0.0), geometry.Stereographic(0.4)]


def points(manifold, count, seed=0):
    """Points of a manifold, of three dimensions."""
    rng = np.random.default_rng(seed)
    if isinstance(manifold, geometry.HalfSpace):
        return np.column_stack([rng.standard_normal((count, 2)), np.exp(rng.standard_normal(count))])
    if isinstance(manifold, geometry.Lorentz):
        space = rng.standard_normal((count, 3))
        return np.column_stack([np.sqrt(manifold.radius**2 + (space**2).sum(1)), space])
    if isinstance(manifold, (geometry.Hemisphere, geometry.Sphere)):
        return manifold.projx(np.column_stack([rng.standard_normal((count, 3)), np.exp(rng.standard_normal(count))]))
    radius = 1 if isinstance(manifold, geometry.Stereographic) else manifold.radius
    return 0.5 * rng.uniform(-1, 1, (count, 3)) * radius


def tangents(manifold, x, seed=1):
    return manifold.proju(x, np.random.default_rng(seed).standard_normal(x.shape) * 0.3)


@pytest.mark.parametrize("manifold", MANIFOLDS + OTHERS, ids=repr)
def test_maps_are_inverse(manifold):
    x, y = points(manifold, 20), points(manifold, 20, 5)
    u = tangents(manifold, x)
    assert np.allclose(manifold.logmap(x, manifold.expmap(x, u)), u, atol=1e-12)
    assert np.allclose(manifold.expmap(x, manifold.logmap(x, y)), y, atol=1e-12)
    assert np.allclose(manifold.norm(x, manifold.logmap(x, y)), manifold.dist(x, y))
    assert np.allclose(manifold.dist2(x, y), manifold.dist(x, y) ** 2)
    v = manifold.ptransp(x, y, u)
    assert np.allclose(manifold.norm(y, v), manifold.norm(x, u))
    assert np.allclose(manifold.inner(x, u, u), manifold.norm(x, u) ** 2)
    middle = manifold.geodesic(0.5, x, y)
    assert np.allclose(manifold.dist(x, middle), manifold.dist(x, y) / 2)
    assert np.allclose(manifold.projx(x), x)
    assert np.allclose(manifold.expmap0(manifold.logmap0(x)), x)
    assert np.allclose(manifold.dist0(x), manifold.dist(x, manifold.expmap0(manifold.logmap0(x) * 0)))


def test_known_values():
    ball = geometry.PoincareBall()
    assert np.isclose(ball.dist([0.0, 0.0], [0.5, 0.0]), 2 * np.arctanh(0.5), rtol=1e-15)
    assert np.isclose(geometry.HalfSpace().dist([0.0, 1.0], [0.0, np.e]), 1, rtol=1e-15)
    assert np.allclose(ball.mobius_add([0.3, 0.0], [0.4, 0.0]), [0.7 / 1.12, 0])
    assert isinstance(ball.dist([0.0], [0.5]), float) and ball.k == -1
    assert geometry.PoincareBall(2).dist([0.0], [1.0]) == pytest.approx(4 * np.arctanh(0.5))


def test_leading_dimensions_broadcast():
    ball = geometry.PoincareBall()
    x, y = points(ball, 5), points(ball, 4, 2)
    pairs = ball.dist(x[:, None], y)
    assert pairs.shape == (5, 4) and pairs[2, 3] == ball.dist(x[2], y[3])
    assert ball.expmap(x, y[0]).shape == (5, 3)
    assert ball.geodesic(np.linspace(0, 1, 7)[:, None], x, y[0]).shape == (7, 5, 3)
    with pytest.raises(ValueError, match="dist"):
        ball.dist(x, y)


def test_curvatures():
    assert [m.k for m in OTHERS] == [-1 / 2.25, -0.25, 4, 0, -0.7, 0, 0.4]
    assert geometry.Sphere(2).dist([2.0, 0.0], [0.0, 2.0]) == pytest.approx(np.pi)
    assert np.array_equal(geometry.Sphere().antipode([1.0, 0.0]), [-1.0, 0.0])
    ball, klein = geometry.PoincareBall(1.5), geometry.Klein(1.5)
    x, y = points(ball, 5), points(ball, 5, 2)
    to_klein = [2 * a / (1 + (a**2).sum(-1, keepdims=True) / 2.25) for a in (x, y)]
    assert np.allclose(klein.dist(*to_klein), ball.dist(x, y)) and np.allclose(ball.to_klein(x), to_klein[0])
    models = {"poincare_ball": ball, "klein": klein, "half_space": geometry.HalfSpace(1.5),
              "lorentz": geometry.Lorentz(1.5), "hemisphere": geometry.Hemisphere(1.5)}
    for name, model in models.items():
        there = [getattr(ball, f"to_{name}")(a) if model is not ball else a for a in (x, y)]
        assert np.allclose(model.dist(*there), ball.dist(x, y))
        if model is not ball:
            assert np.allclose(model.to_poincare_ball(there[0]), x, atol=1e-14)
    assert not hasattr(ball, "to_sphere") and not hasattr(ball, "to_poincare_ball")
    assert np.allclose(geometry.Stereographic(-1 / 2.25).dist(x, y), ball.dist(x, y))
    assert repr(geometry.Stereographic(-0.5)) == "Stereographic(curvature=-0.5)"
    for bad in (np.inf, np.nan):
        with pytest.raises(ValueError, match="Stereographic: the curvature"):
            geometry.Stereographic(bad)
    with pytest.raises(ValueError, match="a PoincareBall, HalfSpace or Lorentz is wanted, not a Klein"):
        klein.frechet_mean(to_klein[0])


@pytest.mark.parametrize("manifold", MANIFOLDS + OTHERS, ids=repr)
def test_more_digits(manifold):
    x, y = points(manifold, 10), points(manifold, 10, 3)
    surface = isinstance(manifold, (geometry.Lorentz, geometry.Hemisphere, geometry.Sphere))
    long = [manifold.projx(mct.array(a)) if surface else mct.array(a) for a in (x, y)]
    fine = manifold.dist(*long)
    assert fine.dtype == "f64x2" and np.allclose(fine, manifold.dist(x, y), rtol=1e-13)
    there = manifold.expmap(long[0], manifold.logmap(*long))
    assert np.max(np.abs((there - long[1]).to_numpy())) < 1e-28
    single = manifold.dist(mct.array(x, "f64x1"), mct.array(y, "f64x1"))
    assert single.dtype == "f64x1" and np.array_equal(single.to_numpy(), manifold.dist(x, y))
    with pytest.raises(TypeError, match="f32x2"):
        manifold.dist(mct.array(x, "f32x2"), y)


def test_far_from_the_origin():
    """Where textbook formulas in double have no digit left."""
    ball = geometry.PoincareBall()
    x = np.array([1 - 1e-12, 0.0])
    u = ball.logmap(x, np.array([1 - 2e-12, 1e-13]))
    assert np.allclose(ball.expmap(x, u), [1 - 2e-12, 1e-13], rtol=1e-15, atol=1e-27)
    assert np.isinf(ball.dist0(np.array([1.0, 0.0]))) and np.isnan(ball.dist0(np.array([1.5, 0.0])))


@pytest.mark.parametrize("manifold", MANIFOLDS, ids=repr)
@pytest.mark.parametrize("optimizer", [geometry.Rsgd, geometry.Radam])
def test_optimizers_find_a_point(manifold, optimizer, tmp_path):
    x, target = points(manifold, 6), points(manifold, 1, 9)
    start = manifold.dist(x, target)
    steps = optimizer(x, manifold, lr=0.1)
    for _ in range(120):
        grad = 2 * manifold.dist(x, target)[:, None] * manifold.dist_gradient(x, target)
        assert steps.step(grad).updated == 6
    assert np.all(manifold.dist(x, target) < 0.2 * start + 0.05) and steps.steps == 120
    steps.save(tmp_path / "state.safetensors")
    again = optimizer(x.copy(), manifold, lr=0.1)
    again.load(tmp_path / "state.safetensors")
    steps.step(grad)
    again.step(grad)
    assert np.array_equal(again.points, x)
    before = x.copy()
    steps.step(grad[:2], rows=[3, 3])
    assert np.array_equal(np.delete(x, 3, 0), np.delete(before, 3, 0)) and np.any(x[3] != before[3])
    grad[1] = np.nan
    assert steps.step(grad).nonfinite == 1
    steps.lr = 0.5
    assert steps.lr == 0.5


def test_rows_by_numbers_and_masks():
    ball = geometry.PoincareBall()
    x = points(ball, 3)
    optimizer = geometry.Rsgd(x, ball, lr=0.1)
    for rows in ([2], np.array([False, False, True]), [False, False, True], np.array([2], np.uint8)):
        before = x.copy()
        assert optimizer.step(np.ones((1, 3)), rows=rows).updated == 1
        assert np.array_equal(np.any(x != before, axis=1), [False, False, True])
    assert optimizer.step(np.ones((0, 3)), rows=[]).updated == 0
    with pytest.raises(ValueError, match=r"a mask of shape \(2,\) is given, expected \(3,\)"):
        optimizer.step(np.ones((1, 3)), rows=[False, True])
    for rows in ([1.5], [1.0], ["1"], [None]):
        with pytest.raises(TypeError, match="rows: whole numbers are taken"):
            optimizer.step(np.ones((1, 3)), rows=rows)


def test_numbers_of_every_kind():
    ball = geometry.PoincareBall()
    expected = ball.dist([0.5, 0.0], [0.25, 0.0])
    assert ball.dist([decimal.Decimal("0.5"), 0], [fractions.Fraction(1, 4), 0]) == expected
    x = np.array([0.5, 0.0])
    for call in (lambda: ball.dist(x, x + 1j), lambda: ball.dist([0.5, 1j], x), lambda: ball.geodesic(None, x, x),
                 lambda: ball.dist(["0.5", "0"], x), lambda: ball.dist([0.5, None], x)):
        with pytest.raises(TypeError, match="real numbers are taken"):
            call()


def test_bad_arguments(tmp_path):
    ball = geometry.PoincareBall()
    for radius in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="radius"):
            geometry.PoincareBall(radius)
    with pytest.raises(TypeError, match="2 operands"):
        ball.dist([0.1])
    with pytest.raises(ValueError, match="shape|coordinates"):
        ball.dist([0.1, 0.2], [0.1])
    with pytest.raises(ValueError, match="expmap"):
        ball.expmap(0.5, 0.5)
    with pytest.raises(AttributeError):
        ball.antipode([0.1])
    with pytest.raises((TypeError, ValueError)):
        ball.dist(["a"], ["b"])
    with pytest.raises(TypeError, match="float64"):
        geometry.Rsgd(np.zeros((3, 2), np.float32), ball)
    with pytest.raises(ValueError, match="momentum"):
        geometry.Rsgd(np.zeros((3, 2)), ball, momentum=2.0)
    for betas in (0.9, (0.9,)):
        with pytest.raises(TypeError, match="betas must be two numbers"):
            geometry.Radam(np.zeros((3, 2)), ball, betas=betas)
    optimizer = geometry.Rsgd(np.zeros((3, 2)), ball)
    with pytest.raises(TypeError, match="lr must be a float, not 'x'"):
        geometry.Rsgd(np.zeros((3, 2)), ball, lr="x")
    with pytest.raises(TypeError, match="lr must be a float, not None"):
        optimizer.lr = None
    for path in (None, 3.5):
        with pytest.raises(TypeError, match="PathLike"):
            optimizer.save(path)
    optimizer.save(bytes(tmp_path / "state"))
    assert [path.name for path in tmp_path.iterdir()] == ["state"]
    optimizer.save(os.fsencode(tmp_path) + b"/no\xff")  # no text, but a name of a file
    optimizer.load(f"{tmp_path}/no\udcff")
    for call in (optimizer.save, optimizer.load):
        with pytest.raises(ValueError, match=r"path is '\\ud800', which cannot be the name of a file"):
            call("\ud800")
    for dim, error in ((2**70, ValueError), ("a", TypeError), (1.0, TypeError)):
        with pytest.raises(error, match="dim must be"):
            ball.frechet_mean(np.zeros((3, 2)), dim=dim)
    with pytest.raises(ValueError):
        optimizer.step()
    with pytest.raises(ValueError):
        optimizer.step(np.zeros((2, 2)))
    with pytest.raises(IndexError, match="rows: 3"):
        optimizer.step(np.zeros((1, 2)), rows=[3])
    with pytest.raises(OSError, match="none"):
        optimizer.load(tmp_path / "none")
    with pytest.raises(ValueError, match="point"):
        geometry.Rsgd(np.full((3, 2), 2.0), ball).step(np.zeros((3, 2)))


def test_every_operation_says_what_it_does():
    for manifold in MANIFOLDS:
        names = [n for n in dir(manifold) if not n.startswith("_") and n not in ("radius", "k")]
        assert len(names) >= 20
        assert all(not getattr(manifold, n).__doc__.startswith(n + " ") for n in names)
