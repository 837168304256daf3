// The dot products of every component type over contiguous memory, compiled once per instruction
// set.
#include "src/linalg/kernels/product_table.hpp"
#include "src/linalg/kernels/registry.hpp"
#include "src/tensor/kernels/sum_kernels.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

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

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels

namespace mct::linalg_detail::MCT_KERNELS {

#define MCT_DEFINE_PLAIN(T) MCT_DEFINE_DOT(T, 1, 1, T, 1)
#define MCT_DEFINE_LONG(T, N)   \
  MCT_DEFINE_DOT(T, N, N, T, N) \
  MCT_DEFINE_DOT(T, N, N, T, 1)
// a plain dot product accumulated in N components
#define MCT_DEFINE_COMPENSATED(T, N) MCT_DEFINE_DOT(T, N, 1, T, 1)
// rows of a matrix by a vector that was converted once
#define MCT_DEFINE_CONVERTED(T, N, K) \
  MCT_DEFINE_DOT(T, N, N, double, K)  \
  MCT_DEFINE_DOT(T, N, 1, double, K)

MCT_DEFINE_PLAIN(double)
MCT_DEFINE_LONG(double, 2)
MCT_DEFINE_LONG(double, 3)
MCT_DEFINE_LONG(double, 4)
MCT_DEFINE_COMPENSATED(double, 2)
MCT_DEFINE_COMPENSATED(double, 3)
MCT_DEFINE_PLAIN(float)
MCT_DEFINE_LONG(float, 2)
MCT_DEFINE_LONG(float, 3)
MCT_DEFINE_LONG(float, 4)
MCT_DEFINE_COMPENSATED(float, 2)
MCT_DEFINE_COMPENSATED(float, 3)
MCT_DEFINE_PLAIN(half)
MCT_DEFINE_LONG(half, 2)
MCT_DEFINE_LONG(half, 3)
MCT_DEFINE_PLAIN(bfloat16)
MCT_DEFINE_LONG(bfloat16, 2)
MCT_DEFINE_LONG(bfloat16, 3)
MCT_DEFINE_DOT(double, 2, 1, double, 2)
MCT_DEFINE_DOT(double, 3, 1, double, 3)
MCT_DEFINE_DOT(double, 4, 1, double, 4)
MCT_DEFINE_DOT(float, 1, 1, double, 1)
MCT_DEFINE_DOT(half, 1, 1, double, 1)
MCT_DEFINE_DOT(bfloat16, 1, 1, double, 1)
MCT_DEFINE_CONVERTED(float, 2, 1)
MCT_DEFINE_CONVERTED(float, 3, 2)
MCT_DEFINE_CONVERTED(float, 4, 2)
MCT_DEFINE_DOT(float, 3, 3, double, 1)
MCT_DEFINE_DOT(float, 4, 4, double, 1)
MCT_DEFINE_CONVERTED(half, 2, 1)
MCT_DEFINE_CONVERTED(half, 3, 1)
MCT_DEFINE_CONVERTED(bfloat16, 2, 1)
MCT_DEFINE_CONVERTED(bfloat16, 3, 1)

}  // namespace mct::linalg_detail::MCT_KERNELS
