// Dot products over contiguous memory.
#pragma once

#include "src/linalg/kernels/product_table.hpp"
#include "src/tensor/kernels/sum_kernels.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// Y: T, B components; or double, B limbs of the format of the accumulation.
template <class T, int N, int A, class Y, int B>
void dot_kernel(std::size_t n, const T* const* x, const Y* const* y, double* out) {
  using V = widest_batch<double>;
  using Format = tensor_detail::WorkFormat<T, N>;
  constexpr int K = Format::levels;
  constexpr int limbs_x = Format::template limbs<A>;
  constexpr int limbs_y = std::is_same_v<Y, double> ? B : Format::template limbs<B>;
  accumulate<K>(
      n, out,
      [&](Accumulator<V, K>& sum, std::size_t i) {
        sum.add_product(load_work<V, limbs_x, A>(x, i), load_work<V, limbs_y, B>(y, i));
      },
      [&](Accumulator<V, K>& sum, std::size_t i) {
        const ZeroPadded<T, A> last_x(x, i, n - i);
        const ZeroPadded<Y, B> last_y(y, i, n - i);
        sum.add_product(load_work<V, limbs_x, A>(last_x.planes, 0),
                        load_work<V, limbs_y, B>(last_y.planes, 0));
      });
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
