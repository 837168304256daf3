"""Products of manifolds: each operation from its parts, on arrays, f64x2 and PyTorch's tensors."""
import numpy as np
import pytest

import mctensor as mct
from mctensor import geometry
from test_geometry import points, tangents

PARTS = (geometry.PoincareBall(1.5), geometry.HalfSpace(2.0), geometry.Lorentz(0.5))
WEIGHTS = (1.0, 0.5, 3.0)
PRODUCT = geometry.ProductManifold(*((m, 4 if i == 2 else 3, w)
                                     for i, (m, w) in enumerate(zip(PARTS, WEIGHTS))))
JOINED = {"expmap": "xu", "retr": "xu", "logmap": "xy", "logmap0": "x", "ptransp": "xyu", "geodesic": "txy",
          "projx": "x", "proju": "xu", "egrad2rgrad": "xu", "component_inner": "xuv"}
LENGTHS = {"dist": "xy", "dist2": "xy", "dist0": "x", "norm": "xu", "inner": "xuv"}


def given(count=6):
    """Operands of the parts, and side by side."""
    parts = []
    for i, m in enumerate(PARTS):
        x = points(m, count, i)
        parts.append({"x": x, "y": points(m, count, 10 + i), "u": tangents(m, x, i), "v": tangents(m, x, 20 + i),
                      "t": 0.3})
    whole = {k: PRODUCT.pack_point(*(p[k] for p in parts)) for k in "xyuv"} | {"t": 0.3}
    return parts, whole


@pytest.mark.parametrize("name", JOINED)
def test_part_by_part(name):
    parts, whole = given()
    power = {"egrad2rgrad": -2, "component_inner": 2}.get(name, 0)
    expected = [getattr(m, name)(*(p[k] for k in JOINED[name])) * w**power
                for m, p, w in zip(PARTS, parts, WEIGHTS)]
    result = getattr(PRODUCT, name)(*(whole[k] for k in JOINED[name]))
    assert np.array_equal(result, np.concatenate(expected, -1))
    for i in range(3):
        assert np.array_equal(PRODUCT.take_submanifold_value(result, i), expected[i])
    assert np.shares_memory(PRODUCT.take_submanifold_value(result, -1), result)


def test_lengths_are_roots_of_sums_of_squares():
    parts, whole = given()
    for name, letters in LENGTHS.items():
        each = [getattr(m, name)(*(p[k] for k in letters)) for m, p in zip(PARTS, parts)]
        if name in ("dist2", "inner"):
            expected = sum(w**2 * x for w, x in zip(WEIGHTS, each))
        else:
            expected = np.sqrt(sum((w * x)**2 for w, x in zip(WEIGHTS, each)))
        assert np.allclose(getattr(PRODUCT, name)(*(whole[k] for k in letters)), expected, rtol=1e-14), name
    assert np.allclose(PRODUCT.norm(whole["x"], PRODUCT.logmap(whole["x"], whole["y"])),
                       PRODUCT.dist(whole["x"], whole["y"]))
    assert np.allclose(PRODUCT.dist(whole["x"], PRODUCT.geodesic(0.25, whole["x"], whole["y"])),
                       PRODUCT.dist(whole["x"], whole["y"]) / 4)
    assert PRODUCT.dist(whole["x"], whole["x"]).tolist() == [0] * 6


def test_density_is_that_of_the_products_lengths():
    # a product of two half-spaces of weight w is one of radius w K each, without weights
    w, x = 3.0, points(geometry.HalfSpace(), 5)
    y = points(geometry.HalfSpace(), 5, 3)
    weighted = geometry.ProductManifold((geometry.HalfSpace(1.0), 3, w))
    assert np.allclose(weighted.dist(x, y), geometry.HalfSpace(w).dist(x, y), rtol=1e-14)
    assert np.allclose(weighted.normal_log_prob(x, y, 0.7), geometry.HalfSpace(w).normal_log_prob(x, y, 0.7),
                       rtol=1e-13)
    lorentz = geometry.ProductManifold((geometry.Lorentz(1.0), 4, w))
    x, y = points(geometry.Lorentz(), 5), points(geometry.Lorentz(), 5, 3)
    wide = geometry.Lorentz(w)
    assert np.allclose(lorentz.normal_log_prob(x, y, 0.7), wide.normal_log_prob(w * x, w * y, 0.7), rtol=1e-12)


def test_broadcast_means_and_two_doubles():
    _, whole = given()
    x, y = whole["x"], whole["y"]
    assert PRODUCT.dist(x[:, None], y).shape == (6, 6)
    assert PRODUCT.expmap(x, whole["u"][0] * 0).shape == x.shape
    assert PRODUCT.geodesic(np.linspace(0, 1, 3)[:, None], x, y).shape == (3, 6, 10)
    for kind in ("frechet_mean", "weighted_midpoint"):
        mean = getattr(PRODUCT, kind)(x, np.arange(1.0, 7))
        assert np.array_equal(mean[3:6], getattr(PARTS[1], kind)(x[:, 3:6], np.arange(1.0, 7)))
    long = PRODUCT.dist(mct.array(x, "f64x2"), mct.array(y, "f64x2"))
    assert long.dtype == "f64x2" and np.allclose(np.asarray(long, np.float64), PRODUCT.dist(x, y), rtol=1e-14)
    moved = PRODUCT.expmap(mct.array(x, "f64x2"), mct.array(whole["u"], "f64x2"))
    assert moved.shape == x.shape and moved.dtype == "f64x2"


def test_refusals():
    x = given()[1]["x"]
    for parts, error, text in [
            ((), ValueError, "the list of parts is empty"), (((PARTS[0], 0),), ValueError, "part 0 has 0 coordinates"),
            (((PARTS[0], 2), (PARTS[1], 2, -1.0)), ValueError, "part 1 has the weight -1.0"),
            (((PARTS[0], 2, np.nan),), ValueError, "the weight nan"), ((PARTS[0],), TypeError, "part 0 is not"),
            (((geometry.PoincareBall(dtype="f64x2"), 2),), ValueError, "part 0 is of f64x2")]:
        with pytest.raises(error, match=text):
            geometry.ProductManifold(*parts)
    with pytest.raises(ValueError, match=r"dist: coordinates of shape \(6, 9\).*10 in the last dimension"):
        PRODUCT.dist(x, x[:, :9])
    with pytest.raises(TypeError, match="dist takes 2 operands, 1 are given"):
        PRODUCT.dist(x)
    with pytest.raises(ValueError, match=r"pack_point: part 1 of shape \(2,\)"):
        PRODUCT.pack_point(np.zeros(3), np.zeros(2), np.zeros(4))
    with pytest.raises(IndexError):
        PRODUCT.take_submanifold_value(x, 3)
    with pytest.raises(TypeError, match="an optimizer of its manifold"):
        geometry.Rsgd(x, PRODUCT)
    assert repr(geometry.ProductManifold((PARTS[0], 2), (PARTS[2], 3, 2))) == \
        "ProductManifold((PoincareBall(radius=1.5), 2), (Lorentz(radius=0.5), 3, 2.0))"
    assert np.isnan(PRODUCT.dist(x, np.where(np.arange(10) == 0, 9.0, x))).all()  # outside of the ball


def test_derivatives():
    torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
    radii = [torch.tensor(r, dtype=torch.float64, requires_grad=True) for r in (1.5, 2.0)]
    product = geometry.ProductManifold((geometry.PoincareBall(radii[0]), 3), (geometry.HalfSpace(radii[1]), 3, 0.5))
    x, y = (torch.tensor(given(4)[1][k][:, :6], requires_grad=True) for k in "xy")
    for name in ("dist", "dist2", "logmap", "expmap"):
        assert torch.autograd.gradcheck(getattr(product, name), (x, y * 0.1 if name == "expmap" else y),
                                        atol=1e-7, rtol=1e-6), name
    product.dist(x, y).sum().backward()
    assert all(torch.isfinite(r.grad) and r.grad != 0 for r in radii)
    ones = torch.ones(4, 3, dtype=torch.float64)
    assert torch.equal(product.pack_point(ones.numpy(), 2 * ones), torch.cat([ones, 2 * ones], -1))
    with pytest.raises(TypeError, match="side by side"):
        product.pack_point(mct.ones((4, 3)), ones)
    half = geometry.ProductManifold((geometry.PoincareBall(radii[0]), 3), (geometry.HalfSpace(2.0), 3, 0.5))
    for name in ("dist", "dist2", "logmap"):  # arrays, and one radius that is learned
        assert torch.equal(getattr(half, name)(x.detach().numpy(), y.detach().numpy()), getattr(product, name)(x, y))
    assert half.normal_log_prob(x.detach().numpy(), y.detach().numpy(), 0.5).requires_grad
    x.grad = None
    product.dist(x, x.detach()).sum().backward()
    assert x.grad.abs().max() == 0  # and not NaN
    assert product.geodesic(0.5, x, y).shape == (4, 6)
