// Packing and storing of every component type, compiled once per instruction set.
#include "src/linalg/kernels/pack_kernels.hpp"
#include "src/linalg/kernels/pack_plain.hpp"
#include "src/linalg/kernels/registry.hpp"
#include "src/linalg/kernels/store_kernels.hpp"

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
