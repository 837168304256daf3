// Manifolds on tensors of points: the vocabulary of manifold.hpp, mobius.hpp,
// lorentz_group.hpp, isometry.hpp, frechet_mean.hpp and weighted_midpoint.hpp as functions of
// tensors, for every number tensor and every manifold.
//
// A tensor of shape (..., n) holds one point or tangent vector of n coordinates for every index of
// the leading dimensions (Lorentz, Hemisphere, Sphere: one coordinate more than the dimension).
// Leading dimensions broadcast as in NumPy, so that one point meets many; a result has the
// broadcast shape and n, a number or flag the broadcast shape alone. A number beside points is one
// for all or a tensor of them, of a shape that broadcasts with the leading dimensions. All throw
// ShapeError, naming the function and the shapes, where they do not fit.
//
// Formulas, domains and bounds are those of the single methods. On PoincareBall, HalfSpace and
// Lorentz, of double and its sums of two and three, float, half, bfloat16 and their sums of two,
// all operations and convert are compiled in the library (registry.hpp). dist, dist0,
// dist_gradient, expmap, expmap0, logmap, logmap0, ptransp, egrad2rgrad, mobius_add and convert
// have kernels with a point in every SIMD lane. Of one component the others, but those that take a
// direction, and projx of half and bfloat16, run as programs in lanes. In lanes results differ from
// the single methods by their rounding; the others have the bits of the single method in the
// instructions that every processor has. Other manifolds and types call the single method for
// every point and give its bits. Large tensors use num_threads() threads; results are the same for
// any number of them.
//
//   const PoincareBall<double> ball(1);
//   const Tensor<double> d = dist(ball, x.unsqueeze(1), y.unsqueeze(0));  // all pairs
#pragma once

#include "mctensor/geometry/means/tensor_means.hpp"
#include "mctensor/geometry/models/euclidean.hpp"
#include "mctensor/geometry/models/hemisphere.hpp"
#include "mctensor/geometry/models/klein.hpp"
#include "mctensor/geometry/models/product.hpp"
#include "mctensor/geometry/models/sphere.hpp"
#include "mctensor/geometry/tensors/maps.hpp"
#include "mctensor/geometry/tensors/methods.hpp"
