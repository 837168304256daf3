// Apart from products.cpp, so that a program links the kernels that it uses.
#include "cuda/linalg/bfloat16_product.hpp"
#include "cuda/linalg/device_matrices.hpp"
#include "mctensor/linalg/device_products.hpp"

namespace mct::cuda {
namespace {

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

}  // namespace mct::cuda
