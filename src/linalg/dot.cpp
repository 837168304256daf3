#include "src/linalg/dot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "mctensor/expansion/convert.hpp"
#include "src/linalg/guarded.hpp"
#include "src/linalg/kernels/registry.hpp"
#include "src/tensor/kernels/work_format.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::linalg_detail {

namespace {

/// Elements that one call of a kernel sums: pieces are added in order, whoever computed them.
constexpr std::int64_t piece = std::int64_t(1) << 15;

template <class T, int N>
std::array<const T*, N> planes_at(const T* data, std::int64_t plane, std::int64_t offset) {
  std::array<const T*, N> planes;
  for (int k = 0; k < N; ++k) planes[std::size_t(k)] = data + k * plane + offset;
  return planes;
}

/// Contiguous vectors of n elements as rows of matrices.
template <class T, int N, int A, int B>
Expansion<T, N> dot_of_rows(std::int64_t n, MatrixView<const T> x, MatrixView<const T> y,
                            int threads) {
  constexpr int K = tensor_detail::WorkFormat<T, N>::levels;
  using Work = Expansion<double, K>;
  const DotKernel<T> kernel = MCT_SELECT_KERNELS(dot_kernel<T, N, A, B>());
  const auto part = [&](std::int64_t from) {
    Work sum;
    kernel(std::size_t(std::min(piece, n - from)), planes_at<T, A>(x.data, x.plane, from).data(),
           planes_at<T, B>(y.data, y.plane, from).data(), sum.limb);
    return sum;
  };
  Work sum = part(0);
  if (n > piece) {
    std::vector<Work> parts(std::size_t((n + piece - 1) / piece));
    parts[0] = sum;
    tensor_detail::parallel_ranges(
        std::int64_t(parts.size()) - 1, threads, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin + 1; i <= end; ++i) parts[std::size_t(i)] = part(i * piece);
        });
    for (std::size_t i = 1; i < parts.size(); ++i) sum = add(sum, parts[i]);
  }
  if (std::isfinite(sum.limb[0])) return Expansion<T, N>(sum);
  return guarded_product<T, N, A, B>(n, x, y.transposed());
}

}  // namespace

template <class T, int N, int A, int B>
Expansion<T, N> dot(const Tensor<T, A>& x, const Tensor<T, B>& y) {
  const auto a = x.contiguous();
  const auto b = y.contiguous();
  const std::int64_t n = x.numel();
  return dot_of_rows<T, N, A, B>(n, {a.data(), a.plane_stride(), 0, 1},
                                 {b.data(), b.plane_stride(), 0, 1},
                                 tensor_detail::threads_for(double(n) * N * N * 4));
}

template <class T, int N, int A, int B>
void mv(const Tensor<T, A>& a, const Tensor<T, B>& x, const Tensor<T, N>& y) {
  const std::int64_t n = a.size(1);
  const auto work = [&](std::int64_t begin, std::int64_t end) {
    const MatrixView<const T> vector{x.data(), x.plane_stride(), 0, 1};
    for (std::int64_t i = begin; i < end; ++i) {
      const MatrixView<const T> row{a.data() + i * a.strides()[0], a.plane_stride(), 0, 1};
      Expansion<T, N> value;
      // the kernels take the factor of more components first
      if constexpr (A < B) {
        value = dot_of_rows<T, N, B, A>(n, vector, row, 1);
      } else {
        value = dot_of_rows<T, N, A, B>(n, row, vector, 1);
      }
      for (int k = 0; k < N; ++k) y.data(k)[i] = value.limb[k];
    }
  };
  tensor_detail::parallel_ranges(
      a.size(0), tensor_detail::threads_for(double(a.numel()) * N * N * 4), work);
}

#define MCT_INSTANTIATE_DOT(T, N, A, B) \
  template Expansion<T, N> dot<T, N, A, B>(const Tensor<T, A>&, const Tensor<T, B>&);
#define MCT_INSTANTIATE_MV(T, N, A, B) \
  template void mv<T, N, A, B>(const Tensor<T, A>&, const Tensor<T, B>&, const Tensor<T, N>&);
#define MCT_INSTANTIATE_LONG(T, N)    \
  MCT_INSTANTIATE_DOT(T, N, N, N)     \
  MCT_INSTANTIATE_DOT(T, N, N, 1)     \
  MCT_INSTANTIATE_MV(T, N, N, N)      \
  MCT_INSTANTIATE_MV(T, N, N, 1)      \
  MCT_INSTANTIATE_MV(T, N, 1, N)
#define MCT_INSTANTIATE_PLAIN(T)  \
  MCT_INSTANTIATE_DOT(T, 1, 1, 1) \
  MCT_INSTANTIATE_MV(T, 1, 1, 1)
MCT_INSTANTIATE_PLAIN(double)
MCT_INSTANTIATE_PLAIN(float)
MCT_INSTANTIATE_PLAIN(half)
MCT_INSTANTIATE_PLAIN(bfloat16)
MCT_FOR_EACH_LONG_TENSOR(MCT_INSTANTIATE_LONG)
MCT_INSTANTIATE_DOT(double, 2, 1, 1)
MCT_INSTANTIATE_DOT(double, 3, 1, 1)
MCT_INSTANTIATE_DOT(float, 2, 1, 1)
MCT_INSTANTIATE_DOT(float, 3, 1, 1)

}  // namespace mct::linalg_detail
