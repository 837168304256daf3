#include "src/linalg/dot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "mctensor/expansion/convert.hpp"
#include "src/linalg/guarded.hpp"
#include "src/linalg/kernels/registry.hpp"
#include "src/tensor/component_list.hpp"
#include "src/tensor/kernels/work_format.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::linalg_detail {

namespace {

/// Elements that one call of a kernel sums: pieces are added in order, whichever thread computed
/// them.
constexpr std::int64_t longest_part = std::int64_t(1) << 15;

/// A contiguous vector: the planes of B components of Y.
template <class Y, int B>
struct VectorView {
  const Y* data;
  std::int64_t plane;

  std::array<const Y*, B> planes(std::int64_t from) const {
    std::array<const Y*, B> result;
    for (int k = 0; k < B; ++k) result[std::size_t(k)] = data + k * plane + from;
    return result;
  }
};

template <class T, int N>
constexpr int levels = tensor_detail::WorkFormat<T, N>::levels;

/// The inner product of vectors of n elements, not rounded to T yet.
template <class T, int N, int A, class Y, int B>
Expansion<double, levels<T, N>> accumulated_dot(std::int64_t n, const VectorView<T, A>& x,
                                                const VectorView<Y, B>& y, int threads) {
  using Work = Expansion<double, levels<T, N>>;
  const auto kernel = MCT_SELECT_KERNELS(dot_kernel<T, N, A, Y, B>());
  const auto part = [&](std::int64_t from) {
    Work sum;
    kernel(std::size_t(std::min(longest_part, n - from)), x.planes(from).data(),
           y.planes(from).data(), sum.limb);
    return sum;
  };
  Work sum = part(0);
  if (n <= longest_part) return sum;
  std::vector<Work> parts(std::size_t((n + longest_part - 1) / longest_part));
  tensor_detail::parallel_ranges(std::int64_t(parts.size()) - 1, threads,
                                 [&](std::int64_t begin, std::int64_t end) {
                                   for (std::int64_t i = begin + 1; i <= end; ++i)
                                     parts[std::size_t(i)] = part(i * longest_part);
                                 });
  for (std::size_t i = 1; i < parts.size(); ++i) sum = add(sum, parts[i]);
  return sum;
}

}  // namespace

template <class T, int N, int A, int B>
Expansion<T, N> dot(const Tensor<T, A>& x, const Tensor<T, B>& y) {
  const auto a = x.contiguous();
  const auto b = y.contiguous();
  const std::int64_t n = x.numel();
  const auto sum = accumulated_dot<T, N>(n, VectorView<T, A>{a.data(), a.plane_stride()},
                                         VectorView<T, B>{b.data(), b.plane_stride()},
                                         tensor_detail::threads_for(double(n) * N * N * 4));
  if (std::isfinite(sum.limb[0])) return Expansion<T, N>(sum);
  return guarded_product<T, N>(n, {a.data(), a.plane_stride(), 0, 1}, A,
                               {b.data(), b.plane_stride(), 1, 0}, B);
}

template <class T, int N, int A, int B>
void mv(const Tensor<T, A>& a, const Tensor<T, B>& x, const Tensor<T, N>& y) {
  constexpr int limbs = tensor_detail::WorkFormat<T, N>::template limbs<B>;
  const std::int64_t n = a.size(1);
  // the vector in the format of the accumulation, once for all rows
  std::vector<double> converted(std::size_t(limbs * std::max<std::int64_t>(n, 1)));
  const VectorView<double, limbs> vector{converted.data(), n};
  for (std::int64_t j = 0; j < n; ++j) {
    Expansion<T, B> value;
    for (int k = 0; k < B; ++k) value.limb[k] = x.data(k)[j];
    const Expansion<double, limbs> wide(value);
    for (int k = 0; k < limbs; ++k) converted[std::size_t(k * n + j)] = wide.limb[k];
  }
  const auto work = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const T* row = a.data() + i * a.strides()[0];
      const auto sum = accumulated_dot<T, N>(n, VectorView<T, A>{row, a.plane_stride()}, vector, 1);
      const auto value = std::isfinite(sum.limb[0])
                             ? Expansion<T, N>(sum)
                             : guarded_product<T, N>(n, {row, a.plane_stride(), 0, 1}, A,
                                                     {x.data(), x.plane_stride(), 1, 0}, B);
      for (int k = 0; k < N; ++k) y.data(k)[i] = value.limb[k];
    }
  };
  tensor_detail::parallel_ranges(a.size(0),
                                 tensor_detail::threads_for(double(a.numel()) * N * N * 4), work);
}

#define MCT_INSTANTIATE_DOT(T, N, A, B) \
  template Expansion<T, N> dot<T, N, A, B>(const Tensor<T, A>&, const Tensor<T, B>&);
#define MCT_INSTANTIATE_MV(T, N, A, B) \
  template void mv<T, N, A, B>(const Tensor<T, A>&, const Tensor<T, B>&, const Tensor<T, N>&);
#define MCT_INSTANTIATE_LONG(T, N) \
  MCT_INSTANTIATE_DOT(T, N, N, N)  \
  MCT_INSTANTIATE_DOT(T, N, N, 1)  \
  MCT_INSTANTIATE_MV(T, N, N, N)   \
  MCT_INSTANTIATE_MV(T, N, N, 1)   \
  MCT_INSTANTIATE_MV(T, N, 1, N)
#define MCT_INSTANTIATE_PLAIN(T)  \
  MCT_INSTANTIATE_DOT(T, 1, 1, 1) \
  MCT_INSTANTIATE_MV(T, 1, 1, 1)
MCT_FOR_EACH_COMPONENT(MCT_INSTANTIATE_PLAIN)
MCT_FOR_EACH_LONG_TENSOR(MCT_INSTANTIATE_LONG)
MCT_INSTANTIATE_DOT(double, 2, 1, 1)
MCT_INSTANTIATE_DOT(double, 3, 1, 1)
MCT_INSTANTIATE_DOT(float, 2, 1, 1)
MCT_INSTANTIATE_DOT(float, 3, 1, 1)

}  // namespace mct::linalg_detail
