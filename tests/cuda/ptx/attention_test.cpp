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

template <class S, int D, class T>
struct InPlaceOf<AttentionForward<S, D, T>>
    : ptx::CompiledIn<AttentionForward<S, D, T>, ptx::compiled> {};
template <class S, int D, class T, bool OfQueries>
struct InPlaceOf<AttentionBackward<S, D, T, OfQueries>>
    : ptx::CompiledIn<AttentionBackward<S, D, T, OfQueries>, ptx::compiled> {};
template <int Count>
struct InPlaceOf<GatherNumbers<Count>> : ptx::CompiledIn<GatherNumbers<Count>, ptx::compiled> {};
template <class T>
struct InPlaceOf<GatherSoftmax<T>> : ptx::CompiledIn<GatherSoftmax<T>, ptx::compiled> {};

}  // namespace mct::cuda

#include "tests/cuda/attention_backward_test.cpp"
#include "tests/cuda/attention_test.cpp"

namespace {

TEST(CudaAttentionCompiled, KernelsAreUsed) { EXPECT_GE(ptx::replacements(), 6); }

}  // namespace
