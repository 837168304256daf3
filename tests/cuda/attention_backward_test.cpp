// Gradients of attention of a GPU, in the simulator, against those of attention with all its
// weights in double.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/attention/by_the_book.hpp"
#include "tests/cuda/attention.hpp"
#include "tests/message_of.hpp"

namespace {

using namespace mct::cuda;
using mct::bfloat16;
using mct::Tensor;
using mct::attention::Score;
using mct::cuda::testing::attend;
using mct::cuda::testing::attend_backward;
using mct::cuda::testing::DeviceGradients;
using mct::cuda::testing::DeviceOperands;
using mct::cuda::testing::group_of;
using mct::cuda::testing::operands;
using mct::cuda::testing::Operands;

/// The largest error of a group's gradient, against the largest one of them, or what the terms of
/// one that vanishes are like.
template <class T>
double error_of(const std::vector<T>& got, const std::vector<double>& want, std::int64_t group) {
  double worst = 0, size = 0.2;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double x = float(got[std::size_t(group) * want.size() + i]);
    if (std::isnan(x)) return x;
    worst = std::max(worst, std::fabs(x - want[i]));
    size = std::max(size, std::fabs(want[i]));
  }
  return worst / size;
}

template <class S, int D, class T>
DeviceGradients<T> gradients(const Operands& of, const Tensor<float>& gradient, bool causal,
                             const Simulation& how) {
  DeviceOperands<T> device(of, how);
  const auto result = attend<S, D, T>(device, causal, how);
  return attend_backward<S, D, T>(device, result, gradient, causal, how);
}

/// Errors in units of 2^-8, or of 2^-16 for float: gradients of values are sums with rounded
/// weights; those of vectors have rounded gradients of scores as well, and a mean from a rounded
/// result; of numbers, slopes are up
/// to r / height = 30, and the sums small beside their terms. Where keys are near queries and the
/// score has a kink there, what 24 bits leave of differences counts: a distance 10^-4 of the
/// length, and 2^-24 / 10^-4 = 40 2^-16.
struct Allowed {
  double values, vectors, numbers;
};

template <int D, class T>
void test_scores(std::int64_t queries, std::int64_t keys, bool causal, const Allowed& allowed,
                 std::uint64_t seed) {
  constexpr TensorCore models[] = {TensorCore::hopper, TensorCore::ampere, TensorCore::rounded};
  const double unit = parts_of<T> == 1 ? 0x1p-8 : 0x1p-16;
  for (const Score score : mct::testing::scores) {
    ++seed;
    const auto of = operands<T>(score, queries, keys, D, D, seed);
    const auto gradient =
        mct::cuda::testing::rounded(mct::randn<float, 1>({2, queries, D}, seed + 77), parts_of<T>);
    mct::attention::Mask<float> mask;
    mask.causal = causal;
    mct::attention::with_score(score, [&](auto which) {
      using S = decltype(which);
      const auto got = gradients<S, D, T>(of, gradient, causal, {unsigned(seed), models[seed % 3]});
      for (std::int64_t group = 0; group < 2; ++group) {
        const auto want = mct::testing::attend_by_the_book<double>(
            score, group_of(of, group), mask, Tensor<float>(gradient.select(0, group)));
        const std::string what = mct::testing::name_of(score) + ", seed " + std::to_string(seed);
        EXPECT_LE(error_of(got.v, want.v, group), allowed.values * unit) << what;
        EXPECT_LE(error_of(got.x, want.x, group), allowed.vectors * unit) << what;
        EXPECT_LE(error_of(got.y, want.y, group), allowed.vectors * unit) << what;
        EXPECT_LE(error_of(got.a, want.a, group), allowed.numbers * unit) << what;
        EXPECT_LE(error_of(got.b, want.b, group), allowed.numbers * unit) << what;
      }
    });
  }
}

TEST(CudaAttentionBackward, EveryScoreOf64) {
  test_scores<64, bfloat16>(17, 77, false, {2, 4, 40}, 0);
  test_scores<64, bfloat16>(40, 17, true, {2, 4, 40}, 10);  // queries that see no key
  test_scores<64, bfloat16>(1, 1, false, {2, 4, 40}, 20);
}
TEST(CudaAttentionBackward, EveryScoreOf128) {
  test_scores<128, bfloat16>(17, 40, true, {2, 4, 40}, 30);
}
TEST(CudaAttentionBackward, EveryScoreOfFloats) {
  test_scores<64, float>(17, 33, true, {2, 200, 8}, 40);
}

TEST(CudaAttentionBackward, TheOrderOfThreadsDoesNotMatter) {
  using S = mct::attention::Umbral;
  const auto of = operands<bfloat16>(Score::umbral, 20, 70, 64, 64, 3);
  const auto gradient = mct::randn<float, 1>({2, 20, 64}, 5);
  const auto one = gradients<S, 64, bfloat16>(of, gradient, true, {1});
  const auto two = gradients<S, 64, bfloat16>(of, gradient, true, {2});
  EXPECT_EQ(one.x, two.x);
  EXPECT_EQ(one.y, two.y);
  EXPECT_EQ(one.v, two.v);
  EXPECT_EQ(one.a, two.a);
  EXPECT_EQ(one.b, two.b);
}

TEST(CudaAttentionBackward, FaultsAreFound) {
  using S = mct::attention::Umbral;
  const auto of = operands<bfloat16>(Score::umbral, 70, 70, 64, 64, 3);
  DeviceOperands<bfloat16> device(of, {1});
  const auto result = attend<S, 64, bfloat16>(device, false, {1});
  const auto gradient = mct::randn<float, 1>({2, 70, 64}, 5);
  const auto error_with = [&](const Faults& faults) {
    return mct::testing::message_of<SimulationError>([&] {
      attend_backward<S, 64, bfloat16>(device, result, gradient, false,
                                       {1, TensorCore::hopper, faults});
    });
  };
  EXPECT_EQ(error_with({}), "");
  EXPECT_NE(error_with(Faults::without_barrier(0)), "");
  EXPECT_NE(error_with(Faults::impatient(1)), "");
}

}  // namespace
