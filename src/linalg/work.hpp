// What the public functions of linalg:: share: formats, checks, batches, scaling.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>

#include "mctensor/base/environment.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/parallel_for.hpp"
#include "mctensor/tensor/tensor.hpp"
#include "src/linalg/blocks.hpp"

/// The types that decompositions are compiled for.
#define MCT_FOR_EACH_DECOMPOSED(macro)                                                \
  macro(double, 1) macro(double, 2) macro(double, 3) macro(double, 4) macro(float, 1) \
      macro(float, 2) macro(float, 3) macro(float, 4)

namespace mct::linalg_detail {

/// Doubles that a decomposition of Tensor<T, N> is computed in: float has 24 N <= 53, 106 bits.
template <class T, int N>
inline constexpr int work_components = std::is_same_v<T, double> ? N
                                       : N == 1                  ? 1
                                                                 : 2;
template <class T, int N>
using WorkTensor = Tensor<double, work_components<T, N>>;

/// The same numbers to compute with; to_work in new memory, as_work perhaps not.
template <class T, int N>
WorkTensor<T, N> as_work(const Tensor<T, N>& x) {
  if constexpr (std::is_same_v<T, double>) {
    return x.contiguous();
  } else {
    return convert<double, work_components<T, N>>(x);
  }
}
template <class T, int N>
WorkTensor<T, N> to_work(const Tensor<T, N>& x) {
  if constexpr (std::is_same_v<T, double>) {
    return x.clone();
  } else {
    return convert<double, work_components<T, N>>(x);
  }
}
template <class T, int N>
Tensor<T, N> from_work(const WorkTensor<T, N>& x) {
  if constexpr (std::is_same_v<T, double>) {
    return x;
  } else {
    return convert<T, N>(x);
  }
}

inline void require_matrices(const std::string& name, const Shape& shape) {
  if (shape.size() < 2)
    throw ShapeError(name + ": shape " + to_string(shape) + " has no matrices (..., m, n)");
}
inline void require_square(const std::string& name, const Shape& shape) {
  require_matrices(name, shape);
  if (shape.back() != shape[shape.size() - 2])
    throw ShapeError(name + ": shape " + to_string(shape) + " is not square (..., n, n)");
}

/// The largest magnitude of a leading component, NaN if one is NaN; 0 if there is none.
template <int N>
double largest_magnitude(const Tensor<double, N>& a) {
  if (a.numel() == 0) return 0;
  const double top = a.fc().max().item();
  return std::isnan(top) ? top : std::max(top, -a.fc().min().item());
}

/// Throws DomainError if an entry is NaN or infinite.
template <int N>
void require_finite(const std::string& name, const Tensor<double, N>& x) {
  if (!std::isfinite(largest_magnitude(x)))
    throw DomainError(name + ": an entry of shape " + to_string(x.shape()) + " is NaN or infinite");
}

inline Shape joined(Shape batch, const Shape& last) {
  batch.insert(batch.end(), last.begin(), last.end());
  return batch;
}

/// The matrices of a contiguous tensor (..., m, n) as one batch (count, m, n).
template <class T, int N>
Tensor<T, N> as_batch(const Tensor<T, N>& x) {
  return x.reshape({numel(leading_shape(x.shape(), 2)), x.size(-2), x.size(-1)});
}

/// Calls work(i) for i = 0 ... count - 1: small matrices on all threads, large ones one after the
/// other, because their products use the threads themselves.
template <class Work>
void for_each_matrix(std::int64_t count, double cost_of_each, const Work& work) {
  if (count < 2 || cost_of_each > 3e7) {
    for (std::int64_t i = 0; i < count; ++i) work(i);
    return;
  }
  parallel_for(count, double(count) * (cost_of_each + 1000),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) work(i);
               });
}
/// Operations of a decomposition of (m, n) in N components, about.
inline double cost_of(std::int64_t m, std::int64_t n, int components) {
  return double(m) * double(n) * double(std::min(m, n)) * components * components * 4;
}

/// x times 2^exponent, in place; exact unless it leaves the range.
template <int N>
void scale_by_power(const Tensor<double, N>& x, int exponent) {
  while (exponent != 0) {
    const int step = std::clamp(exponent, -1000, 1000);
    for (int k = 0; k < N; ++k) mul_(x.plane(k), std::ldexp(1.0, step));
    exponent -= step;
  }
}

/// Exponents between which the largest magnitude of a matrix needs no scaling.
inline constexpr int lowest_top = -500;
inline constexpr int highest_top = 900;

/// The exponent of the largest magnitude of a, if it is outside [low, high]; else, and of zeros, 0.
template <int N>
int exponent_outside(const Matrix<N>& a, int low = lowest_top, int high = highest_top) {
  const double top = largest_magnitude(a);
  const int exponent = top == 0 ? 0 : std::ilogb(top);
  return low <= exponent && exponent <= high ? 0 : exponent;
}

/// Brings a away from the ends of the range, if its largest magnitude is outside [2^low, 2^high],
/// so that products of a with numbers of up to 1 neither overflow nor lose their last component:
/// the exponent of the power of two that it was divided by. What is smaller than the largest by
/// more than the range may be lost, as it is in a norm.
template <int N>
int scale_to_middle(const Matrix<N>& a, int low = lowest_top, int high = highest_top) {
  int exponent = exponent_outside(a, low, high);
  if (exponent == 0) return 0;
  if (exponent > high) exponent -= high;
  scale_by_power(a, -exponent);
  return exponent;
}
/// The same where numbers of a are squared.
template <int N>
int scale_for_squares(const Matrix<N>& a) {
  return scale_to_middle(a, -64, 64);
}

/// Right sides b for matrices (..., n, n): their common batch, and whether b is one vector.
struct RightSide {
  Shape batch;
  std::int64_t columns = 1;
  bool is_vector = false;
};
inline RightSide right_side(const std::string& name, const Shape& a, const Shape& b) {
  const bool is_vector = b.size() == 1;
  if (b.empty() || b[is_vector ? 0 : b.size() - 2] != a.back())
    throw ShapeError(name + ": shapes " + to_string(a) + " and " + to_string(b) + " do not fit");
  if (is_vector) return {leading_shape(a, 2), 1, true};
  return {broadcast_shapes(leading_shape(a, 2), leading_shape(b, 2)), b.back(), false};
}
/// b as (..., n, columns) in new memory of the common batch.
template <class T, int N>
WorkTensor<T, N> to_right_sides(const RightSide& side, const Tensor<T, N>& b) {
  const auto matrices = side.is_vector ? b.unsqueeze(1) : b;
  return to_work(matrices.expand(joined(side.batch, {matrices.size(-2), side.columns})));
}

}  // namespace mct::linalg_detail
