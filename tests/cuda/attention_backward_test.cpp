// Gradients of attention of a GPU, in the simulator, against those of attention with all its
// weights in double; and attention of device tensors, on a simulated device.
#include <gtest/gtest.h>

#include <cmath>

#include "cuda/attention/start_attention.hpp"
#include "mctensor/attention/device_attention.hpp"
#include "mctensor/tensor/convert.hpp"
#include "tests/attention/by_the_book.hpp"
#include "tests/cuda/attention.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

MCT_FOR_EACH_ATTENTION_PREPARATION(MCT_SIMULATE_PROGRAM)
template void start_attention<64>(const AttentionLaunch<bfloat16>&, const Stream&);
template void start_attention<128>(const AttentionLaunch<bfloat16>&, const Stream&);
template void start_attention<64>(const AttentionLaunch<float>&, const Stream&);
template void start_attention_backward<64>(const AttentionBackwardLaunch<bfloat16>&, const Stream&);
template void start_attention_backward<128>(const AttentionBackwardLaunch<bfloat16>&,
                                            const Stream&);
template <>
void start_attention<128>(const AttentionLaunch<float>&, const Stream&) {
  throw std::logic_error("wide floats are in another test");
}

}  // namespace mct::cuda

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

/// Host operands on the simulated device.
template <class T>
AttentionOperands<T> operands_there(const Operands& of, const Stream& stream = default_stream()) {
  const auto vectors = [&](const Tensor<float>& x) {
    return to_device(mct::convert<T, 1>(x), stream);
  };
  const auto numbers = [&](const Tensor<float>& x) {
    return x.dim() < 3 ? DeviceTensor<float>() : to_device(x, stream);
  };
  return {vectors(of.x), numbers(of.a), vectors(of.y), numbers(of.b), vectors(of.v)};
}

template <class T>
std::vector<T> values_there(const DeviceTensor<T>& x) {
  const auto host = to_host(x);
  return {host.data(), host.data() + host.numel()};
}

/// What device functions give is what their programs do, which the tests above are about.
template <int D, class T>
void expect_programs_results(Score score, const Operands& of, bool causal) {
  SCOPED_TRACE(mct::testing::name_of(score));
  const auto gradient = mct::cuda::testing::rounded(
      mct::randn<float, 1>({2, of.x.size(1), of.v.size(2)}, 9), parts_of<T>);
  const auto there = operands_there<T>(of);
  simulated_how() = {3};
  const auto got = mct::cuda::attend(score, there, {causal}, parts_of<T> == 1);
  EXPECT_EQ(got.values.shape(), gradient.shape());
  mct::attention::with_score(score, [&]<class S>(S) {
    DeviceOperands<T> device(of, {1});
    const auto want = attend<S, D, T>(device, causal, {1});
    EXPECT_EQ(values_there(got.values), want.values);
    EXPECT_EQ(values_there(got.log_sum), want.log_sum);
    if constexpr (parts_of<T> == 1) {
      EXPECT_EQ(values_there(got.rest), want.rest);
      const auto to = mct::cuda::attend_backward(score, there, {causal}, got,
                                                 to_device(mct::convert<T, 1>(gradient)));
      const auto back = attend_backward<S, D, T>(device, want, gradient, causal, {1});
      EXPECT_EQ(to.x.shape(), there.x.shape());
      EXPECT_EQ(values_there(to.x), back.x);
      EXPECT_EQ(values_there(to.y), back.y);
      EXPECT_EQ(values_there(to.v), back.v);
      EXPECT_EQ(to.a.shape(), there.a.shape());
      if constexpr (S::queries > 0) {
        EXPECT_EQ(values_there(to.a), back.a);
      }
      EXPECT_EQ(to.b.shape(), there.b.shape());
      if constexpr (S::keys > 0) {
        EXPECT_EQ(values_there(to.b), back.b);
      }
    }
  });
}

TEST(CudaAttentionOfTensors, IsWhatTheProgramsDo) {
  for (const Score score : mct::testing::scores)
    expect_programs_results<64, bfloat16>(score, operands<bfloat16>(score, 17, 30, 40, 16, 2),
                                          true);
  expect_programs_results<128, bfloat16>(Score::umbral,
                                         operands<bfloat16>(Score::umbral, 5, 9, 16, 72, 3), false);
  expect_programs_results<64, float>(Score::distance,
                                     operands<float>(Score::distance, 17, 30, 24, 16, 4), false);
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
            "attend_backward: the result was not made for gradients");
  EXPECT_THROW(mct::cuda::attend_backward(Score::umbral, of, {}, result, of.v), mct::ShapeError);
  bad = of;
  bad.x = DeviceTensor<bfloat16>::from_memory(of.x.data() + 1, {2, 2, 8});
  bad.a = to_device(mct::zeros<float>({2, 2, 1}));
  EXPECT_EQ(
      mct::testing::message_of<mct::DomainError>([&] { mct::cuda::attend(Score::umbral, bad); }),
      "attend: x does not begin at a multiple of 16 bytes");
}

}  // namespace
