// Strided memory of expansions, element after element, beside the planes that the kernels read.
#pragma once

#include <vector>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/linalg/strided.hpp"
#include "src/linalg/matrix_view.hpp"
#include "src/tensor/kernels/registry.hpp"

namespace mct::tensor_detail {

/// The element-wise loops of this processor.
template <class T, int N>
const ElementwiseTable<T>& elementwise_loops() {
  return MCT_SELECT_KERNELS(elementwise<T, N>());
}

}  // namespace mct::tensor_detail

namespace mct::linalg_detail {

/// The same memory in components, which lie beside each other.
template <class T, int N>
MatrixView<const T> components(linalg::ConstMatrix<T, N> x) {
  return {reinterpret_cast<const T*>(x.data), 1, x.row_stride * N, x.column_stride * N};
}
template <class T, int N>
MatrixView<T> components(linalg::MutableMatrix<T, N> x) {
  return {reinterpret_cast<T*>(x.data), 1, x.row_stride * N, x.column_stride * N};
}
template <class T, int N>
linalg::ConstMatrix<T, N> as_const(linalg::MutableMatrix<T, N> x) {
  return {x.data, x.rows, x.columns, x.row_stride, x.column_stride};
}

/// A row of expansions, one plane for each component.
template <class T, int N>
class PlaneRow {
 public:
  explicit PlaneRow(std::int64_t length) : memory_(std::size_t(length * N)) {
    for (int k = 0; k < N; ++k) planes_[k] = memory_.data() + k * length;
  }
  PlaneRow(const PlaneRow&) = delete;
  PlaneRow(PlaneRow&&) noexcept = default;

  T* const* planes() { return planes_; }
  const T* const* planes() const { return planes_; }

  void fill(const Expansion<T, N>& value, std::int64_t n) {
    for (int k = 0; k < N; ++k) std::fill_n(planes_[k], n, value.limb[k]);
  }
  void load(const Expansion<T, N>* x, std::int64_t stride, std::int64_t n) {
    for (std::int64_t j = 0; j < n; ++j)
      for (int k = 0; k < N; ++k) planes_[k][j] = x[j * stride].limb[k];
  }
  void store(Expansion<T, N>* x, std::int64_t stride, std::int64_t n) const {
    for (std::int64_t j = 0; j < n; ++j)
      for (int k = 0; k < N; ++k) x[j * stride].limb[k] = planes_[k][j];
  }

 private:
  std::vector<T> memory_;
  T* planes_[N];
};

}  // namespace mct::linalg_detail
