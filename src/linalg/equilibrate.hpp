// A linear system with rows and columns of about the same size.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "src/linalg/blocks.hpp"
#include "src/linalg/elements.hpp"
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

/// Whether rows are so large or small that their smallest numbers leave the range with a scaling of
/// rows, though one of columns would bring them back.
inline bool any_far(const std::vector<int>& exponents) {
  return std::any_of(exponents.begin(), exponents.end(), [](int e) { return std::abs(e) > 100; });
}
/// Divides rows of x by 2^rows, and columns by the powers that make their largest magnitudes about
/// 1 then: each number by both at once. The exponents of the columns.
template <int N>
std::vector<int> scale_at_once(const Matrix<N>& x, const std::vector<int>& rows) {
  constexpr int none = std::numeric_limits<int>::min();
  const Elements<N> entries(x);
  std::vector<int> columns(std::size_t(x.size(1)), none);
  for (std::int64_t i = 0; i < x.size(0); ++i)
    for (std::int64_t j = 0; j < x.size(1); ++j)
      if (const double lead = entries.lead(i, j); lead != 0) {
        int& top = columns[std::size_t(j)];
        top = std::max(top, std::ilogb(lead) - rows[std::size_t(i)]);
      }
  std::replace(columns.begin(), columns.end(), none, 0);
  for (std::int64_t i = 0; i < x.size(0); ++i)
    for (std::int64_t j = 0; j < x.size(1); ++j)
      entries.set(i, j, ldexp(entries.get(i, j), -rows[std::size_t(i)] - columns[std::size_t(j)]));
  return columns;
}

/// Exponents of rows and columns that harm no product or quotient of their numbers. Rows and
/// columns within them need no scaling if error bounds depend on sizes alone.
inline constexpr int harmless = 300;
/// Whether all numbers but zeros are such, in less time than the magnitudes of rows and columns.
template <int N>
bool is_harmless(const Matrix<N>& a) {
  const double top = std::ldexp(1.0, harmless);
  const double bottom = std::ldexp(1.0, -harmless);
  const Elements<N> entries(a);
  const std::int64_t n = a.size(1);
  for (std::int64_t i = 0; i < a.size(0); ++i) {
    const double* const row = entries.row(i)[0];
    int far = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      const double x = std::fabs(row[j]);
      far |= int(x > top) | (int(x < bottom) & int(x > 0));
    }
    if (far != 0) return false;
  }
  return true;
}

/// A matrix whose rows, then columns, were divided by powers of two that make their largest
/// magnitudes about 1, unless all exponents are within `spared` already (Higham, Accuracy and
/// Stability, section 7.3). In new memory if it is another one.
template <int N>
struct Equilibrated {
  Matrix<N> a;
  std::vector<int> rows;  // the exponents
  std::vector<int> columns;

  Equilibrated(const Matrix<N>& matrix, int spared)
      : a(matrix), rows(std::size_t(matrix.size(0)), 0), columns(std::size_t(matrix.size(0)), 0) {
    if (spared == harmless && is_harmless(a)) return;
    const std::int64_t n = a.size(0);
    rows = exponents_of(row_magnitudes(a), spared);
    if (any_far(rows)) {
      a = a.clone();
      columns = scale_at_once(a, rows);
      return;
    }
    a = scaled(a, rows, {n, 1});
    columns = exponents_of(column_magnitudes(a), spared);
    a = scaled(a, columns, {1, n});
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

/// Divides columns of a by powers of two that bring them away from the ends of the range, if a is
/// not: the exponents. L of a = L U has no scale of columns, and U the same one.
template <int N>
std::vector<int> scale_columns_to_middle(const Matrix<N>& a) {
  std::vector<int> result(std::size_t(a.size(1)), 0);
  if (exponent_outside(a) == 0) return result;
  result = exponents_of(column_magnitudes(a), 0);
  for (int& exponent : result)
    exponent = exponent > highest_top  ? exponent - highest_top
               : exponent < lowest_top ? exponent
                                       : 0;
  scale_each(a, result, {1, a.size(1)}, -1);
  return result;
}

/// Divides row and column i of a symmetric a, of which the lower triangle is read, by a power of
/// two that makes a_ii about 1, if a is near the ends of the range: the exponents. Other entries of
/// a positive definite matrix are no larger than those of its diagonal then.
template <int N>
std::vector<int> scale_diagonal_to_one(const Matrix<N>& a) {
  const std::int64_t n = a.size(0);
  std::vector<int> result(std::size_t(n), 0);
  if (exponent_outside(a) == 0) return result;
  for (std::int64_t i = 0; i < n; ++i)
    if (const double x = a.fc()(i, i); x != 0)
      result[std::size_t(i)] = std::clamp(std::ilogb(x) / 2, -500, 500);
  // by both powers at once: between them an entry may be beyond the range
  Tensor<double> factors({n, n});
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      factors.data()[i * n + j] = std::ldexp(1.0, -result[std::size_t(i)] - result[std::size_t(j)]);
  for (int k = 0; k < N; ++k) mul_(a.plane(k), factors);
  return result;
}

}  // namespace mct::linalg_detail
