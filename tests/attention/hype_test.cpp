// HyPE: products against the bias in more components, ranges, gradients, ALiBi, bfloat16.
#include "mctensor/attention/hype.hpp"

#include "mctensor/linalg/all.hpp"
#include "tests/autograd/gradients.hpp"
#include "tests/message_of.hpp"

namespace mct::test {
namespace {

using attention::hype_bias;
using attention::hype_features;
using attention::hype_key;
using attention::hype_query;

Tensor<double> places(std::int64_t length, double first = 0) {
  auto x = Tensor<double>::uninitialized({length});
  for (std::int64_t i = 0; i < length; ++i) x.data()[i] = first + double(i);
  return x;
}

template <class T, int N>
Tensor<T, N> number(double x) {
  return convert<T, N>(Tensor<double>::scalar(x));
}

Tensor<double> numbers(const std::vector<double>& x) { return Tensor<double>::from_values(x); }

/// The bias times sqrt(d), in f64x4 and from sinh.
Tensor<double, 4> exact_bias(const Tensor<double>& q, const Tensor<double>& k,
                             const Tensor<double, 4>& mu, const Tensor<double, 4>& tau, double d) {
  const auto apart = with_components<4>(k.unsqueeze(0) - q.unsqueeze(1));
  return tau * sinh(mu * apart) * sqrt(Tensor<double, 4>::scalar(f64x4(d)));
}

/// The largest error of columns' products, in units of u^N |tau| sqrt(d) cosh(mu (k - q)), less
/// that of a product of two.
template <class T, int N>
double worst_error(double slope, double amplitude, double d, double first) {
  const auto mu = number<T, N>(slope);
  const auto tau = number<T, N>(amplitude);
  const auto at = places(41, first);
  const auto [query, key] = hype_features(at, mu, tau, std::int64_t(d));
  // products as exact as f64x4 has them: what remains is the columns'
  const auto product = matmul(convert<double, 4>(query), convert<double, 4>(key).t());
  const auto wide_mu = convert<double, 4>(mu);
  const auto wide_tau = convert<double, 4>(tau);
  const auto error = abs(product - exact_bias(at, at, wide_mu, wide_tau, d));
  const auto apart = with_components<4>(at.unsqueeze(0) - at.unsqueeze(1));
  const auto size = abs(wide_tau) * cosh(wide_mu * apart) * std::sqrt(d);
  return convert<double, 1>(max(error / size)).item() * std::pow(2.0, N * FloatTraits<T>::p);
}

TEST(Hype, ColumnsGiveTheBias) {
  for (const double slope : {0.0243, -0.02, 1e-5, 0.0})
    for (const double amplitude : {1.0, -37.3, 1e-4}) {
      EXPECT_LT((worst_error<float, 1>(slope, amplitude, 64, 0)), 2.2) << slope;
      EXPECT_LT((worst_error<double, 1>(slope, amplitude, 3, -20)), 2.2) << slope;
      EXPECT_LT((worst_error<double, 2>(slope, amplitude, 80, 0)), 2.2) << slope;
      EXPECT_LT((worst_error<bfloat16, 2>(slope, amplitude, 64, 0)), 2.2) << slope;
    }
}

TEST(Hype, ScoresAreThoseOfAttentionWithTheBias) {
  const auto at = places(30);
  const auto mu = number<float, 1>(0.03);
  const auto tau = number<float, 1>(2.5);
  const auto q = randn<float>({30, 16}, 1);
  const auto k = randn<float>({30, 16}, 2);
  const auto [query, key] = hype_features(at, mu, tau, 16);
  const auto scores = matmul(cat<float, 1>({q, query}, -1), cat<float, 1>({k, key}, -1).t());
  const auto wide = [](const Tensor<float>& x) { return convert<double, 1>(x); };
  const auto exact =
      matmul(wide(q), wide(k).t()) +
      convert<double, 1>(exact_bias(at, at, convert<double, 4>(mu), convert<double, 4>(tau), 16));
  const auto size = matmul(wide(abs(q)), wide(abs(k)).t()) + 2.5 * 4 * std::cosh(0.9);
  const double u = 0x1p-24;
  EXPECT_LT(max(abs(wide(scores) - exact) / size).item(), (product_bound<float, 1>(18) + 2.2) * u);
}

TEST(Hype, CoordinatesHeadsAndCopies) {
  const auto at = randn<double>({12, 3}, 3) * 4.0;
  const auto keys = randn<double>({7, 3}, 4) * 4.0;
  const auto mu = numbers({0.03, 0.01, -0.02, 0.001, 0.04, 0.05}).reshape({2, 3});  // two heads
  const auto tau = numbers({1.0, 2.0, 3.0});
  const auto bias = hype_bias(at, keys, mu, tau);
  EXPECT_EQ(bias.shape(), (Shape{2, 12, 7}));
  double expected = 0;
  for (std::int64_t c = 0; c < 3; ++c)
    expected += tau.at({c}) * std::sinh(mu.at({1, c}) * (keys.at({5, c}) - at.at({2, c})));
  EXPECT_NEAR(bias.at({1, 2, 5}), expected, 1e-15);
  for (const int copies : {1, 3}) {
    const auto query = hype_query(at, mu, tau, 5, copies);
    const auto key = hype_key(keys, mu, copies);
    EXPECT_EQ(query.shape(), (Shape{2, 12, 6 * copies}));
    const auto product = matmul(query, key.t());
    EXPECT_LT(max(abs(product - bias * std::sqrt(5.0))).item(), 1e-13) << copies;
  }
}

TEST(Hype, AttentionIsThatWithTheBias) {
  const auto input_of = [](const Shape& shape, std::uint64_t seed) {
    return Variable<double>(randn<double>(shape, seed));
  };
  const auto q = input_of({2, 3, 9, 4}, 1);
  const auto k = input_of({2, 3, 9, 4}, 2);
  const auto v = input_of({2, 3, 9, 5}, 3);
  const auto mu = numbers({0.1, 0.05, 0.01});
  const auto tau = numbers({1.0, 5.0, -2.0});
  const auto hidden = nn::causal_mask(9, 9);
  const auto out =
      attention::hype_attention(q, k, v, places(9), places(9), mu, tau, hidden).value();
  const auto bias = hype_bias(places(9), places(9), mu, tau);
  const auto scores = matmul(q.value(), k.value().t()) * 0.5 + bias;
  const auto weights = softmax(Variable<double>(where(hidden, -1e300, scores)), -1);
  EXPECT_LT(max(abs(out - matmul(weights, v).value())).item(), 1e-14);
  nn::AttentionMask causal;
  causal.causal = true;
  const auto streamed =
      attention::hype_attention(q, k, v, places(9), places(9), mu, tau, causal).value();
  EXPECT_EQ(max(abs(streamed - out)).item(), 0);
  // of several components it is computed with all weights
  const auto wide = [](const auto& x) { return convert<double, 2>(x); };
  const auto exact = attention::hype_attention(wide(q), wide(k), wide(v), places(9), places(9),
                                               wide(mu), wide(tau), causal);
  EXPECT_LT(max(abs(convert<double, 1>(exact.value()) - out)).item(), 1e-14);
}

TEST(Hype, ApproachesAlibi) {
  const auto mu = number<double, 1>(1e-3);
  const auto bias = hype_bias(places(999), places(999), mu, number<double, 1>(1));
  EXPECT_LT(bias.at({500, 100}), 0);  // what lies before is farther, and less
  for (const std::int64_t j : {0, 1, 400, 899, 990}) {
    const double x = 1e-3 * double(998 - j);
    const double excess = -x - bias.at({998, j});
    EXPECT_LE(std::fabs(excess), 0.176 * x * x * x) << j;
    EXPECT_GE(std::fabs(excess), 0.166 * x * x * x - 1e-16) << j;
  }
}

TEST(Hype, GradientsOfSlopeAndAmplitude) {
  const auto at = randn<double>({5, 2}, 7) * 2.0;
  const auto mu = input({3, 1, 2}, 1, 0, 0.125);
  const auto tau = input({2}, 2);
  const auto product = [&](const V2& m, const V2& t) {
    const auto features = hype_features(at, m, t, 6, 2);
    return matmul(features.query, features.key.t());
  };
  EXPECT_TRUE(gradients_agree(product, mu, tau));
  const auto line = [](const V2& m, const V2& t) { return hype_query(places(4), m, t, 3); };
  EXPECT_TRUE(gradients_agree(line, input({}, 1, 0, 0.125), input({4}, 2)));
  const Variable<float> amplitude(Tensor<float>::scalar(0), true);  // gradients at 0 too
  sum(hype_query(places(3), number<float, 1>(0.25), amplitude, 4)).backward();
  EXPECT_NEAR(amplitude.grad().item(), 2 + 2 * std::cosh(0.25) + 2 * std::cosh(0.5), 1e-5);
}

TEST(Hype, RefusesWhatIsOutOfRange) {
  using testing::message_of;
  const auto tau = number<double, 1>(1);
  const auto query = [&](const Tensor<double>& at, double mu, std::int64_t d = 4, int copies = 1) {
    hype_query(at, number<double, 1>(mu), tau, d, copies);
  };
  EXPECT_NO_THROW(query(places(100), 0.00999));
  EXPECT_NO_THROW(query(places(101, -50), 0.0196));
  for (const double mu : {0.01, -0.01, 1.0, std::nan(""), HUGE_VAL})
    EXPECT_NE(message_of<DomainError>([&] { query(places(100), mu); }).find("1/L"),
              std::string::npos)
        << mu;
  const auto text = message_of<DomainError>([&] { query(places(1000), 0.5); });
  EXPECT_EQ(text, "hype_query: mu = 0.5 is not below 1/L = 0.001 for positions up to 999");
  EXPECT_THROW(query(places(3) * HUGE_VAL, 1e-9), DomainError);
  EXPECT_THROW(query(places(3), 0.1, 0), DomainError);
  EXPECT_THROW(query(places(3), 0.1, 4, 0), DomainError);
  EXPECT_THROW(query(zeros<double>({2, 2, 2}), 0.1), ShapeError);
  EXPECT_THROW(query(zeros<double>({4, 2}), 0.1), ShapeError);
  const auto two = numbers({0.1, 0.1});
  EXPECT_THROW(hype_query(zeros<double>({4, 2}), two, numbers({1.0, 1.0, 1.0}), 4), ShapeError);
  EXPECT_THROW(hype_bias(zeros<double>({4, 2}), places(3), two, two), ShapeError);
}

TEST(ComponentColumns, GiveTheProductOfExpansions) {
  const auto x = convert<bfloat16, 3>(randn<double>({6, 5}, 1));
  const auto y = convert<bfloat16, 3>(randn<double>({4, 5}, 2));
  const auto wide = [](const auto& z) { return convert<double, 1>(z); };
  const auto left = attention::left_columns(x);
  EXPECT_EQ(left.shape(), (Shape{6, 30}));
  const auto product = matmul(wide(left), wide(attention::right_columns(y)).t());
  const auto exact = matmul(wide(x), wide(y).t());
  const auto size = matmul(wide(abs(x)), wide(abs(y)).t());
  EXPECT_LT(max(abs(product - exact) / size).item(), 4 * 0x1p-24);
  EXPECT_GT(max(abs(product - exact)).item(), 0);
  EXPECT_THROW(attention::left_columns(number<bfloat16, 2>(1)), ShapeError);
}

}  // namespace
}  // namespace mct::test
