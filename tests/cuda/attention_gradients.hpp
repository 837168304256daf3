// Gradients of attention of a simulated GPU against those of attention with all its weights in
// double.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tests/attention/by_the_book.hpp"
#include "tests/cuda/attention.hpp"

namespace mct::cuda::testing {

using attention::Mask;
using attention::Score;

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

template <class S, int D, class T, bool Biased = false>
DeviceGradients<T> gradients(const Operands& of, const Tensor<float>& gradient,
                             const Mask<float>& mask, const Simulation& how) {
  DeviceOperands<T> device(of, how);
  const auto result = attend<S, D, T, Biased>(device, mask, how);
  return attend_backward<S, D, T, Biased>(device, result, gradient, mask, how);
}

/// Errors in units of 2^-8, or of 2^-16 for float: gradients of values are sums with rounded
/// weights; those of vectors have rounded gradients of scores as well, and a mean from a rounded
/// result; of numbers, slopes are up
/// to r / height = 30, and the sums small beside their terms. Where keys are near queries and the
/// score has a kink there, what 24 bits leave of differences counts: a distance 10^-4 of the
/// length, and 2^-24 / 10^-4 = 40 2^-16.
struct AllowedGradients {
  double values, vectors, numbers;
};

template <class S, int D, class T, bool Biased = false>
void test_gradients_of(Score score, std::int64_t queries, std::int64_t keys,
                       const Mask<float>& mask, const AllowedGradients& allowed,
                       std::uint64_t seed) {
  constexpr TensorCore models[] = {TensorCore::hopper, TensorCore::ampere, TensorCore::rounded};
  const double unit = parts_of<T> == 1 ? 0x1p-8 : 0x1p-16;
  const auto of = operands<T>(score, queries, keys, D, D, seed);
  const auto gradient = rounded(mct::randn<float, 1>({2, queries, D}, seed + 77), parts_of<T>);
  const auto got =
      gradients<S, D, T, Biased>(of, gradient, mask, {unsigned(seed), models[seed % 3]});
  for (std::int64_t group = 0; group < 2; ++group) {
    const auto want =
        mct::testing::attend_by_the_book<double>(score, group_of(of, group), group_of(mask, group),
                                                 Tensor<float>(gradient.select(0, group)));
    const std::string what = mct::testing::name_of(score) + ", seed " + std::to_string(seed);
    EXPECT_LE(error_of(got.v, want.v, group), allowed.values * unit) << what;
    EXPECT_LE(error_of(got.x, want.x, group), allowed.vectors * unit) << what;
    EXPECT_LE(error_of(got.y, want.y, group), allowed.vectors * unit) << what;
    EXPECT_LE(error_of(got.a, want.a, group), allowed.numbers * unit) << what;
    EXPECT_LE(error_of(got.b, want.b, group), allowed.numbers * unit) << what;
  }
}

template <int D, class T, bool Biased = false>
void test_gradients(std::int64_t queries, std::int64_t keys, const Mask<float>& mask,
                    const AllowedGradients& allowed, std::uint64_t seed) {
  for (const Score score : mct::testing::scores) {
    ++seed;
    mct::attention::with_score(score, [&](auto which) {
      using S = decltype(which);
      if (has_programs<S, D, T>())
        test_gradients_of<S, D, T, Biased>(score, queries, keys, mask, allowed, seed);
    });
  }
}

}  // namespace mct::cuda::testing
