// Operations of manifolds on tensors of points. They are the operations of manifold.hpp,
// mobius.hpp, lorentz_group.hpp, isometry.hpp, frechet_mean.hpp and weighted_midpoint.hpp, for
// every type of number and every manifold.
//
// A tensor of shape (..., n) holds one point or tangent vector of n coordinates for every index of
// the leading dimensions. (For Lorentz, Hemisphere and Sphere n is the dimension plus one.)
// Leading dimensions broadcast as in NumPy, so one point may be combined with many. Points in a
// result have the broadcast shape and a last dimension n. Numbers and flags in a result have the
// broadcast shape. A number as an argument is one number for all points, or a tensor whose shape
// broadcasts with the leading dimensions. If shapes do not fit, all these functions throw
// ShapeError; its message names the function and the shapes.
//
// Formulas, domains and bounds are the same as for single points. For PoincareBall, HalfSpace and
// Lorentz the library has all operations and convert in compiled form (registry.hpp). They are
// compiled for double with one to three components, and for float, half and bfloat16 with one or
// two. dist, dist0,
// dist_gradient, expmap, expmap0, logmap, logmap0, ptransp, egrad2rgrad, mobius_add and convert
// have kernels with a point in every SIMD lane. With one component the other operations run as
// programs in lanes, except operations that take a direction, and projx of half and bfloat16.
// Results in lanes differ by rounding from the method for a single point. Other results have the
// bits of that method, compiled for the baseline instruction set. For other manifolds and types the
// functions call that method for each point, and results have its bits. Large tensors use
// num_threads() threads; results are the same for any number of them.
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
