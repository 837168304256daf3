// Products through integers on a GPU from the PTX that nvcc makes of cuda/linalg/residues.cu.
#include "tests/cuda/integer_product_cases.hpp"
#include "tests/cuda/ptx/from_ptx.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module linalg_residues, linalg_gemm;
}

namespace integer_product_cases {

/// Where the product falls back to the vector units, these come from their own file.
template <class Program>
inline constexpr bool is_of_vector_units = false;
template <class T, int N>
inline constexpr bool is_of_vector_units<PackFactor<T, N>> = true;
template <class T, int N>
inline constexpr bool is_of_vector_units<Gemm<T, N>> = true;
template <class T, int N>
inline constexpr bool is_of_vector_units<GuardedSums<T, N>> = true;

struct Compiled {
  template <class Program>
  using Of =
      std::conditional_t<is_of_vector_units<Program>, ptx::FromPtx<Program, ptx::linalg_gemm>,
                         ptx::FromPtx<Program, ptx::linalg_residues>>;
};
INSTANTIATE_TYPED_TEST_SUITE_P(Ptx, CudaIntegerProduct, Compiled);

}  // namespace integer_product_cases
}  // namespace mct::cuda
