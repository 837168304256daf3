// Dot products over contiguous memory.
#pragma once

#include "src/linalg/kernels/product_table.hpp"
#include "src/tensor/kernels/sum_kernels.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

template <class T, int N, int A, int B>
void dot_kernel(std::size_t n, const T* const* x, const T* const* y, double* out) {
  using V = widest_batch<double>;
  using Format = tensor_detail::WorkFormat<T, N>;
  constexpr int K = Format::levels;
  constexpr int limbs_x = Format::template limbs<A>;
  constexpr int limbs_y = Format::template limbs<B>;
  constexpr std::size_t step = virtual_lanes<K>;
  Accumulator<V, K> sums[step / lanes<V>];
  const std::size_t whole = n / step * step;
  accumulate<V, K>(whole, sums, [&](Accumulator<V, K>& sum, std::size_t i) {
    sum.add_product(load_work<V, limbs_x, A>(x, i), load_work<V, limbs_y, B>(y, i));
  });
  if (whole < n) {
    const ZeroPadded<T, A, step> last_x(x, whole, n - whole);
    const ZeroPadded<T, B, step> last_y(y, whole, n - whole);
    for (std::size_t j = 0; j < step / lanes<V>; ++j)
      sums[j].add_product(load_work<V, limbs_x, A>(last_x.planes, j * lanes<V>),
                          load_work<V, limbs_y, B>(last_y.planes, j * lanes<V>));
  }
  finish<V, K>(sums, out);
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
