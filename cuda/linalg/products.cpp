#include "mctensor/linalg/device_products.hpp"

#include "cuda/linalg/device_matrices.hpp"
#include "cuda/linalg/integer_product.hpp"

namespace mct::cuda {

template <class T, int N>
DeviceTensor<T, N> mm(const DeviceTensor<T, N>& a, const DeviceTensor<T, N>& b,
                      MatmulAccuracy accuracy) {
  require_product(a, b, deepest_vector_product<T, N>);
  auto c = DeviceTensor<T, N>::uninitialized({a.size(0), b.size(1)}, a.stream());
  const Ordered ordered(a.stream(), b);
  const StreamQueue queue(a.stream());
  product<T, N>(queue, a.size(0), b.size(1), a.size(1), matrix_view<const T>(a),
                matrix_view<const T>(b), matrix_view<T>(c), accuracy);
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
                                 MatmulAccuracy);
MCT_PRODUCT(double, 2)
MCT_PRODUCT(double, 3)
MCT_PRODUCT(float, 2)
MCT_PRODUCT(float, 3)
#undef MCT_PRODUCT

}  // namespace mct::cuda
