// Attention along edges from the PTX that nvcc makes of it where
// tests/cuda/kernels/attention_edges.cu has it.
#include "cuda/attention/edges.hpp"

#include "tests/cuda/ptx/compiled.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module attention_edges;
const Module* compiled = &attention_edges;
}  // namespace ptx

template <class S>
struct InPlaceOf<AttendEdges<S>> : ptx::CompiledIn<AttendEdges<S>, ptx::compiled> {};
template <class S>
struct InPlaceOf<DeriveEdgesByQueries<S>>
    : ptx::CompiledIn<DeriveEdgesByQueries<S>, ptx::compiled> {};
template <bool FromDistance>
struct InPlaceOf<DeriveEdgesByKeys<FromDistance>>
    : ptx::CompiledIn<DeriveEdgesByKeys<FromDistance>, ptx::compiled> {};

}  // namespace mct::cuda

#include "tests/cuda/attention_edges_test.cpp"

namespace mct::cuda {

TEST(CudaAttentionEdgesCompiled, KernelsAreUsed) { EXPECT_EQ(ptx::replaced().size(), 6u); }

}  // namespace mct::cuda
