// A linear system with rows and columns of about the same size.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "src/linalg/blocks.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg_detail {

inline bool all_zero(const std::vector<int>& exponents) {
  return std::all_of(exponents.begin(), exponents.end(), [](int e) { return e == 0; });
}

/// 2^exponents as a tensor that broadcasts along rows (n, 1) or columns (1, n).
inline Tensor<double> powers(const std::vector<int>& exponents, const Shape& shape, int sign) {
  Tensor<double> result(shape);
  for (std::size_t i = 0; i < exponents.size(); ++i)
    result.data()[i] = std::ldexp(1.0, sign * exponents[i]);
  return result;
}
/// x times 2^(sign exponents), in place.
template <int N>
void scale_each(const Matrix<N>& x, const std::vector<int>& exponents, const Shape& shape,
                int sign) {
  if (all_zero(exponents)) return;
  const auto factors = powers(exponents, shape, sign);
  for (int k = 0; k < N; ++k) mul_(x.plane(k), factors);
}

/// The exponents of magnitudes, none beyond what a double can scale by; all 0 where none is further
/// than `spared` from 0. A zero counts as 1.
inline std::vector<int> exponents_of(const std::vector<double>& magnitudes, int spared) {
  std::vector<int> result;
  bool far = false;
  for (const double x : magnitudes) {
    result.push_back(x == 0 ? 0 : std::clamp(std::ilogb(x), -1000, 1000));
    far |= std::abs(result.back()) > spared;
  }
  if (!far) std::fill(result.begin(), result.end(), 0);
  return result;
}

/// The largest leading component of each row (dimension 1) or column (dimension 0), in magnitude.
template <int N>
std::vector<double> magnitudes(const Matrix<N>& a, std::int64_t dimension) {
  std::vector<double> result(std::size_t(a.size(1 - dimension)), 0.0);
  if (a.numel() == 0) return result;
  const auto top = a.fc().max({dimension});
  const auto bottom = a.fc().min({dimension});
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = std::max(top.data()[i], -bottom.data()[i]);
  return result;
}
template <int N>
std::vector<double> row_magnitudes(const Matrix<N>& a) {
  return magnitudes(a, 1);
}
template <int N>
std::vector<double> column_magnitudes(const Matrix<N>& a) {
  return magnitudes(a, 0);
}

/// A matrix whose rows, then columns, were divided by powers of two that make their largest
/// magnitudes about 1, unless they are so already (Higham, Accuracy and Stability, section 7.3).
/// N = 1: all rows by one power, and only near the ends of the range. In new memory if it is
/// another one.
template <int N>
struct Equilibrated {
  Matrix<N> a;
  std::vector<int> rows;  // the exponents
  std::vector<int> columns;

  explicit Equilibrated(const Matrix<N>& matrix)
      : a(matrix), rows(std::size_t(matrix.size(0)), 0), columns(std::size_t(matrix.size(0)), 0) {
    constexpr int spared = 6;
    const std::int64_t n = a.size(0);
    if constexpr (N > 1) {
      rows = exponents_of(row_magnitudes(a), spared);
      a = scaled(a, rows, {n, 1});
      columns = exponents_of(column_magnitudes(a), spared);
      a = scaled(a, columns, {1, n});
    } else if (const double top = largest_magnitude(a); top != 0) {
      const int exponent = std::ilogb(top);
      if (exponent < -500 || exponent > 900) {
        rows.assign(rows.size(), std::clamp(exponent, -1000, 1000));
        a = scaled(a, rows, {n, 1});
      }
    }
  }

 private:
  static Matrix<N> scaled(const Matrix<N>& x, const std::vector<int>& exponents,
                          const Shape& shape) {
    if (all_zero(exponents)) return x;
    auto result = x.clone();
    scale_each(result, exponents, shape, -1);
    return result;
  }
};

}  // namespace mct::linalg_detail
