// Attention of device tensors, on a simulated device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#define MCT_HAVE_WARPGROUPS 1
#include "tests/cuda/attention_there.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

/// In the place of what attention_warpgroups_test.cpp tests: only says that it was asked.
template <int D>
bool start_attention_by_warpgroups(const AttentionLaunch<bfloat16>& of, const Stream&) {
  log_simulated("asked for " + std::to_string(D) + ": " + mct::testing::name_of(of.score));
  return simulated_warpgroups();
}

MCT_FOR_EACH_ATTENTION_PREPARATION(MCT_SIMULATE_PROGRAM)
template void start_attention<64>(const AttentionLaunch<bfloat16>&, const Stream&);
template void start_attention<128>(const AttentionLaunch<bfloat16>&, const Stream&);
template void start_attention<64>(const AttentionLaunch<float>&, const Stream&);
template void start_attention_backward<64>(const AttentionBackwardLaunch<bfloat16>&, const Stream&);
template void start_attention_backward<128>(const AttentionBackwardLaunch<bfloat16>&,
                                            const Stream&);
template void start_attention_backward<64>(const AttentionBackwardLaunch<float>&, const Stream&);

}  // namespace mct::cuda

MCT_NO_ATTENTION(128, float, false)
MCT_NO_ATTENTION_BACKWARD(128, float, false)
MCT_NO_ATTENTION(64, bfloat16, true)
MCT_NO_ATTENTION(128, bfloat16, true)
MCT_NO_ATTENTION(64, float, true)
MCT_NO_ATTENTION(128, float, true)
MCT_NO_ATTENTION_BACKWARD(64, bfloat16, true)
MCT_NO_ATTENTION_BACKWARD(128, bfloat16, true)
MCT_NO_ATTENTION_BACKWARD(64, float, true)
MCT_NO_ATTENTION_BACKWARD(128, float, true)

namespace {

using namespace mct::cuda;
using namespace mct::cuda::testing;
using mct::bfloat16;
using mct::attention::Score;

TEST(CudaAttentionOfTensors, IsWhatTheProgramsDo) {
  for (const Score score : mct::testing::scores)
    expect_programs_results<64, bfloat16>(score, operands<bfloat16>(score, 17, 30, 40, 16, 2),
                                          causal_if(true));
  expect_programs_results<128, bfloat16>(Score::umbral,
                                         operands<bfloat16>(Score::umbral, 5, 9, 16, 72, 3), {});
  expect_programs_results<64, float>(Score::distance,
                                     operands<float>(Score::distance, 17, 30, 24, 16, 4), {});
}

TEST(CudaAttentionOfTensors, LeadingDimensionsAreGroups) {
  const auto of = operands_there<bfloat16>(operands<bfloat16>(Score::umbral, 3, 4, 8, 8, 1));
  AttentionOperands<bfloat16> more{of.x.reshape({1, 2, 3, 8}), of.a.reshape({1, 2, 3, 1}),
                                   of.y.reshape({1, 2, 4, 8}), of.b.reshape({1, 2, 4, 1}),
                                   of.v.reshape({1, 2, 4, 8})};
  const auto got = mct::cuda::attend(Score::umbral, more);
  EXPECT_EQ(got.values.shape(), (mct::Shape{1, 2, 3, 8}));
  EXPECT_EQ(got.log_sum.shape(), (mct::Shape{1, 2, 3}));
  EXPECT_EQ(got.rest.numel(), 0);
  EXPECT_EQ(values_there(got.values), values_there(mct::cuda::attend(Score::umbral, of).values));
}

TEST(CudaAttentionOfTensors, NoKeysAndNoQueries) {
  const auto zeros = [](const mct::Shape& shape) { return to_device(mct::zeros<bfloat16>(shape)); };
  const auto none = mct::cuda::attend(
      Score::laplacian,
      AttentionOperands<bfloat16>{zeros({2, 8}), {}, zeros({0, 8}), {}, zeros({0, 16})});
  EXPECT_EQ(values_there(none.values), std::vector<bfloat16>(32, bfloat16(0)));
  for (const float x : values_there(none.log_sum)) EXPECT_EQ(x, -HUGE_VALF);
  const auto empty = mct::cuda::attend(
      Score::laplacian,
      AttentionOperands<bfloat16>{zeros({0, 8}), {}, zeros({3, 8}), {}, zeros({3, 16})});
  EXPECT_EQ(empty.values.shape(), (mct::Shape{0, 16}));
}

TEST(CudaAttentionOfTensors, StreamsWaitForEachOther) {
  const auto of = operands<bfloat16>(Score::umbral, 3, 4, 8, 8, 1);
  const Stream other;
  auto there = operands_there<bfloat16>(of);
  there.b = to_device(of.b, other);
  take_simulated_log();
  mct::cuda::attend(Score::umbral, there);
  const auto log = take_simulated_log();
  const std::string one = std::to_string(simulated_stream_number(default_stream().handle()));
  const std::string two = std::to_string(simulated_stream_number(other.handle()));
  ASSERT_FALSE(log.empty());
  EXPECT_EQ(std::count(log.begin(), log.end(), "stream " + one + " waits for " + two), 1);
  EXPECT_EQ(std::count(log.begin(), log.end(), "stream " + two + " waits for " + one), 1);
  EXPECT_EQ(std::count(log.begin(), log.end(), "launch on " + one), 3);
}

/// Products of warpgroups come first, where there are any.
TEST(CudaAttentionOfTensors, AsksForWarpgroups) {
  const auto of = operands_there<bfloat16>(operands<bfloat16>(Score::dot_product, 3, 4, 8, 72, 1));
  const auto log_of = [](const auto& start) {
    take_simulated_log();
    start();
    auto log = take_simulated_log();
    std::erase_if(log, [](const std::string& what) {
      return !what.starts_with("asked") && !what.starts_with("launch");
    });
    return log;
  };
  const std::string launch =
      "launch on " + std::to_string(simulated_stream_number(default_stream().handle()));
  const std::string asked = "asked for 128: dot_product";
  using Log = std::vector<std::string>;
  EXPECT_EQ(log_of([&] { mct::cuda::attend(Score::dot_product, of); }), (Log{asked, launch}));
  simulated_warpgroups() = true;
  EXPECT_EQ(log_of([&] { mct::cuda::attend(Score::dot_product, of); }), Log{asked});
  const auto floats = operands_there<float>(operands<float>(Score::dot_product, 3, 4, 8, 8, 1));
  EXPECT_EQ(log_of([&] { mct::cuda::attend(Score::dot_product, floats); }),
            (Log{launch, launch, launch, launch}));  // three operands are split
  simulated_warpgroups() = false;
}

TEST(CudaAttentionOfTensors, ErrorsNameTheShapes) {
  using Of = AttentionOperands<bfloat16>;
  const auto of = operands_there<bfloat16>(operands<bfloat16>(Score::umbral, 3, 4, 8, 16, 1));
  const auto message = [](const Of& bad) {
    return mct::testing::message_of<mct::ShapeError>(
        [&] { mct::cuda::attend(Score::umbral, bad); });
  };
  Of bad = of;
  bad.v = of.v.reshape({2, 2, 32});
  EXPECT_EQ(message(bad),
            "attend: queries of shape (2, 3, 8), keys of (2, 4, 8), values of (2, 2, 32)");
  bad = of;
  bad.a = of.a.reshape({6, 1});
  EXPECT_EQ(message(bad),
            "attend: a of shape (6, 1), not 1 numbers for each vector of shape (2, 3, 8)");
  bad = of;
  bad.x = of.x.reshape({2, 12, 2});
  bad.y = of.y.reshape({2, 16, 2});
  bad.v = to_device(mct::zeros<bfloat16>({2, 16, 8}));
  EXPECT_EQ(message(bad),
            "attend: x of shape (2, 12, 2): vectors have 2 coordinates, not a multiple of 8 up to "
            "128");
  bad.x = of.x.flatten();
  EXPECT_NE(message(bad), "");
  const auto result = mct::cuda::attend(Score::umbral, of);
  EXPECT_EQ(mct::testing::message_of<mct::DomainError>(
                [&] { mct::cuda::attend_backward(Score::umbral, of, {}, result, result.values); }),
            "attend_backward: the result does not have the parts that gradients need; call attend "
            "with for_gradients = true");
  EXPECT_THROW(mct::cuda::attend_backward(Score::umbral, of, {}, result, of.v), mct::ShapeError);
  bad = of;
  bad.x = DeviceTensor<bfloat16>::from_memory(of.x.data() + 1, {2, 2, 8});
  bad.a = to_device(mct::zeros<float>({2, 2, 1}));
  EXPECT_EQ(
      mct::testing::message_of<mct::DomainError>([&] { mct::cuda::attend(Score::umbral, bad); }),
      "attend: x does not begin at a multiple of 16 bytes");
}

}  // namespace
