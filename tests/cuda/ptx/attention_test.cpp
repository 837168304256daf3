// Attention of a GPU from the PTX that nvcc makes of it where
// tests/cuda/kernels/attention_streaming.cu has it.
#include "cuda/attention/backward.hpp"
#include "cuda/attention/forward.hpp"
#include "cuda/attention/prepare.hpp"
#include "tests/cuda/ptx/compiled.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module attention_streaming;
const Module* compiled = &attention_streaming;
}  // namespace ptx

template <class S, int D, class T, bool Biased>
struct InPlaceOf<AttentionForward<S, D, T, Biased>>
    : ptx::CompiledIn<AttentionForward<S, D, T, Biased>, ptx::compiled> {};
template <class S, int D, class T, bool OfQueries, bool Biased>
struct InPlaceOf<AttentionBackward<S, D, T, OfQueries, Biased>>
    : ptx::CompiledIn<AttentionBackward<S, D, T, OfQueries, Biased>, ptx::compiled> {};
template <int Count>
struct InPlaceOf<GatherNumbers<Count>> : ptx::CompiledIn<GatherNumbers<Count>, ptx::compiled> {};
template <class T>
struct InPlaceOf<GatherSoftmax<T>> : ptx::CompiledIn<GatherSoftmax<T>, ptx::compiled> {};

}  // namespace mct::cuda

#include "tests/cuda/attention_backward_test.cpp"
#include "tests/cuda/attention_test.cpp"
#include "tests/cuda/attention_wide_test.cpp"

namespace {

TEST(CudaAttentionCompiled, WithABias) {
  const auto of = operands<bfloat16>(Score::dot_product, 17, 77, 64, 64, 3);
  auto mask = causal_if(true);
  mask.bias = mct::randn<float, 1>({17, 77}, 4);
  EXPECT_LE(
      (worst_of<mct::attention::DotProduct, 64, bfloat16, true>(Score::dot_product, of, mask, {1})),
      1);
}

TEST(CudaAttentionCompiled, KernelsAreUsed) {
  EXPECT_EQ(ptx::replaced().size(), 7u);  // all that the module has
}

}  // namespace
