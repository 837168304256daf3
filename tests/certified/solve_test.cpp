// Solutions of linear equations, and sums, lie within their radius of the exact ones.
#include "mctensor/certified/solve.hpp"

#include "mctensor/error.hpp"
#include "tests/certified/enclosures.hpp"

namespace mct::certified_test {
namespace {

template <class X>
class CertifiedSolveTest : public ::testing::Test {};
using SolveTypes = ::testing::Types<Tensor<double, 1>, Tensor<double, 2>, Tensor<double, 3>>;
TYPED_TEST_SUITE(CertifiedSolveTest, SolveTypes);

/// The solution in 2200 bits, by elimination with pivots.
template <int N>
std::vector<Truth> exact_solution(const Tensor<double, N>& a, const Tensor<double, N>& b) {
  const std::int64_t n = a.size(0);
  std::vector<std::vector<Truth>> rows;
  for (std::int64_t i = 0; i < n; ++i) {
    rows.emplace_back();
    for (std::int64_t j = 0; j < n; ++j) rows.back().emplace_back(a.at({i, j}));
    rows.back().emplace_back(b.at({i}));
  }
  const auto size = std::size_t(n);
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < size; ++i)
      if (abs(rows[i][k]) > abs(rows[pivot][k])) pivot = i;
    std::swap(rows[k], rows[pivot]);
    for (std::size_t i = 0; i < size; ++i) {
      if (i == k) continue;
      const Truth factor = rows[i][k] / rows[k][k];
      for (std::size_t j = k; j <= size; ++j) rows[i][j] = rows[i][j] - factor * rows[k][j];
    }
  }
  std::vector<Truth> x;
  for (std::size_t i = 0; i < size; ++i) x.push_back(rows[i][size] / rows[i][i]);
  return x;
}

/// Checks the enclosures, and returns the largest radius in u^N of the largest |x_i|.
template <int N>
double expect_enclosed(const Tensor<double, N>& a, const Tensor<double, N>& b) {
  const auto x = solve_certified(a, b);
  const auto exact = exact_solution(a, b);
  double largest = 0, radius = 0;
  for (std::int64_t i = 0; i < a.size(0); ++i) {
    const Truth& truth = exact[std::size_t(i)];
    EXPECT_LE(double(abs(truth - Truth(x.value.at({i})))), x.radius(i)) << i;
    largest = std::max(largest, std::fabs(double(truth)));
    radius = std::max(radius, x.radius(i));
  }
  return radius / largest * std::ldexp(1.0, 53 * N);
}

/// 1 / (i + j + 1), rounded: the condition number grows by the factor 30 with each row.
template <int N>
Tensor<double, N> hilbert(std::int64_t n) {
  std::vector<typename Tensor<double, N>::Value> all;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      if constexpr (N == 1) {
        all.push_back(1 / double(i + j + 1));
      } else {
        all.push_back(Expansion<double, N>(1.0) / double(i + j + 1));
      }
    }
  return Tensor<double, N>::from_values(all, {n, n});
}

TYPED_TEST(CertifiedSolveTest, EncloseTheSolution) {
  constexpr int N = TypeParam::nc();
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const std::int64_t n = 2 + std::int64_t(seed) * 3;
    const auto a = randn<double, N>({n, n}, seed), b = randn<double, N>({n}, seed + 100);
    const double radius = expect_enclosed(a, b);
    // a solution of several components is right to about 2 u^N; of doubles it has the error of LU
    EXPECT_LT(radius, N == 1 ? 1e4 : 8) << n;
  }
  for (const std::int64_t n : {4, 8, 11}) {
    const auto b = randn<double, N>({n}, 7);
    const double radius = expect_enclosed(hilbert<N>(n), b);
    // the residual's bound counts, times the condition number (1e14 for 11 rows)
    EXPECT_LT(radius, N == 1 ? 1e16 : n < 11 ? 8 : 512) << n;
  }
}

TYPED_TEST(CertifiedSolveTest, TakeSeveralRightSidesAndEveryLayout) {
  constexpr int N = TypeParam::nc();
  const auto a = randn<double, N>({5, 5}, 1), b = randn<double, N>({3, 5}, 2).t();
  const auto all = solve_certified(a, b);
  ASSERT_EQ(all.radius.shape(), (Shape{5, 3}));
  for (std::int64_t j = 0; j < 3; ++j) {
    const auto exact = exact_solution(a, Tensor<double, N>(b.select(1, j)));
    for (std::int64_t i = 0; i < 5; ++i)
      EXPECT_LE(double(abs(exact[std::size_t(i)] - Truth(all.value.at({i, j})))), all.radius(i, j));
  }
}

TYPED_TEST(CertifiedSolveTest, SayWhereNothingIsKnown) {
  constexpr int N = TypeParam::nc();
  const double bound = std::numeric_limits<double>::infinity();
  if constexpr (N > 1) {
    // condition 1e36: the solution is right, but an inverse in N components does not prove it
    const auto x =
        solve_certified(hilbert<N>(N == 2 ? 25 : 36), randn<double, N>({N == 2 ? 25 : 36}, 3));
    EXPECT_EQ(x.radius(0), bound);
  } else {
    // singular, but LU in double does not notice it
    const auto a =
        Tensor<double>::from_values({0.1, 0.2, 0.3, 0.2, 0.4, 0.6, 0.3, 0.6, 0.9}, {3, 3});
    try {
      EXPECT_EQ(solve_certified(a, randn<double>({3}, 3)).radius(0), bound);
    } catch (const SingularError&) {
    }
  }
  // the inverse's row in the middle overflows, so that the other rows are not certain either
  auto tiny = eye<double, N>(3);
  tiny.plane(0).data()[4] = 0x1p-1073;
  auto right = full<double, N>({3}, typename TypeParam::Value(1.0));
  right.plane(0).data()[1] = 0x1p-1073;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(solve_certified(tiny, right).radius(i), bound) << i;
  const auto a = randn<double, N>({2, 3, 3}, 1);
  EXPECT_THROW(solve_certified(a, a), ShapeError);
  EXPECT_EQ(solve_certified(randn<double, N>({0, 0}, 1), randn<double, N>({0}, 1)).radius.numel(),
            0);
}

TYPED_TEST(CertifiedSolveTest, EncloseSums) {
  constexpr int N = TypeParam::nc();
  for (const std::int64_t n : {0, 1, 7, 1000}) {
    const auto x = randn<double, N>({n}, 5);
    const auto s = sum_certified(x);
    Truth exact(0.0);
    for (std::int64_t i = 0; i < n; ++i) exact = exact + Truth(x.at({i}));
    EXPECT_LE(double(abs(exact - Truth(s.value.item()))), s.radius.item()) << n;
    EXPECT_LE(s.radius.item(), 1e3 * (double(n) + 4) * double(n + 1) * std::ldexp(1.0, -53 * N));
  }
}

}  // namespace
}  // namespace mct::certified_test
