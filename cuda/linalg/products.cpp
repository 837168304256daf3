#include "mctensor/linalg/device_products.hpp"

#include <string>

#include "cuda/linalg/bfloat16_product.hpp"
#include "cuda/linalg/integer_product.hpp"
#include "mctensor/device/device_tensor.hpp"
#include "mctensor/error.hpp"
#include "src/linalg/matrix_view.hpp"

namespace mct::cuda {
namespace {

/// Throws ShapeError unless a and b are matrices with a product and an inner dimension up to
/// `deepest`.
template <class T, int N>
void require_product(const DeviceTensor<T, N>& a, const DeviceTensor<T, N>& b,
                     std::int64_t deepest) {
  if (a.dim() != 2 || b.dim() != 2 || a.size(1) != b.size(0))
    throw ShapeError("mm: matrices of shapes " + to_string(a.shape()) + " and " +
                     to_string(b.shape()));
  if (a.size(1) > deepest)
    throw ShapeError("mm: an inner dimension of " + std::to_string(a.size(1)) + ", more than " +
                     std::to_string(deepest));
}

template <class S, class T, int N>
linalg_detail::MatrixView<S> matrix_view(const DeviceTensor<T, N>& x) {
  return {x.data(), x.plane_stride(), x.size(1), 1};
}

template <class Result, int Limbs, int N>
DeviceTensor<Result, Limbs> product(const DeviceTensor<bfloat16, N>& a,
                                    const DeviceTensor<bfloat16, N>& b) {
  using Tiles = LineTiles<bfloat16>;
  require_product(a, b, std::int64_t(Grid::max_y) * Tiles::depth);
  constexpr std::int64_t most_rows = std::int64_t(Grid::max_y) * Tiles::tile;
  if (a.size(0) > most_rows)
    throw ShapeError("mm: a matrix of shape " + to_string(a.shape()) + ", more than " +
                     std::to_string(most_rows) + " rows");
  auto c = DeviceTensor<Result, Limbs>::uninitialized({a.size(0), b.size(1)}, a.stream());
  const Ordered ordered(a.stream(), b);
  bfloat16_product<N, Result>(StreamQueue(a.stream()), a.size(0), b.size(1), a.size(1),
                              matrix_view<const bfloat16>(a), matrix_view<const bfloat16>(b),
                              matrix_view<Result>(c));
  return c;
}

}  // namespace

template <int N>
DeviceTensor<bfloat16, N> mm(const DeviceTensor<bfloat16, N>& a,
                             const DeviceTensor<bfloat16, N>& b) {
  return product<bfloat16, N>(a, b);
}
template <int N>
DeviceTensor<float> mm_to_float(const DeviceTensor<bfloat16, N>& a,
                                const DeviceTensor<bfloat16, N>& b) {
  return product<float, 1>(a, b);
}

#define MCT_BFLOAT16_PRODUCT(N)                                              \
  template DeviceTensor<bfloat16, N> mm(const DeviceTensor<bfloat16, N>&,    \
                                        const DeviceTensor<bfloat16, N>&);   \
  template DeviceTensor<float> mm_to_float(const DeviceTensor<bfloat16, N>&, \
                                           const DeviceTensor<bfloat16, N>&);
MCT_BFLOAT16_PRODUCT(2)
MCT_BFLOAT16_PRODUCT(3)
#undef MCT_BFLOAT16_PRODUCT

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
