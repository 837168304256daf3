"""Cones that say what is below what, a mean of points, and points too far out for coordinates."""
import numpy as np

from mctensor import geometry

space = geometry.HalfSpace()
cones = geometry.PenumbralCones(space, light=10.0)   # the light: all above this height
animal, dog, stone = np.array([0.0, 4.0]), np.array([0.2, 1.0]), np.array([30.0, 1.0])
print("a dog is an animal:", cones.contains(animal, dog), "- a stone is one:", cones.contains(animal, stone))
print(f"how far from it: {cones.boundary_distance(animal, stone):.3f}")

points = np.array([[0.0, 1.0], [1.0, 1.0], [0.5, 3.0]])
print("Fréchet mean:", space.frechet_mean(points), "- midpoint:", space.weighted_midpoint(points))

plane = geometry.LTiling()
x = plane.points([[0.0, 0.0]])
for _ in range(10):                                   # to a distance of 1000, where 1 - |x| is e^-1000
    x = plane.expmap(x, 100 * np.array([[1.0, 0.0]]) / plane.norm(x, [[1.0, 0.0]]))
y = plane.expmap(x, [[0.0, 0.001]])
print(f"{plane.dist0(x)[0]:.0f} from the origin, {plane.dist(x, y)[0] / plane.norm(x, [[0.0, 0.001]])[0]:.12f} apart")
