"""Points of the hyperbolic plane and of hyperbolic spaces in exact tiles. Errors depend on the distances between
points, never on their distance from the origin."""
from __future__ import annotations

import numpy as np

from . import _core
from ._arguments import number
from ._pickles import NotPickled
from ._points import is_torch, plain
from ._turns import Turns


def _vectors(x):
    return plain(x.detach().numpy() if is_torch(x) else x)


def _points(x):
    """The library's object with the points. It never changes, so one thread can use it while another one steps."""
    if not isinstance(x, TilingPoints):
        raise TypeError(f"points of a tiling are taken, as its points() makes them, not {type(x).__name__}")
    return x._points


class TilingPoints(NotPickled):
    """A list of points of a tiling. Each point is a tile, given by whole numbers of any size, and a position in the
    tile.

    The second operand of an operation has as many points, or one. Tangent vectors and gradients refer to the
    coordinates in the tile (``local``), as arrays (points, coordinates).
    """

    _instead = "copy.copy and copy.deepcopy are exact, tiles and local have all the numbers, to_model() rounds them"

    def __init__(self, tiling, points):
        self.tiling = tiling
        self._points = points
        self._turn = Turns()

    def __copy__(self) -> TilingPoints:
        return TilingPoints(self.tiling, self._points)  # the library's object never changes

    def __deepcopy__(self, memo) -> TilingPoints:
        return self.__copy__()

    def __len__(self) -> int:
        return len(self._points)

    def __getitem__(self, which) -> TilingPoints:
        """The points at an index, a slice or a list of indices."""
        chosen = np.atleast_1d(np.arange(len(self))[which])
        return TilingPoints(self.tiling, self._points.select([int(i) for i in chosen]))

    def __repr__(self) -> str:
        return f"<{len(self)} points of {self.tiling!r}>"

    @property
    def local(self) -> np.ndarray:
        """The positions in the tiles."""
        return self._points.local().planes[0]

    @property
    def tiles(self) -> list[tuple[int, ...]]:
        """The whole numbers of each tile: for an L-tile the rows of its matrix, for an H-tile the level and the
        position of the cube."""
        return [tuple(int(entry, 16) for entry in tile) for tile in self._points.tiles()]

    def to_model(self) -> np.ndarray:
        """Coordinates in the model of the tiling, rounded to double."""
        return self._points.coordinates().planes[0]


class _Tiling:
    def __init__(self, radius: float = 1.0):
        self.radius = number("radius", radius)
        self.points(np.zeros((0, 2)))  # raises an error for an impossible radius

    def __repr__(self) -> str:
        return f"{type(self).__name__}(radius={self.radius})"

    def points(self, coordinates) -> TilingPoints:
        """Makes points from their coordinates in the model, an array (points, coordinates). Raises ValueError for a
        point outside the model."""
        return TilingPoints(self, _core.tiling_points(type(self).__name__, self.radius,
                                                      _vectors(coordinates)))

    def dist(self, x: TilingPoints, y: TilingPoints) -> np.ndarray:
        """The distances of x and y."""
        return _points(x).dist(_points(y)).planes[0]

    def dist0(self, x: TilingPoints) -> np.ndarray:
        """The distances from the origin."""
        return _points(x).dist0().planes[0]

    def dist_gradient(self, x: TilingPoints, y: TilingPoints) -> np.ndarray:
        """The partial derivatives of dist by the local coordinates of x."""
        return _points(x).dist_gradient(_points(y)).planes[0]

    def egrad2rgrad(self, x: TilingPoints, gradient) -> np.ndarray:
        """Converts partial derivatives to Riemannian gradients."""
        return _points(x).egrad2rgrad(_vectors(gradient)).planes[0]

    def norm(self, x: TilingPoints, tangent) -> np.ndarray:
        """The lengths of tangent vectors."""
        return _points(x).norm(_vectors(tangent)).planes[0]

    def expmap(self, x: TilingPoints, tangent) -> TilingPoints:
        """The ends of the geodesics from x along the tangent vectors."""
        return TilingPoints(self, _points(x).expmap(_vectors(tangent)))

    def logmap(self, x: TilingPoints, y: TilingPoints) -> np.ndarray:
        """The tangent vectors at x whose expmap is y."""
        return _points(x).logmap(_points(y)).planes[0]

    def ptransp(self, x: TilingPoints, y: TilingPoints, tangent) -> np.ndarray:
        """Moves tangent vectors at x in parallel to y."""
        return _points(x).ptransp(_points(y), _vectors(tangent)).planes[0]

    def rsgd_step(self, x: TilingPoints, gradient, lr: float) -> None:
        """Moves the points against the partial derivatives of a loss."""
        _points(x)  # raises TypeError for other points
        gradient, lr = _vectors(gradient), number("lr", lr)
        with x._turn:
            x._points = x._points.rsgd_step(gradient, lr)


class LTiling(_Tiling):
    """The plane, divided into tiles of a group of isometries. Its model is the Poincaré disk of this radius."""


class HTiling(_Tiling):
    """The half-space of 2 to 5 dimensions, divided into cubes."""
