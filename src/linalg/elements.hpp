// Elements and rows of a matrix of doubles of N components, for the innermost blocks of
// decompositions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/tensor/tensor.hpp"
#include "src/linalg/kernels/registry.hpp"
#include "src/linalg/kernels/row_table.hpp"

/// Numbers of doubles in which decompositions are computed.
#define MCT_FOR_EACH_LENGTH(macro) macro(1) macro(2) macro(3) macro(4)

namespace mct::linalg_detail {

/// A matrix where it lies in memory; the tensor that it was made from must outlive it.
template <int N>
class Elements {
 public:
  using Value = Expansion<double, N>;
  using Row = std::array<double*, N>;

  explicit Elements(const Tensor<double, N>& a)
      : data_(a.data()),
        plane_(a.plane_stride()),
        row_stride_(a.strides()[0]),
        column_stride_(a.strides()[1]) {}

  Value get(std::int64_t i, std::int64_t j) const {
    Value x;
    for (int k = 0; k < N; ++k) x.limb[k] = at(i, j)[k * plane_];
    return x;
  }
  void set(std::int64_t i, std::int64_t j, const Value& x) const {
    for (int k = 0; k < N; ++k) at(i, j)[k * plane_] = x.limb[k];
  }
  /// The leading component of an element.
  double lead(std::int64_t i, std::int64_t j) const { return *at(i, j); }
  /// The planes of row i from column j on; the columns must be contiguous.
  Row row(std::int64_t i, std::int64_t j = 0) const {
    Row planes;
    for (int k = 0; k < N; ++k) planes[std::size_t(k)] = at(i, j) + k * plane_;
    return planes;
  }
  void swap(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t l) const {
    const Value x = get(i, j);
    set(i, j, get(k, l));
    set(k, l, x);
  }

 private:
  double* at(std::int64_t i, std::int64_t j) const {
    return data_ + i * row_stride_ + j * column_stride_;
  }
  double* data_;
  std::int64_t plane_;
  std::int64_t row_stride_;
  std::int64_t column_stride_;
};

template <int N>
struct Rotation {
  Expansion<double, N> c, s;
};
template <int N>
struct Reflection {
  Expansion<double, N> beta, tau;
};

/// Kernels on rows of N components: see RowTable.
template <int N>
class Rows {
 public:
  using Value = Expansion<double, N>;
  using Row = typename Elements<N>::Row;

  Rows()
      : table_(MCT_SELECT_KERNELS(row_table<N>())),
        dot_(MCT_SELECT_KERNELS(dot_kernel<double, N, N, double, N>())) {}

  /// y += alpha x.
  void axpy(std::int64_t n, const Value& alpha, const Row& x, const Row& y) const {
    if (n > 0) table_.axpy(std::size_t(n), alpha.limb, x.data(), y.data());
  }
  /// y *= alpha.
  void scale(std::int64_t n, const Value& alpha, const Row& y) const {
    if (n > 0) table_.scale(std::size_t(n), alpha.limb, y.data());
  }
  /// y /= alpha.
  void divide(std::int64_t n, const Value& alpha, const Row& y) const {
    if (n > 0) table_.divide(std::size_t(n), alpha.limb, y.data());
  }
  /// (x, y) = (c x - s y, s x + c y).
  void rotate(std::int64_t n, const Value& c, const Value& s, const Row& x, const Row& y) const {
    table_.rotate(std::size_t(n), c.limb, s.limb, x.data(), y.data());
  }
  Value root(const Value& x) const {
    Value y;
    table_.root(x.limb, y.limb);
    return y;
  }
  /// The cosine c and sine s of an angle of this tangent.
  Rotation<N> rotation(double tangent) const {
    Rotation<N> result;
    table_.rotation(tangent, result.c.limb, result.s.limb);
    return result;
  }
  /// See RowTable::reflection.
  Reflection<N> reflection(const Value& alpha, const Value& square) const {
    Reflection<N> result;
    table_.reflection(alpha.limb, square.limb, result.beta.limb, result.tau.limb);
    return result;
  }
  Value dot(std::int64_t n, const Row& x, const Row& y) const {
    Value sum{};
    if (n > 0) dot_(std::size_t(n), x.data(), y.data(), sum.limb);
    return sum;
  }

 private:
  const RowTable& table_;
  DotKernel<double, double> dot_;
};

}  // namespace mct::linalg_detail
