// A linear system with rows and columns of about the same size.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "src/linalg/blocks.hpp"
#include "src/linalg/work.hpp"

namespace mct::linalg_detail {

/// Powers of two for the rows and columns of a matrix.
struct Exponents {
  std::vector<int> rows;
  std::vector<int> columns;
};

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
  if (std::all_of(exponents.begin(), exponents.end(), [](int e) { return e == 0; })) return;
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

/// The largest leading component of each row, or column, in magnitude.
template <int N>
std::vector<double> row_magnitudes(const Matrix<N>& a) {
  std::vector<double> result;
  for (std::int64_t i = 0; i < a.size(0); ++i) {
    const double* row = a.data() + i * a.strides()[0];
    double top = 0;
    for (std::int64_t j = 0; j < a.size(1); ++j)
      top = std::max(top, std::fabs(row[j * a.strides()[1]]));
    result.push_back(top);
  }
  return result;
}
template <int N>
std::vector<double> column_magnitudes(const Matrix<N>& a) {
  std::vector<double> result(std::size_t(a.size(1)), 0.0);
  for (std::int64_t i = 0; i < a.size(0); ++i) {
    const double* row = a.data() + i * a.strides()[0];
    for (std::int64_t j = 0; j < a.size(1); ++j) {
      double& top = result[std::size_t(j)];
      top = std::max(top, std::fabs(row[j * a.strides()[1]]));
    }
  }
  return result;
}

/// Divides the rows of a, then its columns, by powers of two that make their largest magnitudes
/// about 1, unless they are so already (Higham, Accuracy and Stability, section 7.3).
template <int N>
Exponents equilibrate(const Matrix<N>& a) {
  constexpr int spared = 6;
  const std::int64_t n = a.size(0);
  Exponents result;
  result.rows = exponents_of(row_magnitudes(a), spared);
  scale_each(a, result.rows, {n, 1}, -1);
  result.columns = exponents_of(column_magnitudes(a), spared);
  scale_each(a, result.columns, {1, n}, -1);
  return result;
}

}  // namespace mct::linalg_detail
