// Many half-space points at once: rows of a tensor, in SIMD lanes and on threads.
//
// Points are the rows of a Tensor<T, M> of shape [rows, n] (T: double or float, M = 1..4, n >= 2).
// For any number m of components they are the rows of a plain tensor of shape [m, rows, n]. Both
// have one plane of rows for each component. The last column is the height. With
// PointStorage::xmc_half_space (XmcHalfSpace) only the first component of the height is used and
// the others are zero. With PointStorage::mc_half_space (McHalfSpace, Tensor<T, M> only) all
// components are used. Vectors and results are plain tensors. Errors: the errors of
// HalfSpaceRepresentation, and 4 u more for the functions of a SIMD library. Functions throw
// DomainError for a radius that is not positive and finite.
//
// Source: formulas.hpp and representations.hpp, in SIMD lanes.
#pragma once

#include <cstdint>

#include "mctensor/geometry/model_names.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry {

namespace halfspace_rows {
/// Whether heights have several components: true for mc_half_space, false for xmc_half_space.
/// Throws DomainError, which names `function`, for another storage.
bool has_long_height(const char* function, PointStorage storage);
}  // namespace halfspace_rows

/// Distances of p[i] and q[i], shape [rows]. Throws ShapeError unless p and q have one shape,
/// [rows, n] or [m, rows, n].
template <class T, int M>
Tensor<T> half_space_dist(const Tensor<T, M>& p, const Tensor<T, M>& q, double radius = 1);

/// Distances of the pairs points[a[i]], points[b[i]], shape [pairs], for losses over edges. The
/// function does not copy contiguous points. Throws ShapeError for indices out of range.
template <class T, int M>
Tensor<T> half_space_dist(const Tensor<T, M>& points, const Tensor<std::int64_t>& a,
                          const Tensor<std::int64_t>& b, double radius = 1);

/// Unit vectors [pairs, n] in the frame of points[a[i]] that lead away from points[b[i]], or 0
/// where both points coincide. A unit vector is the Euclidean gradient of the distance by
/// points[a[i]], times the height, divided by K.
template <class T, int M>
Tensor<T> half_space_direction(const Tensor<T, M>& points, const Tensor<std::int64_t>& a,
                               const Tensor<std::int64_t>& b);

/// Moves every row by the exponential map of its frame vector (shape [rows, n]), in place. A row
/// whose vector is not finite stays where it is. The factors of a step have one component, as in
/// Alg. 16 and 17 of Yu 2024. The points must be contiguous (ShapeError). Throws DomainError for
/// points [m, rows, n] with PointStorage::mc_half_space. The optimizers Rsgd and Radam use this
/// function through HalfSpaceRows.
template <class T, int M>
void half_space_expmap_(PointStorage storage, const Tensor<T, M>& points, const Tensor<T>& frame);

}  // namespace mct::geometry
