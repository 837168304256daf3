// Exact sums of rows on a simulated device: the bits of the library's.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "cuda/distributed/exact_row_sums.hpp"
#include "mctensor/distributed/exact_sum.hpp"
#include "tests/cuda/simulator/simulate.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {
namespace {

using distributed::exact_sum;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Sums {
  std::vector<double> values;
  std::vector<std::uint8_t> left;
};

/// Sums of rows of x, or of products with y if that is not empty.
Sums sums_of(SumResult result, const std::vector<double>& x, const std::vector<double>& y,
             std::int64_t rows, std::int64_t piece = 0) {
  const std::int64_t length = std::int64_t(x.size()) / rows;
  DeviceSums of{x.data(),
                y.empty() ? nullptr : y.data(),
                rows,
                length,
                piece ? piece : length,
                result,
                double(length),
                nullptr,
                nullptr};
  const auto count = std::size_t(rows * ExactRowSums{of}.pieces());
  Sums sums{std::vector<double>(count * (result == SumResult::levels ? 3 : 1), 7.0),
            std::vector<std::uint8_t>(count, 7)};
  of.out = sums.values.data();
  of.left = sums.left.data();
  GlobalMemory memory;
  memory.add(x).add_output(sums.values).add_output(sums.left);
  if (!y.empty()) memory.add(y);
  simulate(ExactRowSums{of}, blocks_for(std::int64_t(count), ExactRowSums::warps), memory, {2});
  return sums;
}

/// Numbers of exponents far apart, of which half cancel others but for a last bit.
std::vector<double> numbers(std::int64_t count, int seed, int spread = 61) {
  std::vector<double> x;
  for (std::int64_t i = 0; i < count; ++i) {
    const double a =
        std::ldexp(std::sin(double(i * i % 1009 + seed)), int(i * 7 % spread) - spread / 2);
    x.push_back(i % 2 == 0 ? a : -x.back() * (1 + 0x1p-52));
  }
  return x;
}
Tensor<double> rows_of(const std::vector<double>& x, std::int64_t rows) {
  return Tensor<double>::from_values(x, {rows, std::int64_t(x.size()) / rows});
}
void expect_bits(const Tensor<double>& expected, const Sums& found, const std::string& what) {
  ASSERT_EQ(expected.numel(), std::int64_t(found.values.size()));
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    EXPECT_EQ(found.left[i], 0) << what << ", " << i;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(found.values[i]),
              std::bit_cast<std::uint64_t>(expected.data()[i]))
        << what << ", " << i << ": " << found.values[i] << " and " << expected.data()[i];
  }
}

TEST(CudaExactSums, SumsAndMeansAreTheLibrarys) {
  for (const std::int64_t length : {1, 2, 31, 32, 33, 300}) {
    const auto x = numbers(5 * length, int(length));
    const std::string what = std::to_string(length);
    expect_bits(exact_sum(rows_of(x, 5)), sums_of(SumResult::nearest, x, {}, 5), what);
    const auto pairs = exact_sum<2>(rows_of(x, 5));
    auto means = exact_sum(rows_of(x, 5));
    for (int i = 0; i < 5; ++i)
      means.data()[i] =
          (f64x2::from_limbs(pairs.data(0)[i], pairs.data(1)[i]) / f64x2(double(length))).limb[0];
    expect_bits(means, sums_of(SumResult::mean, x, {}, 5), what + " mean");
  }
}

TEST(CudaExactSums, ProductsAreExact) {
  const auto x = numbers(3 * 70, 1, 21);
  const auto y = numbers(3 * 70, 9, 21);
  std::vector<double> terms;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto product = two_prod(x[i], y[i]);
    terms.insert(terms.end(), {product.hi, product.lo});
  }
  expect_bits(exact_sum(rows_of(terms, 3)), sums_of(SumResult::nearest, x, y, 3), "products");
}

TEST(CudaExactSums, PiecesAreSummedOnceMore) {
  const auto x = numbers(3 * 1000, 4);
  const Sums pieces = sums_of(SumResult::levels, x, {}, 3, 64);
  EXPECT_EQ(pieces.left, std::vector<std::uint8_t>(3 * 16, 0));
  expect_bits(exact_sum(rows_of(x, 3)), sums_of(SumResult::nearest, pieces.values, {}, 3),
              "pieces");
}

/// A tie of floats but for a bit that the nearest double has lost.
TEST(CudaExactSums, RoundedToOddIsRoundedOnce) {
  const std::vector<double> x{1, 0x1p-24, 0x1p-90};
  EXPECT_EQ(float(sums_of(SumResult::nearest, x, {}, 1).values[0]), 1.0F);
  EXPECT_EQ(float(sums_of(SumResult::to_odd, x, {}, 1).values[0]), 1 + 0x1p-23F);
  const std::vector<double> y{3, 0x1p-23, 0x1p-90};  // 3 + 2^-23, divided by 3, is above a tie
  EXPECT_EQ(float(sums_of(SumResult::mean_to_odd, y, {}, 1).values[0]), float(1 + 0x1p-23 / 3));
}

TEST(CudaExactSums, SignsOfZero) {
  const auto sign = [](const std::vector<double>& x, const std::vector<double>& y = {}) {
    return std::signbit(sums_of(SumResult::nearest, x, y, 1).values[0]);
  };
  EXPECT_TRUE(sign({-0.0, -0.0}));
  EXPECT_FALSE(sign({-0.0, 0.0}));
  EXPECT_FALSE(sign({1.0, -1.0}));
  EXPECT_TRUE(sign({-0.0, 0.0}, {1.0, -2.0}));
  const std::vector<double> zeros(130, -0.0);
  const Sums pieces = sums_of(SumResult::levels, zeros, {}, 1, 33);
  EXPECT_TRUE(sign(pieces.values));
}

TEST(CudaExactSums, MarksWhatThreeDoublesDoNotHold) {
  const std::vector<std::vector<double>> rows = {
      {1, nan}, {1, infinity}, {1e308, 1e308}, {infinity, -infinity}};
  for (const auto& x : rows) EXPECT_EQ(sums_of(SumResult::nearest, x, {}, 1).left[0], 1) << x[1];
  const std::vector<double> wide{1e300, 1e200, 1e100, 1};
  EXPECT_EQ(sums_of(SumResult::nearest, wide, {}, 1).left[0], 1);
  EXPECT_EQ(sums_of(SumResult::levels, wide, {}, 1).left[0], 1);
  EXPECT_EQ(sums_of(SumResult::nearest, {1e300, 1e200, 1e100}, {}, 1).left[0], 0);
  EXPECT_EQ(sums_of(SumResult::nearest, {1e200, 1}, {1e200, 1}, 1).left[0], 1);
}

TEST(CudaExactSums, RefusesPiecesOfRoundedRows) {
  double x[4]{};
  std::uint8_t left[4]{};
  const DeviceSums of{x, nullptr, 1, 4, 2, SumResult::nearest, 4, x, left};
  EXPECT_EQ(mct::testing::message_of<DomainError>([&] { start_exact_sums(of, default_stream()); }),
            "exact sums: rows of 4 numbers in pieces of 2; both must be at least 1, and a piece "
            "must be a whole row unless the result is levels");
}

}  // namespace
}  // namespace mct::cuda
