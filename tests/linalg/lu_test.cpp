// LU, triangular systems and determinants against MPFR.
#include "mctensor/linalg/lu.hpp"
#include "mctensor/linalg/det.hpp"
#include "mctensor/linalg/singular_error.hpp"
#include "mctensor/linalg/solve_triangular.hpp"
#include "tests/linalg/exact.hpp"
#include "tests/linalg/matrices.hpp"

namespace mct::test::lu_cases {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The error of a = p l u in units of (n + 4) u^N |l| |u|.
template <class T, int N>
double backward_error(const Tensor<T, N>& a) {
  const auto [p, l, u] = linalg::lu(a);
  const Exact lower(l);
  const Exact upper(u);
  const double n = double(std::min(a.size(0), a.size(1)) + 4);
  const Exact permuted = Exact(p).t() * Exact(a);
  return entry_error<T, N>(permuted - lower * upper, lower.abs() * upper.abs()) / n;
}

TEST(Lu, BackwardError) {
  for_each_decomposed([]<class T, int N>() {
    double worst = 0;
    const Shape shapes[] = {{1, 1}, {3, 3}, {7, 4}, {4, 9}, {33, 33}, {70, 40}, {20, 55}};
    for (const Shape& shape : shapes)
      worst = std::max(worst, backward_error(random_tensor<T, N>(shape, 1)));
    worst = std::max(worst, backward_error(hilbert<T, N>(20)));
    worst = std::max(worst, backward_error(graded<T, N>(24, 24, 16, 3)));
    expect_at_most("lu " + type_name<T, N>(), worst, 4);
  });
}

TEST(Lu, LargeMatrixHasTheSameError) {
  const auto a = random_tensor<double, 2>({130, 130}, 5);
  expect_at_most("lu of 130 f64x2", backward_error(a), 4);
}

TEST(Lu, PermutationPicksTheLargest) {
  const Tensor<double> a{{1, 2}, {4, 3}};
  const auto factors = linalg::lu_factor(a);
  EXPECT_EQ(factors.pivots.values(), (std::vector<std::int64_t>{1, 1}));
  EXPECT_TRUE(same(factors.lu, Tensor<double>{{4, 3}, {0.25, 1.25}}));
}

TEST(Lu, BatchesAndViews) {
  const auto a = random_tensor<double, 2>({2, 3, 20, 20}, 1);
  const auto all = linalg::lu_factor(a);
  EXPECT_EQ(all.pivots.shape(), (Shape{2, 3, 20}));
  for (std::int64_t i = 0; i < 2; ++i)
    for (std::int64_t j = 0; j < 3; ++j)
      EXPECT_TRUE(same(all.lu[i][j], linalg::lu_factor(a[i][j]).lu));
  const auto view = with_other_strides(a[0][0]);
  EXPECT_TRUE(same(linalg::lu_factor(view).lu, all.lu[0][0]));
}

TEST(Lu, DoesNotDependOnThreads) {
  const auto a = random_tensor<double, 2>({150, 150}, 9);
  const int before = num_threads();
  set_num_threads(1);
  const auto one = linalg::lu_factor(a);
  set_num_threads(3);
  const auto three = linalg::lu_factor(a);
  set_num_threads(before);
  EXPECT_TRUE(same(one.lu, three.lu));
  EXPECT_TRUE(same(one.pivots, three.pivots));
}

TEST(Lu, EndsOfTheRange) {
  for (const double scale : {0x1p1000, 0x1p-1000}) {
    const auto a = random_tensor<double, 2>({12, 12}, 3);
    const auto expected = linalg::lu_factor(a);
    const auto scaled = linalg::lu_factor(mul(a, scale));
    EXPECT_TRUE(same(scaled.pivots, expected.pivots));
    const Exact upper(linalg::lu(mul(a, scale)).u);
    EXPECT_LE((norm_error<double, 1>(upper - Exact(mul(linalg::lu(a).u, scale)), upper)), 0x1p-10);
  }
}

TEST(Lu, ColumnsAtBothEndsOfTheRange) {
  const auto check = []<int N>() {
    using Value = typename Tensor<double, N>::Value;
    const auto lu = linalg::lu_factor(two_by_two<double, N>(1e300, 1e-300, 0.5e300, 1e-300)).lu;
    EXPECT_EQ(lu.at({0, 0}), Value(1e300));
    EXPECT_NEAR(double(lu.at({1, 1})) / 0.5e-300, 1, 1e-15);
    const auto factors = linalg::lu_factor(two_by_two<double, N>(1e300, 0, 0, 1e-300));
    EXPECT_EQ(factors.lu.at({1, 1}), Value(1e-300));
    const auto x = linalg::lu_solve(factors, convert<double, N>(full<double>({2}, 1.0)));
    EXPECT_NEAR(double(x.at({1})) / 1e300, 1, 1e-15);
  };
  check.operator()<1>();
  check.operator()<2>();
  check.operator()<4>();
}

TEST(Lu, Errors) {
  EXPECT_EQ(message_of<ShapeError>([] { linalg::lu_factor(Tensor<double>({3})); }),
            "lu_factor: shape (3,) has no matrices (..., m, n)");
  for (const double bad : {inf, -inf, nan}) {
    auto a = random_tensor<double, 2>({3, 3}, 1);
    a.set({2, 1}, f64x2(bad));
    EXPECT_EQ(message_of<DomainError>([&] { linalg::lu_factor(a); }),
              "lu_factor: an entry of shape (3, 3) is NaN or infinite");
  }
  const auto singular = linalg::lu_factor(Tensor<double>{{1, 2}, {2, 4}});
  EXPECT_EQ(message_of<SingularError>([&] {
              linalg::lu_solve(singular, Tensor<double>::from_values({1, 2}));
            }),
            "lu_solve: a matrix of shape (2, 2) is singular: pivot 1 is zero");
  for (const Shape& shape : {Shape{1}, Shape{3}, Shape{}, Shape{2, 1}})
    EXPECT_EQ(message_of<ShapeError>([&] {
                linalg::lu_solve({singular.lu, Tensor<std::int64_t>(shape)},
                                 Tensor<double>::from_values({1, 2}));
              }),
              "lu_solve: pivots of shape " + to_string(shape) + " for factors of shape (2, 2)");
}

TEST(Lu, EmptyMatrices) {
  const auto factors = linalg::lu_factor(Tensor<double, 2>({0, 0}));
  EXPECT_EQ(factors.lu.shape(), (Shape{0, 0}));
  EXPECT_EQ(linalg::lu_factor(Tensor<double, 2>({3, 0})).pivots.shape(), (Shape{0}));
  EXPECT_EQ(linalg::lu_factor(Tensor<double, 2>({0, 4, 4})).lu.shape(), (Shape{0, 4, 4}));
  EXPECT_EQ(linalg::lu_solve(factors, Tensor<double, 2>({0, 2})).shape(), (Shape{0, 2}));
}

TEST(LuSolve, BothWays) {
  for_each_decomposed([]<class T, int N>() {
    const auto a = random_tensor<T, N>({40, 40}, 1);
    const auto b = random_tensor<T, N>({40, 3}, 2);
    const auto factors = linalg::lu_factor(a);
    for (const bool transposed : {false, true}) {
      const auto x = linalg::lu_solve(factors, b, transposed);
      const Exact matrix = transposed ? Exact(a).t() : Exact(a);
      const Exact rest = Exact(b) - matrix * Exact(x);
      const auto [p, l, u] = linalg::lu(a);
      Exact size = Exact(p) * (Exact(l).abs() * Exact(u).abs());
      if (transposed) size = size.t();
      expect_at_most("lu_solve " + type_name<T, N>(),
                     entry_error<T, N>(rest, size * Exact(x).abs()) / 44, 4);
    }
  });
}

TEST(SolveTriangular, BackwardError) {
  for_each_decomposed([]<class T, int N>() {
    double worst = 0;
    for (const std::int64_t n : {1, 5, 45}) {
      const auto a = random_tensor<T, N>({n, n}, 1, 2);
      for (std::int64_t i = 0; i < n; ++i)
        a.set({i, i}, as_value<T, N>(as_expansion<T, N>(a.at({i, i})) + T(8)));
      for (const std::int64_t k : {1, 4}) {
        const auto b = random_tensor<T, N>({n, k}, 2);
        for (int which = 0; which < 8; ++which) {
          const linalg::TriangularOptions options{(which & 1) != 0, (which & 2) != 0,
                                                  (which & 4) != 0};
          const auto x = linalg::solve_triangular(a, b, options);
          Exact triangle(a);
          for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
              if (options.lower ? j > i : j < i) mpfr_set_zero(triangle.at(i, j), 1);
              if (i == j && options.unit_diagonal) mpfr_set_d(triangle.at(i, j), 1, MPFR_RNDN);
            }
          if (options.transposed) triangle = triangle.t();
          const Exact rest = Exact(b) - triangle * Exact(x);
          worst = std::max(
              worst, entry_error<T, N>(rest, triangle.abs() * Exact(x).abs()) / double(n + 4));
        }
      }
    }
    expect_at_most("solve_triangular " + type_name<T, N>(), worst, 4);
  });
}

TEST(SolveTriangular, ReadsOneTriangleAndBroadcasts) {
  Tensor<double, 2> a({3, 3});
  a.fill_(f64x2(nan));
  for (std::int64_t i = 0; i < 3; ++i)
    for (std::int64_t j = 0; j <= i; ++j) a.set({i, j}, f64x2(1));
  const auto ones = full<double, 2>({3}, f64x2(1));
  const auto x = linalg::solve_triangular(a, ones, {.lower = true});
  EXPECT_TRUE(same(x, convert<double, 2>(Tensor<double>::from_values({1, 0, 0}))));
  const auto batch =
      linalg::solve_triangular(a, full<double, 2>({4, 3, 2}, f64x2(1)), {.lower = true});
  EXPECT_EQ(batch.shape(), (Shape{4, 3, 2}));
  EXPECT_THROW(linalg::solve_triangular(a, ones), DomainError);
  a.set({1, 1}, f64x2(0));
  EXPECT_EQ(message_of<SingularError>([&] { linalg::solve_triangular(a, ones, {.lower = true}); }),
            "solve_triangular: a matrix of shape (3, 3) is singular: entry 1 of its diagonal is "
            "zero");
  EXPECT_EQ(message_of<ShapeError>([&] { linalg::solve_triangular(a, Tensor<double, 2>({2})); }),
            "solve_triangular: shapes (3, 3) and (2,) do not fit");
}

TEST(Det, OfIntegersIsExact) {
  EXPECT_EQ(linalg::det(Tensor<double, 2>({0, 0})).item(), f64x2(1));
  EXPECT_EQ((linalg::det(Tensor<double, 2>{{f64x2(3), f64x2(8)}, {f64x2(4), f64x2(6)}}).item()),
            f64x2(-14));
  EXPECT_EQ(linalg::det(Tensor<double>{{1, 2}, {2, 4}}).item(), 0);
  const auto [sign, logabsdet] = linalg::slogdet(Tensor<double>{{1, 2}, {2, 4}});
  EXPECT_EQ(sign.item(), 0);
  EXPECT_EQ(logabsdet.item(), -inf);
  EXPECT_EQ(linalg::slogdet(Tensor<double>({5, 0, 0})).sign.shape(), (Shape{5}));
}

TEST(Det, RelativeError) {
  for_each_decomposed([]<class T, int N>() {
    // det of 1 / (i + j + 1), i, j < 4, is 1 / 6048000; of a multiple of it, in integers, exact
    Tensor<T, N> a({4, 4});
    for (std::int64_t i = 0; i < 4; ++i)
      for (std::int64_t j = 0; j < 4; ++j)
        a.set({i, j}, as_value<T, N>(Expansion<T, N>(420 / (i + j + 1))));
    const Exact truth(Tensor<double>::from_values({420.0 * 420 * 420 * 420 / 6048000}));
    const auto d = linalg::det(a).reshape({1});
    expect_at_most("det " + type_name<T, N>(), norm_error<T, N>(Exact(d) - truth, truth),
                   4 * 16000.0);
    const auto [sign, logabsdet] = linalg::slogdet(a);
    EXPECT_EQ(sign.item(), T(1));
    const auto back = exp(logabsdet).reshape({1});
    expect_at_most("slogdet " + type_name<T, N>(), norm_error<T, N>(Exact(back) - truth, truth),
                   4 * 16000.0);
  });
}

TEST(Det, IntermediateOverflow) {
  Tensor<double, 2> a({4, 4});
  const double diagonal[] = {0x1p900, 0x1p900, 0x1p-900, 0x1p-900};
  for (std::int64_t i = 0; i < 4; ++i) a.set({i, 3 - i}, f64x2(diagonal[i]));
  EXPECT_EQ(linalg::det(a).item(), f64x2(1));
  const auto large = mul(eye<double, 2>(3), 0x1p1000);
  EXPECT_EQ(double(linalg::det(large).item()), inf);
  EXPECT_NEAR(double(linalg::slogdet(large).logabsdet.item()), 3000 * std::log(2.0), 1e-11);
}

TEST(Det, OfRowsAtBothEndsOfTheRange) {
  const auto check = []<int N>() {
    const auto is = [](double a, double b, double c, double d, double value) {
      const auto matrix = two_by_two<double, N>(a, b, c, d);
      EXPECT_NEAR(double(linalg::det(matrix).item()) / value, 1, 1e-13) << a;
      const auto [sign, logabsdet] = linalg::slogdet(matrix);
      EXPECT_EQ(sign.item(), value > 0 ? 1 : -1);
      EXPECT_NEAR(double(logabsdet.item()), std::log(std::fabs(value)), 1e-13);
    };
    is(1e300, 0, 0, 1e-310, 1e300 * 1e-310);
    is(1e-310, 0, 0, 1e300, 1e300 * 1e-310);
    is(1e300, 0, 0, 1e-300, 1);
    is(1e300, 1e300, 1e-300, -1e-300, -2);
    is(1e200, 1e200, 1e-200, -1e-200, -2);
    is(1e200, 1e-200, 1e200, -1e-200, -2);
  };
  check.operator()<1>();
  check.operator()<2>();
  check.operator()<4>();
}

}  // namespace
}  // namespace mct::test::lu_cases
