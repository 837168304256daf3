// The kernels of manifolds on one number of limbs, compiled once per instruction set.
//
// A kernel works on up to `block` points whose coordinates are doubles, or sums of N doubles: limb
// k of coordinate i of all points is a row of `block` numbers, row i N + k of an operand. This
// header has no code, so that it may be included under any instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mctensor/geometry/tensors/operation.hpp"

namespace mct::geometry_detail {

/// Points that a kernel is given at a time: a multiple of every register's lanes.
inline constexpr std::size_t block = 64;

/// Bytes that memory and caches move together.
inline constexpr std::size_t cache_line = 64;

using geometry::Model;
using geometry::TensorOperation;

/// out = operation of n coordinates each; radius: the limbs of K. Rows of lanes beyond the points
/// hold copies of the last one.
using ManifoldKernel = void (*)(int n, std::size_t points, const double* radius,
                                const double* const* in, double* out);

/// The derivatives of such an operation, weighted by `seed`, the rows of a gradient of its result:
/// gradients[0] has the rows for the radius (one coordinate), gradients[1 + i] the rows of operand
/// i; null where they are not wanted. Where the value has a corner (the distance of equal points)
/// they are 0.
using ManifoldVjp = void (*)(int n, std::size_t points, const double* radius,
                             const double* const* in, const double* seed, double* const* gradients);

/// Points, a multiple of 8 of them, between memory, where point i begins at i * step, and rows of
/// lanes, where coordinate c of all begins at c * step.
template <class From, class To>
using PointTransposition = void (*)(std::size_t points, int coordinates, const From* from,
                                    std::int64_t from_step, To* to, std::int64_t to_step);

/// Whether all points have a square sum of coordinates below `largest` and a last one above
/// `least`.
using PointsWithin = bool (*)(std::size_t points, int coordinates, const double* rows,
                              double largest, double least);

/// A null pointer: there is no kernel, and the formula is called point by point
/// (src/geometry/registry).
struct ManifoldTable {
  PointTransposition<double, double> to_lanes, from_lanes;
  ManifoldKernel operation[int(Model::count)][int(TensorOperation::count)];
  ManifoldKernel convert[int(Model::count)][int(Model::count)];  // from, to
  PointTransposition<float, double> floats_to_lanes;
  PointTransposition<double, float> floats_from_lanes;
  PointTransposition<double, double> streamed;  ///< as from_lanes, past the caches
  PointTransposition<double, float> floats_streamed;
  PointsWithin are_within;
};

}  // namespace mct::geometry_detail
