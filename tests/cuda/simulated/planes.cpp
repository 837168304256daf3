// Operations on planes on the simulated device, for the Python module: of some types and functions,
// as each program takes long to compile.
#include "cuda/linalg/device_matrices.hpp"
#include "cuda/linalg/product.hpp"
#include "cuda/tensor/programs.hpp"
#include "mctensor/linalg/device_products.hpp"
#include "src/device/elementwise.hpp"
#include "src/device/reduce.hpp"
#include "tests/cuda/simulator/device.hpp"

namespace mct::cuda {

namespace {

using Functions = std::integer_sequence<int, int(Unary::exp), int(Unary::log), int(Unary::tanh)>;
template <int... Arithmetic, int... Others>
constexpr auto joined(std::integer_sequence<int, Arithmetic...>,
                      std::integer_sequence<int, Others...>) {
  return std::integer_sequence<int, Arithmetic..., Others...>();
}

template <class T, int N>
constexpr auto simulated_unary() {
  const elementwise::Numbers<arithmetic_count<Unary>> arithmetic;
  if constexpr (has_functions<T, N>) {
    return joined(arithmetic, Functions());
  } else {
    return arithmetic;
  }
}

}  // namespace

#define MCT_SIMULATE_PLANES(T, N)                                                                 \
  template <>                                                                                     \
  void apply_to(const DeviceTensor<T, N>& out, Unary op, const DeviceTensor<T, N>& x) {           \
    elementwise::start_one<elementwise::Of<T, N>::template UnaryProgram>(                         \
        int(op), simulated_unary<T, N>(), out, x);                                                \
  }                                                                                               \
  template <>                                                                                     \
  void apply_to(const DeviceTensor<T, N>& out, Binary op, const DeviceTensor<T, N>& x,            \
                const DeviceTensor<T, N>& y) {                                                    \
    elementwise::start_one<elementwise::Of<T, N>::template BinaryProgram>(                        \
        int(op), elementwise::Numbers<arithmetic_count<Binary>>(), out, x, y);                    \
  }                                                                                               \
  template void reduce_to(const DeviceTensor<T, N>&, Reduction, const DeviceTensor<T, N>&, Over); \
  template <>                                                                                     \
  void mm_to(const DeviceTensor<T, N>& out, const DeviceTensor<T, N>& a,                          \
             const DeviceTensor<T, N>& b, MatmulAccuracy) {                                       \
    vector_product<T, N>(StreamQueue(out.stream()), a.size(0), b.size(1), a.size(1),              \
                         matrix_view<const T>(a), matrix_view<const T>(b), matrix_view<T>(out));  \
  }
MCT_SIMULATE_PLANES(double, 2)
MCT_SIMULATE_PLANES(double, 3)
MCT_SIMULATE_PLANES(float, 2)
#undef MCT_SIMULATE_PLANES

/// Types that the simulated device does not have.
#define MCT_NO_PLANES(T, N)                                                                  \
  template <>                                                                                \
  void apply_to(const DeviceTensor<T, N>&, Unary, const DeviceTensor<T, N>&) {               \
    throw DeviceError("the simulated device has no operation on " #T ", " #N " components"); \
  }                                                                                          \
  template <>                                                                                \
  void apply_to(const DeviceTensor<T, N>&, Binary, const DeviceTensor<T, N>&,                \
                const DeviceTensor<T, N>&) {                                                 \
    throw DeviceError("the simulated device has no operation on " #T ", " #N " components"); \
  }                                                                                          \
  template <>                                                                                \
  void reduce_to(const DeviceTensor<T, N>&, Reduction, const DeviceTensor<T, N>&, Over) {    \
    throw DeviceError("the simulated device has no reduction of " #T ", " #N " components"); \
  }
MCT_NO_PLANES(bfloat16, 2)
#undef MCT_NO_PLANES
#define MCT_NO_PRODUCT(T, N)                                                                  \
  template <>                                                                                 \
  void mm_to(const DeviceTensor<T, N>&, const DeviceTensor<T, N>&, const DeviceTensor<T, N>&, \
             MatmulAccuracy) {                                                                \
    throw DeviceError("the simulated device has no product of " #T ", " #N " components");    \
  }
MCT_NO_PRODUCT(float, 3)
#undef MCT_NO_PRODUCT

}  // namespace mct::cuda
