// Packing of factors and storing of sums, of every component type, compiled once per instruction
// set.
#include <cstring>

#include "src/linalg/kernels/pack_kernels.hpp"
#include "src/linalg/kernels/pack_plain.hpp"
#include "src/linalg/kernels/registry.hpp"
#include "src/tensor/kernels/convert_loops.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// Whether none of them is infinite or NaN.
template <class S>
bool all_finite(std::size_t count, const S* x) {
  using V = widest_batch<S>;
  std::size_t i = 0;
  for (; i + lanes<V> <= count; i += lanes<V>)
    if (!detail::all_lanes(detail::is_finite_mask(load_lanes<V>(x + i)))) return false;
  for (; i < count; ++i)
    if (!detail::is_finite_mask(x[i])) return false;
  return true;
}

/// Doubles as N floats each: each float is the nearest to the rest after those before. False if a
/// float is infinite.
template <int N>
bool store_pieces(std::size_t count, const double* sums, float* out, std::int64_t plane) {
  using V = widest_batch<double>;
  std::size_t i = 0;
  for (; i + lanes<V> <= count; i += lanes<V>) {
    V rest = load_lanes<V>(sums + i);
    for (int l = 0; l < N; ++l) {
      float* const limb = out + l * plane + i;
      store_converted(rest, limb);
      const V rounded = load_converted<V>(limb);
      if (!detail::all_lanes(detail::is_finite_mask(rounded))) return false;
      rest = rest - rounded;
    }
  }
  for (; i < count; ++i) {
    const Expansion<float, N> x(sums[i]);
    for (int l = 0; l < N; ++l) out[std::size_t(l * plane) + i] = x.limb[l];
  }
  return true;
}

template <class S, class T, int N>
bool store_sums(std::size_t count, const S* sums, T* out, std::int64_t plane) {
  if (!all_finite(count, sums)) return false;
  if constexpr (N > 1) return store_pieces<N>(count, sums, out, plane);
  if constexpr (std::is_same_v<S, T>) {
    std::memcpy(out, sums, count * sizeof(T));
  } else if constexpr (N == 1) {
    convert_loop(count, sums, out);
  }
  return true;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels

namespace mct::linalg_detail::MCT_KERNELS {

MCT_DEFINE_PACK(double, double, 1, 1)
MCT_DEFINE_PACK(double, double, 2, 2)
MCT_DEFINE_PACK(double, double, 3, 3)
MCT_DEFINE_PACK(double, double, 4, 4)
MCT_DEFINE_PACK(float, float, 1, 1)
MCT_DEFINE_PACK(float, double, 1, 1)
MCT_DEFINE_PACK(float, double, 1, 2)
MCT_DEFINE_PACK(float, double, 2, 3)
MCT_DEFINE_PACK(float, double, 2, 4)
#define MCT_DEFINE_PACK_SHORT(T)   \
  MCT_DEFINE_PACK(T, float, 1, 1)  \
  MCT_DEFINE_PACK(T, double, 1, 1) \
  MCT_DEFINE_PACK(T, double, 1, 2) \
  MCT_DEFINE_PACK(T, double, 1, 3)
MCT_DEFINE_PACK_SHORT(half)
MCT_DEFINE_PACK_SHORT(bfloat16)
MCT_DEFINE_PACK(bfloat16, Bfloat16Pair, 1, 1)
template <>
PackKernel<bfloat16, Bfloat16Line> pack_kernel<bfloat16, Bfloat16Line, 1, 1>() {
  return &kernels::pack_lines;
}

MCT_DEFINE_STORE(double, double, 1)
MCT_DEFINE_STORE(float, float, 1)
MCT_DEFINE_STORE(float, half, 1)
MCT_DEFINE_STORE(float, bfloat16, 1)
MCT_DEFINE_STORE(double, float, 2)

}  // namespace mct::linalg_detail::MCT_KERNELS
