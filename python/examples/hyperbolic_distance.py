"""Distances far out: NumPy's textbook formula loses its digits, the library does not."""
import numpy as np

from mctensor import geometry

lorentz = geometry.Lorentz()
v = np.array([0.0, 1.0, 0.0])
for far in (5, 15, 20, 100, 300):
    x = lorentz.expmap0(far * v)
    y = lorentz.expmap(x, np.array([0.0, 0.0, 1.0]))  # a step of length 1 to the side
    minkowski = x[0] * y[0] - x[1:] @ y[1:]
    textbook = np.arccosh(np.maximum(minkowski, 1.0))
    print(f"{far} from the origin: {lorentz.dist(x, y):.15f}, textbook {textbook:.15f}")
