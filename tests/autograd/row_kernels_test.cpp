// Softmax, its logarithm and the gradients of both and of GELU by the compiled kernels: against
// sums of two doubles, row by row, for every instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mctensor/autograd/kernels.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/expansion/convert.hpp"
#include "mctensor/math/all.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/isa.hpp"

namespace mct::autograd_detail {
namespace {

using Row = std::vector<f64x2>;

template <class T>
Row row_of(const Tensor<T>& x) {
  Row all;
  for (const T each : x.values()) all.emplace_back(double(each));
  return all;
}

/// Runs the test's body under each instruction set, then goes back.
template <class F>
void under_each_isa(const F& f) {
  const Isa before = active_isa();
  for (const Isa isa : available_isas()) {
    set_active_isa(isa);
    f(isa);
  }
  set_active_isa(before);
}

/// x is rounded from the truth, up to `slack`: half an ulp of T more or less. Subnormal numbers of
/// T have the spacing of the smallest normal one.
template <class T>
void expect_rounded(const Tensor<T>& x, const Row& truth, const Row& slack, const char* what) {
  const auto values = x.values();
  ASSERT_EQ(values.size(), truth.size());
  const double u = std::pow(2.0, -FloatTraits<T>::p);
  const double least = std::pow(2.0, FloatTraits<T>::emin);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double error = std::abs(double(f64x2(double(values[i])) - truth[i]));
    const double allowed = std::max(u * std::abs(double(truth[i])), least) + double(slack[i]);
    EXPECT_LE(error, allowed) << what << " of " << truth.size() << " numbers, at " << i;
  }
}

/// Rounding errors of double, or of exponentials to 2^-40, beside the last rounding: `size` numbers
/// of the size of 1 add up.
template <class T>
double unit(std::int64_t size) {
  return std::is_same_v<T, double> ? 0x1p-53 * double(size / 8 + 12) : 0x1p-38;
}

template <class T>
void check_softmax(std::int64_t n) {
  const auto x = convert<T, 1>(randn<double>({n}, std::uint64_t(n)) * 3.0);
  const auto g = convert<T, 1>(randn<double>({n}, 7));
  Row powers;
  f64x2 total(0);
  const Row in = row_of(x), d = row_of(g);
  for (const f64x2& each : in) {
    powers.push_back(exp(each));
    total = total + powers.back();
  }
  Row probabilities, logs, slack, log_slack;
  for (std::size_t i = 0; i < in.size(); ++i) {
    probabilities.push_back(powers[i] / total);
    logs.push_back(in[i] - log(total));
    slack.push_back(f64x2(unit<T>(n)) * probabilities[i]);
    log_slack.push_back(f64x2(unit<T>(n) * 20));
  }
  const auto r = softmax_rows(x), l = log_softmax_rows(x);
  expect_rounded(r, probabilities, slack, "softmax");
  expect_rounded(l, logs, log_slack, "log_softmax");
  // gradients of the results as they are
  const Row p = row_of(r), q = row_of(l);
  f64x2 mean(0), sum(0), size(0);
  for (std::size_t i = 0; i < p.size(); ++i) {
    mean = mean + p[i] * d[i];
    sum = sum + d[i];
    size = size + abs(d[i]);
  }
  Row by_softmax, by_log, slack_of_softmax, slack_of_log;
  for (std::size_t i = 0; i < p.size(); ++i) {
    by_softmax.push_back(p[i] * (d[i] - mean));
    by_log.push_back(d[i] - exp(q[i]) * sum);
    slack_of_softmax.push_back(p[i] * 4.0 * unit<T>(n));
    slack_of_log.push_back((exp(q[i]) * size + abs(d[i])) * unit<T>(n));
  }
  expect_rounded(softmax_rows_backward(r, g), by_softmax, slack_of_softmax, "softmax backward");
  expect_rounded(log_softmax_rows_backward(l, g), by_log, slack_of_log, "log_softmax backward");
}

template <class T>
void check_gelu(std::int64_t n) {
  const auto x = convert<T, 1>(randn<double>({n}, std::uint64_t(n)) * 3.0);
  const auto g = convert<T, 1>(randn<double>({n}, 7));
  const auto r = gelu(x);
  const Row in = row_of(x), out = row_of(r), d = row_of(g);
  Row slopes, slack;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const f64x2 density = exp(in[i] * in[i] * -0.5) * 0.3989422804014326779;
    const f64x2 first = out[i] / in[i], second = in[i] * density;
    slopes.push_back(d[i] * (first + second));
    // the argument of the exponential is rounded
    slack.push_back(abs(d[i]) * (abs(first) + abs(second) * (1.0 + in[i] * in[i])) * unit<T>(0));
  }
  expect_rounded(gelu_backward(x, r, g), slopes, slack, "gelu backward");
}

TEST(RowKernels, RoundOnce) {
  under_each_isa([](Isa) {
    const auto check = []<class T>(T) {
      for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 100, 1031}) {
        check_softmax<T>(n);
        check_gelu<T>(n);
      }
    };
    check(double());
    check(float());
    check(half());
    check(bfloat16());
  });
}

/// All results for one row, one after the other.
template <class T>
std::vector<double> all_results(std::int64_t n) {
  const auto x = convert<T, 1>(randn<double>({n}, 1) * 3.0);
  const auto g = convert<T, 1>(randn<double>({n}, 2));
  const auto r = softmax_rows(x), l = log_softmax_rows(x);
  // GELU's own bits are another test's business
  const auto z = convert<T, 1>(convert<double, 1>(x) * 0.75);
  std::vector<double> all;
  for (const auto& each :
       {r, l, softmax_rows_backward(r, g), log_softmax_rows_backward(l, g), gelu_backward(x, z, g)})
    for (const T v : each.values()) all.push_back(double(v));
  return all;
}

TEST(RowKernels, InstructionSetsWithFmaHaveTheSameBits) {
  for (const std::int64_t n : {1, 5, 8, 21, 1000}) {
    std::vector<std::vector<double>> of_double, of_float, of_half;
    under_each_isa([&](Isa isa) {
      if (isa == Isa::baseline) return;
      of_double.push_back(all_results<double>(n));
      of_float.push_back(all_results<float>(n));
      of_half.push_back(all_results<half>(n));
    });
    for (std::size_t k = 1; k < of_double.size(); ++k) {
      EXPECT_EQ(of_double[0], of_double[k]);
      EXPECT_EQ(of_float[0], of_float[k]);
      EXPECT_EQ(of_half[0], of_half[k]);
    }
  }
}

template <class T>
Tensor<T> row(const std::vector<double>& x) {
  Tensor<T> out({std::int64_t(x.size())});
  for (std::size_t i = 0; i < x.size(); ++i) out.data()[i] = T(x[i]);
  return out;
}
template <class T>
std::vector<double> list(const Tensor<T>& x) {
  std::vector<double> all;
  for (const T each : x.values()) all.push_back(double(each));
  return all;
}

TEST(RowKernels, SpecialValues) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::nan("");
  const auto check = [&]<class T>(T) {
    using List = std::vector<double>;
    EXPECT_EQ(list(softmax_rows(row<T>({-infinity, 3, -infinity}))), (List{0, 1, 0}));
    EXPECT_EQ(list(log_softmax_rows(row<T>({-infinity, 3}))), (List{-infinity, 0}));
    for (const auto& x :
         {List{1, nan, 2, 3, 4, 5, 6, 7, 8}, List{-infinity, -infinity}, List{infinity, 1}})
      for (const auto& y : {softmax_rows(row<T>(x)), log_softmax_rows(row<T>(x))})
        EXPECT_TRUE(std::isnan(list(y)[1])) << x[0];
    // slopes of GELU: 1 and 0 far out, 1/2 at 0 and where the result may be subnormal
    const double tiny = std::pow(2.0, FloatTraits<T>::emin);
    const auto x = row<T>({infinity, -infinity, 0, tiny, -tiny, 20, -50, nan});
    const auto slopes = list(gelu_backward(x, gelu(x), row<T>({2, 2, 2, 2, 2, 2, 2, 2})));
    EXPECT_EQ((List{slopes.begin(), slopes.end() - 1}), (List{2, 0, 1, 1, 1, 2, slopes[6]}));
    EXPECT_LE(std::abs(slopes[6]), std::pow(2.0, FloatTraits<T>::emin));
    EXPECT_TRUE(std::isnan(slopes[7]));
  };
  under_each_isa([&](Isa) {
    check(double());
    check(float());
    check(half());
    check(bfloat16());
  });
  EXPECT_EQ(softmax_rows(Tensor<float>({3, 0})).numel(), 0);
}

}  // namespace
}  // namespace mct::autograd_detail
