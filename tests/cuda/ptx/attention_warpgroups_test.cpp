// Attention with products by warpgroups from the PTX that nvcc makes of it, where
// tests/cuda/kernels/attention_warpgroups.cu has it, and with faults that tests/cuda/ptx.cmake
// plants there: all must be noticed.
#include <utility>

#include "tests/cuda/attention.hpp"
#include "tests/cuda/ptx/compiled.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module attention_warpgroups, attention_late_wait, attention_no_fence,
    attention_not_published, attention_other_step;
const Module* compiled = &attention_warpgroups;
}  // namespace ptx

template <class S, int D, class T, bool Biased>
struct InPlaceOf<AttentionForward<S, D, T, Biased, ByWarpgroups>>
    : ptx::CompiledIn<AttentionForward<S, D, T, Biased, ByWarpgroups>, ptx::compiled> {};

}  // namespace mct::cuda

#include "tests/cuda/attention_warpgroups_test.cpp"

namespace mct::cuda {
namespace {

using testing::DeviceAttended;
using testing::DeviceOperands;

template <class S, int D>
DeviceAttended<bfloat16> attended(Score score, std::int64_t queries, std::int64_t keys,
                                  bool causal) {
  const auto of = testing::operands<bfloat16>(score, queries, keys, D, D, 3);
  return testing::attend<S, D, bfloat16, false, ByWarpgroups>(
      DeviceOperands<bfloat16>(of, {1}), testing::causal_if(causal), {1, TensorCore::hopper});
}

template <class T>
std::vector<std::uint32_t> bits_of(const std::vector<T>& x) {
  std::vector<std::uint32_t> r;
  for (const T each : x) {
    if constexpr (sizeof(T) == 2) {
      r.push_back(each.bits());
    } else {
      r.push_back(std::bit_cast<std::uint32_t>(each));
    }
  }
  return r;
}

/// The PTX gives the bits of the source.
template <class S, int D>
void expect_same(Score score, std::int64_t queries, std::int64_t keys, bool causal) {
  const auto got = attended<S, D>(score, queries, keys, causal);
  const auto* const module = std::exchange(ptx::compiled, nullptr);
  const auto want = attended<S, D>(score, queries, keys, causal);
  ptx::compiled = module;
  EXPECT_EQ(bits_of(got.values), bits_of(want.values));
  EXPECT_EQ(bits_of(got.rest), bits_of(want.rest));
  EXPECT_EQ(bits_of(got.log_sum), bits_of(want.log_sum));
}

TEST(CudaAttentionWarpgroupsCompiled, HasTheSourcesBits) {
  expect_same<DotProduct, 64>(Score::dot_product, 70, 300, true);
  expect_same<DotProduct, 128>(Score::dot_product, 17, 130, false);
  expect_same<Umbral, 64>(Score::umbral, 17, 200, false);
  EXPECT_EQ(ptx::replaced().size(), 3U);  // all that the module has
}

/// What a mutant leads to: the simulator's message, or "other bits", or nothing.
std::string noticed(const ptx::Module& mutant) {
  const auto usual = [] { return attended<DotProduct, 64>(Score::dot_product, 17, 300, false); };
  const auto right = usual();
  const auto* const original = std::exchange(ptx::compiled, &mutant);
  std::string what;
  const std::string message = mct::testing::message_of<SimulationError>([&] {
    if (bits_of(usual().values) != bits_of(right.values)) what = "other bits";
  });
  ptx::compiled = original;
  return message + what;
}
void expect_noticed(const ptx::Module& mutant, const std::string& as) {
  const std::string what = noticed(mutant);
  EXPECT_NE(what.find(as), std::string::npos) << what;
}

TEST(CudaAttentionWarpgroupsMutants, AreNoticed) {
  expect_noticed(ptx::attention_late_wait, "other bits");
  expect_noticed(ptx::attention_no_fence, "without a fence of products");
  expect_noticed(ptx::attention_not_published, "has not published");
  EXPECT_NE(noticed(ptx::attention_other_step), "");
}

}  // namespace
}  // namespace mct::cuda
