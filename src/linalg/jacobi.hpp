// Parts that the two Jacobi methods share: rotations, and vectors from fewer components.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "mctensor/linalg/products.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "src/linalg/blocks.hpp"
#include "src/linalg/elements.hpp"

namespace mct::linalg_detail {

/// Sweeps after which a method has failed. Ten are needed at most in practice.
inline constexpr int most_sweeps = 80;

/// The number of components in which the method runs first. It is half of N, because a sweep in
/// fewer components is cheaper.
template <int N>
inline constexpr int fewer = (N + 1) / 2;

/// The rotation of (p, q) that makes [[app, apq], [apq, aqq]] diagonal, up to 1e-16 of apq: its
/// tangent is a double, because the method converges quadratically all the same; c^2 + s^2 = 1 has
/// all components. Golub, Van Loan, section 8.5.2: rotations by at most 45 degrees.
template <int N>
Rotation<N> rotation(const Rows<N>& rows, const Expansion<double, N>& app,
                     const Expansion<double, N>& apq, const Expansion<double, N>& aqq) {
  const double difference = (aqq - app).limb[0];
  const double theta = difference / (2 * apq.limb[0]);
  double t = 1 / (2 * theta);
  if (std::fabs(theta) < 1e150)
    t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  return rows.rotation(t);
}

/// Leading components as a tensor of fewer, in the same memory.
template <int M, int N>
Matrix<M> leading_components(const Matrix<N>& x) {
  static_assert(M <= N);
  return Matrix<M>::from_storage(x.storage(), x.offset(), x.shape(), x.strides(), x.plane_stride());
}

/// The same numbers with more components, the others zero, in new memory.
template <int M, int N>
Matrix<M> more_components(const Matrix<N>& x) {
  static_assert(M >= N);
  Matrix<M> result(x.shape());
  for (int k = 0; k < N; ++k) result.plane(k).copy_(x.plane(k));
  return result;
}

/// Turns rows that are orthonormal up to an error e into rows with an error of e^2: a step of v (3
/// - v^T v) / 2 (N. Higham, Functions of Matrices, 8.3).
template <int N>
Matrix<N> closer_to_orthonormal(const Matrix<N>& v) {
  auto rest = neg(mm(v, v.t()));
  const Elements<N> entries(rest);
  for (std::int64_t i = 0; i < rest.size(0); ++i)
    entries.set(i, i, entries.get(i, i) + Expansion<double, N>(1.0));
  return add(v, mul(mm(rest, v), 0.5));
}

/// Vectors found in fewer components, as a start for N. Two steps make them orthonormal up to u^N.
/// The error before these steps is n 2^-53, or, for vectors found in half as many components, an
/// error that is as far from u^N.
template <int N>
Matrix<N> starting_rows(const Matrix<fewer<N>>& vectors) {
  return closer_to_orthonormal(closer_to_orthonormal(more_components<N>(vectors)));
}

/// Vectors that many rotations have made: in double, a rounding error of c^2 + s^2 = 1 adds up in
/// their lengths; with several components there are few rotations.
template <int N>
Matrix<N> final_rows(const Matrix<N>& vectors) {
  if constexpr (N == 1) {
    return closer_to_orthonormal(vectors);
  } else {
    return vectors;
  }
}

/// The rows in another order.
template <int N>
Matrix<N> rows_in_order(const Matrix<N>& x, const std::vector<std::int64_t>& order) {
  auto result = Matrix<N>::uninitialized(x.shape());
  for (std::size_t i = 0; i < order.size(); ++i)
    result.select(0, std::int64_t(i)).copy_(x.select(0, order[i]));
  return result;
}

/// The order in which values ascend or descend; equal values keep their order.
template <int N>
std::vector<std::int64_t> sorted_order(const std::vector<Expansion<double, N>>& values,
                                       bool descending) {
  std::vector<std::int64_t> order(values.size());
  std::iota(order.begin(), order.end(), std::int64_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t i, std::int64_t j) {
    const auto& x = values[std::size_t(i)];
    const auto& y = values[std::size_t(j)];
    return descending ? y < x : x < y;
  });
  return order;
}

template <int N>
Matrix<N> values_in_order(const std::vector<Expansion<double, N>>& values,
                          const std::vector<std::int64_t>& order) {
  const auto count = std::int64_t(order.size());
  auto result = Matrix<N>::uninitialized({1, count});
  const Elements<N> entries(result);
  for (std::int64_t i = 0; i < count; ++i)
    entries.set(0, i, values[std::size_t(order[std::size_t(i)])]);
  return result.select(0, 0);
}

}  // namespace mct::linalg_detail
