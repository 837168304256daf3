#include "mctensor/linalg/device_products.hpp"

#include "cuda/linalg/device_matrices.hpp"
#include "cuda/linalg/integer_product.hpp"

namespace mct::cuda {

template <class T, int N>
void mm_to(const DeviceTensor<T, N>& out, const DeviceTensor<T, N>& a, const DeviceTensor<T, N>& b,
           MatmulAccuracy accuracy) {
  require_product(a, b, deepest_vector_product<T, N>);
  if (out.shape() != Shape{a.size(0), b.size(1)})
    throw ShapeError("mm: a matrix of shape " + to_string(out.shape()) +
                     " cannot hold the product of shapes " + to_string(a.shape()) + " and " +
                     to_string(b.shape()));
  const Ordered ordered(out.stream(), a, b);
  const StreamQueue queue(out.stream());
  product<T, N>(queue, a.size(0), b.size(1), a.size(1), matrix_view<const T>(a),
                matrix_view<const T>(b), matrix_view<T>(out), accuracy);
}

template <class T, int N>
DeviceTensor<T, N> mm(const DeviceTensor<T, N>& a, const DeviceTensor<T, N>& b,
                      MatmulAccuracy accuracy) {
  require_product(a, b, deepest_vector_product<T, N>);
  auto c = DeviceTensor<T, N>::uninitialized({a.size(0), b.size(1)}, a.stream());
  mm_to(c, a, b, accuracy);
  return c;
}

template <int N>
int integer_moduli(const DeviceTensor<double, N>& a, const DeviceTensor<double, N>& b,
                   MatmulAccuracy accuracy) {
  const Ordered ordered(a.stream(), b);
  const auto factors =
      integer_factors<N>(StreamQueue(a.stream()), a.size(0), b.size(1), a.size(1),
                         matrix_view<const double>(a), matrix_view<const double>(b), accuracy);
  return factors.plan ? factors.plan->count : 0;
}
template int integer_moduli(const DeviceTensor<double, 2>&, const DeviceTensor<double, 2>&,
                            MatmulAccuracy);
template int integer_moduli(const DeviceTensor<double, 3>&, const DeviceTensor<double, 3>&,
                            MatmulAccuracy);

#define MCT_PRODUCT(T, N)                                                              \
  template DeviceTensor<T, N> mm(const DeviceTensor<T, N>&, const DeviceTensor<T, N>&, \
                                 MatmulAccuracy);                                      \
  template void mm_to(const DeviceTensor<T, N>&, const DeviceTensor<T, N>&,            \
                      const DeviceTensor<T, N>&, MatmulAccuracy);
MCT_PRODUCT(double, 2)
MCT_PRODUCT(double, 3)
MCT_PRODUCT(float, 2)
MCT_PRODUCT(float, 3)
#undef MCT_PRODUCT

}  // namespace mct::cuda
