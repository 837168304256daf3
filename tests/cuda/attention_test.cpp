// Attention of a GPU, in the simulator, against attention with all its weights in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/attention/by_the_book.hpp"
#include "tests/attention/score_operands.hpp"
#include "tests/cuda/attention.hpp"
#include "tests/message_of.hpp"

namespace {

using namespace mct::cuda;
using mct::Tensor;
using mct::attention::Mask;
using mct::attention::Score;
using mct::cuda::testing::attend;
using mct::cuda::testing::DeviceOperands;
using Operands = mct::attention::Operands<float>;
constexpr float infinity = std::numeric_limits<float>::infinity();

/// A tensor whose values bfloat16 holds.
Tensor<float> rounded(const Tensor<float>& x) {
  Tensor<float> r = x.clone();
  auto values = r.values();
  for (auto& each : values) each = float(mct::bfloat16(float(each)));
  return Tensor<float>::from_values(values, x.shape());
}

template <class T>
Operands operands(Score score, std::int64_t queries, std::int64_t keys, std::int64_t d,
                  std::int64_t e, std::uint64_t seed) {
  Operands of = mct::testing::operands<float>(score, {2}, queries, keys, d, e, seed);
  if constexpr (parts_of<T> == 1) {
    of.x = rounded(of.x);
    of.y = rounded(of.y);
    of.v = rounded(of.v);
  }
  return of;
}

Operands group_of(const Operands& of, std::int64_t group) {
  const auto part = [&](const Tensor<float>& x) {
    return x.dim() < 3 ? Tensor<float>() : x.select(0, group);
  };
  return {part(of.x), part(of.a), part(of.y), part(of.b), part(of.v)};
}

/// How far the results are from the truth, in units of what is allowed.
///
/// Allowed is, with the values' mean |v| over the weights: of bfloat16, its u = 2^-8 times that for
/// weights rounded, and u |result|; a quarter more for the scores, whose errors are 2^-11 at most,
/// and for e^x, 2^-13. Of float: 2^-13 of the mean, 2^-16 for what the split leaves of weights,
/// values and, times the size of a score, of its vectors, and as much for sums cut off.
template <class T>
struct Allowed {
  static constexpr double of_mean = parts_of<T> == 1 ? 1.25 * 0x1p-8 : 0x1p-13;
  static constexpr double of_result = parts_of<T> == 1 ? 0x1p-8 : 0x1p-24;
  static constexpr double of_log_sum = parts_of<T> == 1 ? 0x1p-9 : 0x1p-13;
};

template <class S, int D, class T>
double worst_of(Score score, const Operands& of, bool causal, const Simulation& how) {
  const DeviceOperands<T> device(of, how);
  const auto got = attend<S, D, T>(device, causal, how);
  Mask<float> mask;
  mask.causal = causal;
  const std::int64_t queries = of.x.size(1);
  const std::int64_t e = of.v.size(2);
  double worst = 0;
  for (std::int64_t group = 0; group < of.x.size(0); ++group) {
    Operands one = group_of(of, group);
    const Tensor<float> zero({queries, e});
    const auto want = mct::testing::attend_by_the_book<double>(score, one, mask, zero).values;
    const auto log_sums = mct::attention::attend(score, one, mask).log_sum;  // float: 40 u
    one.v = abs(one.v);
    const auto mean = mct::testing::attend_by_the_book<double>(score, one, mask, zero).values;
    for (std::int64_t i = 0; i < queries; ++i) {
      const auto row = std::size_t(group * queries + i);
      for (std::int64_t c = 0; c < e; ++c) {
        const auto at = std::size_t(i * e + c);
        const double x = float(got.values[row * std::size_t(device.v.width) + std::size_t(c)]);
        const double allowed =
            Allowed<T>::of_mean * mean[at] + Allowed<T>::of_result * std::fabs(want[at]);
        const double error = std::fabs(x - want[at]);
        if (!(error <= allowed)) worst = std::max(worst, 2.0);
        if (allowed > 0) worst = std::max(worst, error / allowed);
      }
      const float log_sum = float(log_sums.at({i}));
      if (log_sum == -infinity) {
        EXPECT_EQ(got.log_sum[row], -infinity);
      } else {
        worst = std::max(worst, std::fabs(double(got.log_sum[row]) - double(log_sum)) /
                                    (Allowed<T>::of_log_sum * (1 + std::fabs(double(log_sum)))));
      }
    }
  }
  return worst;
}

struct Case {
  std::int64_t queries, keys;
  bool causal;
};
constexpr Case cases[] = {{17, 77, false}, {77, 130, true}, {1, 1, false}, {40, 17, true}};

template <int D, class T>
void test_score(Score score, const Case& size, std::uint64_t seed, TensorCore tensor_core) {
  const auto of = operands<T>(score, size.queries, size.keys, D, D, seed);
  mct::attention::with_score(score, [&](auto which) {
    const double worst =
        worst_of<decltype(which), D, T>(score, of, size.causal, {unsigned(seed), tensor_core});
    EXPECT_LE(worst, 1) << mct::testing::name_of(score) << ' ' << size.queries << " queries, "
                        << size.keys << " keys" << (size.causal ? ", causal" : "");
  });
}

TEST(CudaAttention, EveryScoreOf64) {
  std::uint64_t seed = 1;
  for (const Score score : mct::testing::scores)
    for (const Case& size : cases) {
      test_score<64, mct::bfloat16>(score, size, seed,
                                    seed % 2 == 0 ? TensorCore::hopper : TensorCore::rounded);
      ++seed;
    }
}

}  // namespace
