#include "mctensor/linalg/device_products.hpp"

#include <string>

#include "cuda/linalg/integer_product.hpp"
#include "mctensor/error.hpp"

namespace mct::cuda {
namespace {

template <class S, class T, int N>
MatrixView<S> view(const DeviceTensor<T, N>& x) {
  return {x.data(), x.plane_stride(), x.size(1), 1};
}

}  // namespace

template <class T, int N>
DeviceTensor<T, N> mm(const DeviceTensor<T, N>& a, const DeviceTensor<T, N>& b,
                      MatmulAccuracy accuracy) {
  if (a.dim() != 2 || b.dim() != 2 || a.size(1) != b.size(0))
    throw ShapeError("mm: matrices of shapes " + to_string(a.shape()) + " and " +
                     to_string(b.shape()));
  if (a.size(1) > deepest_vector_product<T, N>)
    throw ShapeError("mm: an inner dimension of " + std::to_string(a.size(1)) + ", more than " +
                     std::to_string(deepest_vector_product<T, N>));
  auto c = DeviceTensor<T, N>::uninitialized({a.size(0), b.size(1)}, a.stream());
  const Ordered ordered(a.stream(), b);
  const StreamQueue queue(a.stream());
  product<T, N>(queue, a.size(0), b.size(1), a.size(1), view<const T>(a), view<const T>(b),
                view<T>(c), accuracy);
  return c;
}

#define MCT_PRODUCT(T, N)                                                              \
  template DeviceTensor<T, N> mm(const DeviceTensor<T, N>&, const DeviceTensor<T, N>&, \
                                 MatmulAccuracy);
MCT_PRODUCT(double, 2)
MCT_PRODUCT(double, 3)
MCT_PRODUCT(float, 2)
MCT_PRODUCT(float, 3)
#undef MCT_PRODUCT

}  // namespace mct::cuda
