// Attention with a bias of the scores on a simulated GPU.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mctensor/attention/bias.hpp"
#include "tests/cuda/attention_errors.hpp"
#include "tests/cuda/attention_gradients.hpp"
#include "tests/cuda/attention_there.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

MCT_FOR_EACH_ATTENTION_PREPARATION(MCT_SIMULATE_PROGRAM)
template void start_attention<64>(const AttentionLaunch<bfloat16, true>&, const Stream&);
template void start_attention_backward<64>(const AttentionBackwardLaunch<bfloat16, true>&,
                                           const Stream&);

}  // namespace mct::cuda

MCT_NO_ATTENTION(64, bfloat16, false)
MCT_NO_ATTENTION(128, bfloat16, false)
MCT_NO_ATTENTION(64, float, false)
MCT_NO_ATTENTION(128, float, false)
MCT_NO_ATTENTION(128, bfloat16, true)
MCT_NO_ATTENTION(64, float, true)
MCT_NO_ATTENTION(128, float, true)
MCT_NO_ATTENTION_BACKWARD(64, bfloat16, false)
MCT_NO_ATTENTION_BACKWARD(128, bfloat16, false)
MCT_NO_ATTENTION_BACKWARD(64, float, false)
MCT_NO_ATTENTION_BACKWARD(128, float, false)
MCT_NO_ATTENTION_BACKWARD(128, bfloat16, true)
MCT_NO_ATTENTION_BACKWARD(64, float, true)
MCT_NO_ATTENTION_BACKWARD(128, float, true)

namespace {

using namespace mct::cuda;
using namespace mct::cuda::testing;
using mct::bfloat16;
using mct::Tensor;

constexpr float infinity = std::numeric_limits<float>::infinity();

Mask<float> with_bias(const Tensor<float>& bias, bool causal = false, bool by_offset = false) {
  Mask<float> mask = causal_if(causal);
  mask.bias = bias;
  mask.by_offset = by_offset;
  return mask;
}
/// ALiBi of two heads.
Tensor<float> alibi_of(std::int64_t queries, std::int64_t keys) {
  const mct::Variable<float> slopes(Tensor<float>::from_values({0.25F, 0.0625F}, {2, 1}), false);
  return mct::attention::alibi(slopes, queries, keys).value();
}

template <class T, bool Backward>
void expect_every_score_near(std::int64_t queries, std::int64_t keys, const Mask<float>& mask,
                             std::uint64_t seed) {
  for (const Score score : mct::testing::scores) {
    const auto of = operands<T>(score, queries, keys, 64, 64, ++seed);
    mct::attention::with_score(score, [&](auto which) {
      const double worst = worst_of<decltype(which), 64, T, true>(
          score, of, mask, {unsigned(seed), TensorCore::hopper});
      EXPECT_LE(worst, 1) << mct::testing::name_of(score) << ", seed " << seed;
    });
  }
  if constexpr (Backward) test_gradients<64, T, true>(queries, keys, mask, {2, 4, 40}, seed);
}

TEST(CudaAttentionBias, OfPairs) {
  expect_every_score_near<bfloat16, true>(17, 77, with_bias(mct::randn<float, 1>({17, 77}, 1)), 1);
  expect_every_score_near<bfloat16, true>(
      40, 17, with_bias(mct::randn<float, 1>({2, 40, 17}, 2), true), 11);
}
TEST(CudaAttentionBias, OfQueriesOrKeys) {
  expect_every_score_near<bfloat16, false>(5, 70, with_bias(mct::randn<float, 1>({2, 1, 70}, 3)),
                                           21);
  expect_every_score_near<bfloat16, false>(5, 7, with_bias(mct::randn<float, 1>({7}, 3)), 31);
  expect_every_score_near<bfloat16, false>(5, 7, with_bias(mct::randn<float, 1>({2, 5, 1}, 3)), 41);
}
TEST(CudaAttentionBias, OfOffsets) {
  expect_every_score_near<bfloat16, true>(17, 77, with_bias(alibi_of(17, 77), true, true), 51);
}
TEST(CudaAttentionBias, OfFloats) {
  using S = mct::attention::DotProduct;
  const auto of = operands<float>(Score::dot_product, 17, 40, 64, 64, 3);
  EXPECT_LE((worst_of<S, 64, float, true>(Score::dot_product, of,
                                          with_bias(alibi_of(17, 40), true, true), {1})),
            1);
  EXPECT_LE((worst_of<S, 128, float, true>(Score::dot_product, of,
                                           with_bias(mct::randn<float, 1>({17, 40}, 4)), {1})),
            1);
}

/// Minus infinity hides a key, and its pair has no gradient; a query that sees none gets 0.
TEST(CudaAttentionBias, HidesKeys) {
  using S = mct::attention::Laplacian;
  const auto of = operands<bfloat16>(Score::laplacian, 6, 40, 64, 64, 2);
  const auto bias = mct::zeros<float>({6, 40}).clone();
  for (std::int64_t j = 0; j < 40; ++j) {
    if (j != 7) bias.data()[40 + j] = -infinity;
    bias.data()[3 * 40 + j] = -infinity;
  }
  const auto mask = with_bias(bias);
  DeviceOperands<bfloat16> device(of, {1});
  const auto result = attend<S, 64, bfloat16, true>(device, mask, {1});
  for (std::size_t c = 0; c < 64; ++c) {
    EXPECT_EQ(float(result.values[64 + c]), of.v.at({0, 7, std::int64_t(c)})) << c;
    EXPECT_EQ(float(result.values[3 * 64 + c]), 0) << c;
  }
  EXPECT_EQ(result.log_sum[3], -infinity);
  const auto gradient = rounded(mct::randn<float, 1>({2, 6, 64}, 5), 1);
  const auto to = attend_backward<S, 64, bfloat16, true>(device, result, gradient, mask, {1});
  for (std::size_t c = 0; c < 64; ++c) {
    EXPECT_LE(std::fabs(float(to.x[64 + c])), 1e-2) << c;  // one key has all the weight
    EXPECT_EQ(float(to.x[3 * 64 + c]), 0) << c;
  }
}

TEST(CudaAttentionBias, OfTensorsIsWhatTheProgramsDo) {
  for (const auto& mask : {with_bias(mct::randn<float, 1>({2, 17, 30}, 1), true),
                           with_bias(alibi_of(17, 30), false, true)})
    for (const Score score : {Score::dot_product, Score::umbral})
      expect_programs_results<64, bfloat16, true>(
          score, operands<bfloat16>(score, 17, 30, 40, 16, 2), mask);
}

TEST(CudaAttentionBias, LeadingDimensionsBroadcast) {
  const auto of = operands_there<bfloat16>(operands<bfloat16>(Score::dot_product, 3, 4, 8, 8, 1));
  const AttentionOperands<bfloat16> heads{
      of.x.reshape({2, 1, 3, 8}), {}, of.y.reshape({2, 1, 4, 8}), {}, of.v.reshape({2, 1, 4, 8})};
  const auto bias = mct::randn<float, 1>({2, 3, 4}, 3);
  AttentionMask mask;
  mask.bias = to_device(bias);
  const auto want = attend(Score::dot_product, of, mask);
  mask.bias = to_device(bias.reshape({2, 1, 3, 4}));
  EXPECT_EQ(values_there(attend(Score::dot_product, heads, mask).values),
            values_there(want.values));
  mask.bias = to_device(mct::randn<float, 1>({3, 5}, 3));
  EXPECT_EQ(
      mct::testing::message_of<mct::ShapeError>([&] { attend(Score::dot_product, of, mask); }),
      "attention: a bias of shape (3, 5) does not broadcast to (2, 3, 4)");
  mask.by_offset = true;
  EXPECT_THROW(attend(Score::dot_product, of, mask), mct::ShapeError);
}

}  // namespace
