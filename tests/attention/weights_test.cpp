// The exponentials of attention: one query, two keys with the scores 0 and s, so that the weight of
// the second is e^s / (1 + e^s), and e^s where that vanishes beside 1.
#include <gtest/gtest.h>

#include <cmath>

#include "mctensor/attention/streaming.hpp"
#include "mctensor/expansion/convert.hpp"
#include "mctensor/math/all.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/elementwise.hpp"

namespace mct::attention {
namespace {

/// Weights of the second key for the scores s (n, 1).
template <class T, int N>
Tensor<T, N> weights(const Tensor<T, N>& s) {
  const Tensor<T, N> first(Shape{2, 1}), second(Shape{2, 1});
  first.set({1, 0}, T(1));
  second.set({1, 0}, T(1));
  return attend(Score::dot_product, Operands<T, N>{s, {}, first, {}, second}, Mask<T, N>()).values;
}

/// The largest error of weights for s in [low, high], in units of u^N of the weight.
template <class T, int N, class Exact>
double worst_error(double low, double high, const Exact& exact) {
  const auto s = (rand<T, N>({4000, 1}, 3) * T(high - low) + T(low)).contiguous();
  const auto w = weights(s);
  double worst = 0;
  for (std::int64_t i = 0; i < s.numel(); ++i) {
    const auto truth = exact(s.at({i, 0}));
    using Truth = std::remove_cvref_t<decltype(truth)>;
    const double error = std::abs(double((Truth(w.at({i, 0})) - truth) / truth)) /
                         std::pow(double(std::numeric_limits<T>::epsilon()) / 2, N);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

TEST(Weights, AreExponentialsToTwoUnitsInTheLastPlace) {
  const auto weight = [](const auto& s) {
    const f64x2 e = exp(f64x2(double(s)));
    return f64x2(e / (e + 1.0));
  };
  // 1.5 ulp are 3 u at most; the sum and the quotient add 1 u each
  EXPECT_LE((worst_error<float, 1>(-87, -20, weight)), 3);
  EXPECT_LE((worst_error<float, 1>(-20, 0, weight)), 5);
  EXPECT_LE((worst_error<double, 1>(-708, -40, weight)), 3);
  EXPECT_LE((worst_error<double, 1>(-40, 0, weight)), 5);
  const auto long_weight = [](const f64x2& s) {
    const f64x4 e = exp(f64x4(s));
    return f64x4(e / (e + f64x4(1.0)));
  };
  EXPECT_LE((worst_error<double, 2>(-599, 0, long_weight)), 12);
}

TEST(Weights, FadeToZero) {
  const auto last = [](auto s) {
    using T = decltype(s);
    return double(weights<T, 1>(Tensor<T>::from_values({s}, {1, 1})).at({0, 0}));
  };
  EXPECT_GT(last(-87.0f), 0);
  EXPECT_EQ(last(-87.4f), 0);
  EXPECT_GT(last(-708.0), 0);
  EXPECT_EQ(last(-709.0), 0);
  EXPECT_TRUE(std::isnan(last(std::nan(""))));
  const auto long_last = [](double s) {
    return double(weights<double, 2>(full<double, 2>({1, 1}, f64x2(s))).at({0, 0}));
  };
  EXPECT_GT(long_last(-599), 0);
  EXPECT_EQ(long_last(-601), 0);
}

}  // namespace
}  // namespace mct::attention
