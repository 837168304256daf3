// The register tiles of every format, compiled once per instruction set.
#include "src/linalg/kernels/bfloat16_matrix.hpp"
#include "src/linalg/kernels/bfloat16_tile.hpp"
#include "src/linalg/kernels/gemm_kernels.hpp"
#include "src/linalg/kernels/registry.hpp"

namespace mct::linalg_detail::MCT_KERNELS {

MCT_DEFINE_GEMM(float, 1, 1, 1)
MCT_DEFINE_GEMM(double, 1, 1, 1)
template <>
const GemmTable<float, Bfloat16Pair>& gemm_table<Bfloat16Pair, 1, 1, 1>() {
  static constexpr GemmTable<float, Bfloat16Pair> table = kernels::make_bfloat16_table();
  return table;
}
template <>
const GemmTableOf<Bfloat16Line>& gemm_table<Bfloat16Line, 1, 1, 1>() {
  static constexpr GemmTableOf<Bfloat16Line> table =
      kernels::make_bfloat16_matrix_table<kernels::AmxTiles>();
  return table;
}
MCT_DEFINE_GEMM(double, 2, 1, 1)
MCT_DEFINE_GEMM(double, 2, 2, 1)
MCT_DEFINE_GEMM(double, 2, 1, 2)
MCT_DEFINE_GEMM(double, 2, 2, 2)
MCT_DEFINE_GEMM(double, 3, 1, 1)
MCT_DEFINE_GEMM(double, 3, 3, 1)
MCT_DEFINE_GEMM(double, 3, 1, 3)
MCT_DEFINE_GEMM(double, 3, 3, 3)
MCT_DEFINE_GEMM(double, 4, 4, 1)
MCT_DEFINE_GEMM(double, 4, 1, 4)
MCT_DEFINE_GEMM(double, 4, 4, 4)

}  // namespace mct::linalg_detail::MCT_KERNELS
