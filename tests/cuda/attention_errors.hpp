// Attention of a simulated GPU against attention with all its weights in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/attention/by_the_book.hpp"
#include "tests/cuda/attention.hpp"

namespace mct::cuda::testing {

using attention::Mask;
using attention::Score;

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

template <class S, int D, class T, bool Biased = false,
          template <class, int, class> class Unit = ByWarps>
double worst_of(Score score, const Operands& of, const Mask<float>& mask_of_all,
                const Simulation& how) {
  const DeviceOperands<T> device(of, how);
  const auto got = attend<S, D, T, Biased, Unit>(device, mask_of_all, how);
  const std::int64_t queries = of.x.size(1);
  const std::int64_t e = of.v.size(2);
  double worst = 0;
  for (std::int64_t group = 0; group < of.x.size(0); ++group) {
    Operands one = group_of(of, group);
    const auto mask = group_of(mask_of_all, group);
    const Tensor<float> zero({queries, e});
    const auto book = mct::testing::attend_by_the_book<double>(score, one, mask, zero);
    const auto& want = book.values;
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
      const double log_sum = std::log(book.total[std::size_t(i)]);
      if (log_sum == -std::numeric_limits<double>::infinity()) {
        EXPECT_EQ(got.log_sum[row], -std::numeric_limits<double>::infinity());
      } else {
        worst = std::max(worst, std::fabs(double(got.log_sum[row]) - log_sum) /
                                    (Allowed<T>::of_log_sum * (1 + std::fabs(log_sum))));
      }
    }
  }
  return worst;
}

struct Case {
  std::int64_t queries, keys;
  bool causal;
};

template <class S, int D, class T, template <class, int, class> class Unit = ByWarps>
void test_score_of(Score score, const Case& size, std::uint64_t seed, TensorCore tensor_core) {
  const auto of = operands<T>(score, size.queries, size.keys, D, D, seed);
  const double worst = worst_of<S, D, T, false, Unit>(score, of, causal_if(size.causal),
                                                      {unsigned(seed), tensor_core});
  EXPECT_LE(worst, 1) << mct::testing::name_of(score) << ' ' << size.queries << " queries, "
                      << size.keys << " keys" << (size.causal ? ", causal" : "");
}
template <int D, class T>
void test_score(Score score, const Case& size, std::uint64_t seed, TensorCore tensor_core) {
  mct::attention::with_score(score, [&](auto which) {
    using S = decltype(which);
    if (has_programs<S, D, T>()) test_score_of<S, D, T>(score, size, seed, tensor_core);
  });
}

/// All lengths with either mask, a score after the other; the models in turn.
template <int D, class T>
void test_scores(std::initializer_list<Case> sizes) {
  constexpr TensorCore models[] = {TensorCore::hopper, TensorCore::ampere, TensorCore::rounded};
  std::uint64_t seed = 1;
  for (const Case& size : sizes)
    for (const Score score : mct::testing::scores) {
      test_score<D, T>(score, size, seed, models[seed % 3]);
      seed += seed % 6 == 0 ? 2 : 1;  // another model for each score
    }
}

/// Results where the first coordinate of the first query is x.
template <template <class, int, class> class Unit>
DeviceAttended<bfloat16> with_query(float x) {
  Operands of = operands<bfloat16>(Score::dot_product, 3, 2, 64, 64, 3);
  auto values = of.x.values();
  values[0] = x;
  of.x = Tensor<float>::from_values(values, of.x.shape());
  return attend<mct::attention::DotProduct, 64, bfloat16, false, Unit>(
      DeviceOperands<bfloat16>(of, {1}), {}, {1});
}

template <template <class, int, class> class Unit>
void test_not_finite() {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
    const auto got = with_query<Unit>(bad);
    EXPECT_TRUE(std::isnan(float(got.values[0]))) << bad;
    EXPECT_TRUE(std::isnan(got.log_sum[0])) << bad;
    EXPECT_TRUE(std::isfinite(float(got.values[64]))) << bad;
    EXPECT_TRUE(std::isfinite(got.log_sum[1])) << bad;
  }
  // scores of 1e30 and more: the largest has all the weight
  EXPECT_TRUE(std::isfinite(float(with_query<Unit>(1e30F).values[0])));
}

}  // namespace mct::cuda::testing
