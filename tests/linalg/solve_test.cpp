// Systems of equations and inverses against MPFR, their reports and errors.
#include "mctensor/linalg/solve.hpp"

#include "mctensor/linalg/norms.hpp"
#include "tests/linalg/exact.hpp"
#include "tests/linalg/matrices.hpp"

namespace mct::test::solve_cases {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The error of every column of x, in units of u^N.
template <class T, int N>
double forward_error(const Tensor<T, N>& a, const Tensor<T, N>& b, const Tensor<T, N>& x) {
  return column_error<T, N>(Exact(x), true_solution(Exact(a), Exact(b)));
}

/// Types whose solutions have all their digits.
template <class T, int N>
inline constexpr bool is_refined = std::is_same_v<T, double> ? N == 2 || N == 3 : N > 1;

TEST(Solve, AllDigits) {
  for_each_decomposed([]<class T, int N>() {
    double worst = 0;
    for (const std::int64_t n : {1, 2, 10, 40}) {
      const auto a = random_tensor<T, N>({n, n}, 1);
      const auto b = random_tensor<T, N>({n, 3}, 2);
      worst = std::max(worst, forward_error(a, b, linalg::solve(a, b)));
      const auto one = b.select(1, 0);
      worst = std::max(worst, forward_error(a, one, linalg::solve(a, one)));
    }
    expect_at_most("solve, random, " + type_name<T, N>(), worst, is_refined<T, N> ? 2 : 1e5);
  });
}

TEST(Solve, BackwardErrorOfOneComponent) {
  for (const std::int64_t n : {1, 5, 60}) {
    const auto a = random_tensor<double, 1>({n, n}, 1);
    const auto b = random_tensor<double, 1>({n, 2}, 2);
    const auto x = linalg::solve(a, b);
    const Exact rest = Exact(b) - Exact(a) * Exact(x);
    const Exact size = Exact(a).abs() * Exact(x).abs();
    expect_at_most("solve, residual, f64x1", norm_error<double, 1>(rest, size) / double(n), 1);
  }
}

template <int N>
void check_hilbert(std::int64_t n, int least_components) {
  SCOPED_TRACE(n);
  const auto a = hilbert<double, N>(n);
  const auto b = random_tensor<double, N>({n}, 2);
  linalg::SolveReport report;
  const auto x = linalg::solve(a, b, &report);
  const double bound = 2 + 8 * double(n) * report.condition * std::ldexp(1.0, -53 * (4 - N));
  expect_at_most("solve, Hilbert " + std::to_string(n) + ", " + type_name<double, N>(),
                 forward_error(a, b, x), bound);
  EXPECT_GE(report.factor_components, least_components);
}

TEST(Solve, HilbertMatrices) {
  check_hilbert<2>(6, 1);
  check_hilbert<2>(12, 1);
  check_hilbert<2>(16, 2);
  check_hilbert<2>(20, 2);
  check_hilbert<2>(24, 3);
  check_hilbert<3>(8, 1);
  check_hilbert<3>(14, 2);
  check_hilbert<3>(30, 3);
  check_hilbert<4>(14, 2);
}

TEST(Solve, GradedAndNearTheEndsOfTheRange) {
  const auto b = random_tensor<double, 2>({20, 2}, 2);
  for (const int range : {40, 400}) {
    const auto a = graded<double, 2>(20, 20, range, 7);
    expect_at_most("solve, graded, f64x2", forward_error(a, b, linalg::solve(a, b)), 2);
    const auto columns = a.t().contiguous();
    expect_at_most("solve, graded columns, f64x2",
                   forward_error(columns, b, linalg::solve(columns, b)), 2);
  }
  for (const double scale : {0x1p900, 0x1p-900}) {
    const auto a = mul(random_tensor<double, 2>({12, 12}, 3), scale);
    const auto b1 = random_tensor<double, 2>({12}, 4);
    expect_at_most("solve, scaled, f64x2", forward_error(a, b1, linalg::solve(a, b1)), 2);
    const auto b2 = mul(b1, scale);
    expect_at_most("solve, both scaled, f64x2", forward_error(a, b2, linalg::solve(a, b2)), 2);
  }
  // subnormal numbers: limbs beyond the first are lost before we see them
  const auto tiny = Tensor<double, 2>{{f64x2(0x1p-1070), f64x2(0)}, {f64x2(0x1p-1070), f64x2(1)}};
  const auto x = linalg::solve(tiny, Tensor<double, 2>::from_values({f64x2(0x1p-1071), f64x2(3)}));
  EXPECT_EQ(x.at({0}), f64x2(0.5));
  EXPECT_EQ(x.at({1}), f64x2(3) - f64x2(0x1p-1071));
}

TEST(Solve, RowsAtBothEndsOfTheRange) {
  const auto check = []<int N>() {
    const auto solve = [](const auto& a, double b, double c) {
      return linalg::solve(a, convert<double, N>(Tensor<double>::from_values({b, c})));
    };
    for (const double size : {1e280, 1e300}) {
      const auto a = two_by_two<double, N>(size, 0, 0, 1 / size);
      const auto x = solve(a, size, 1 / size);
      EXPECT_NEAR(double(x.at({0})), 1, 1e-15);
      EXPECT_NEAR(double(x.at({1})), 1, 1e-15);
      const auto inverse = linalg::inv(a);
      EXPECT_NEAR(double(inverse.at({0, 0})) * size, 1, 1e-15);
      EXPECT_NEAR(double(inverse.at({1, 1})) / size, 1, 1e-15);
    }
    // what a scaling of rows alone would lose
    const auto y = solve(two_by_two<double, N>(1e200, 1e-200, 1e200, -1e-200), 2, 0);
    EXPECT_NEAR(double(y.at({0})) * 1e200, 1, 1e-15);
    EXPECT_NEAR(double(y.at({1})) / 1e200, 1, 1e-15);
    const auto x = solve(two_by_two<double, N>(1e300, 1, 1e300, 3), 1e-300, 2e-300);
    EXPECT_NEAR(double(x.at({1})) / 0.5e-300, 1, 1e-15);
  };
  check.operator()<1>();
  check.operator()<2>();
  check.operator()<4>();
}

TEST(Solve, NearlySingular) {
  // rows that differ in the last component alone
  auto a = random_tensor<double, 2>({8, 8}, 5, 0);
  a[3].copy_(a[2]);
  a.set({3, 4}, a.at({3, 4}) + f64x2(0x1p-100));
  const auto b = random_tensor<double, 2>({8}, 6);
  linalg::SolveReport report;
  const auto x = linalg::solve(a, b, &report);
  expect_at_most("solve, nearly singular, f64x2", forward_error(a, b, x), 2);
  EXPECT_GE(report.factor_components, 2);
  EXPECT_GT(report.condition, 1e28);
}

TEST(Solve, PivotsThatGrow) {
  // 1 on the diagonal, -1 below, 1 in the last column: pivots grow to 2^(n - 1) (Wilkinson), so
  // that factors in plain double are of no use
  constexpr std::int64_t n = 70;
  auto a = eye<double, 2>(n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) a.set({i, j}, f64x2(-1));
    a.set({i, n - 1}, f64x2(1));
  }
  const auto b = random_tensor<double, 2>({n}, 3);
  linalg::SolveReport report;
  const auto x = linalg::solve(a, b, &report);
  expect_at_most("solve, growing pivots, f64x2", forward_error(a, b, x), 2);
  EXPECT_EQ(report.factor_components, 2);
}

TEST(Solve, WellConditionedMatricesAreFactoredInDouble) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    linalg::SolveReport report;
    linalg::solve(random_tensor<double, 2>({8, 8}, seed),
                  random_tensor<double, 2>({8, 2}, seed + 1), &report);
    EXPECT_EQ(report.factor_components, 1) << seed << " " << report.condition;
  }
}

TEST(Solve, SingularMatrices) {
  EXPECT_EQ(message_of<SingularError>([] {
              linalg::solve(Tensor<double>{{1, 2}, {2, 4}}, Tensor<double>({2}));
            }),
            "solve: a matrix of shape (2, 2) is singular: pivot 1 is zero");
  // the sum of two rows, exactly: pivots are rounding errors, if not zero
  auto a = Tensor<double, 2>({9, 9});
  std::mt19937_64 random(1);
  for (std::int64_t i = 0; i < 81; ++i)
    a.set({i / 9, i % 9}, f64x2(double(std::int64_t(random() >> 24))));
  a[8].copy_(add(a[0], a[1]));
  for (const double right : {0.0, 1.0})
    EXPECT_EQ(
        message_of<SingularError>([&] { linalg::solve(a, full<double, 2>({9}, f64x2(right))); }),
        "solve: a matrix of shape (9, 9) is singular, or cannot be told from a singular one "
        "in f64x4");
  EXPECT_EQ(message_of<SingularError>([] {
              linalg::inv(Tensor<double, 2>{{f64x2(1), f64x2(2)}, {f64x2(2), f64x2(4)}});
            }),
            "inv: a matrix of shape (2, 2) is singular: pivot 1 is zero");
  auto b = random_tensor<double, 2>({6, 6}, 1);
  b[5].copy_(add(b[0], b[1]));
  // the sum was rounded: regular, with a condition of about 2^106
  const auto ones = full<double, 2>({6}, f64x2(1));
  linalg::SolveReport report;
  const auto x = linalg::solve(b, ones, &report);
  EXPECT_GT(report.condition, 0x1p100);
  expect_at_most("solve, rounded sum of rows, f64x2", forward_error(b, ones, x),
                 2 + 8 * 6 * report.condition * 0x1p-106);
  EXPECT_THROW(linalg::inv(Tensor<double, 2>({4, 4})), SingularError);
  EXPECT_THROW(linalg::inv(Tensor<float>({4, 4})), SingularError);
}

TEST(Solve, Report) {
  const auto a = random_tensor<double, 2>({30, 30}, 1);
  const auto b = random_tensor<double, 2>({30}, 2);
  linalg::SolveReport report;
  linalg::solve(a, b, &report);
  EXPECT_LE(report.relative_residual, 0x1p-104);
  EXPECT_EQ(report.factor_components, 1);
  EXPECT_EQ(report.residual_components, 3);
  EXPECT_GE(report.refinements, 2);
  EXPECT_LE(report.refinements, 8);
  const double condition = double(linalg::cond(a, linalg::MatrixNorm::one).item());
  EXPECT_LE(report.condition, condition * 1.001);
  EXPECT_GE(report.condition, condition / 3);
  linalg::SolveReport plain;
  linalg::solve(a.fc(), b.fc(), &plain);
  EXPECT_EQ(plain.refinements, 0);
  EXPECT_LE(plain.relative_residual, 0x1p-48);
  EXPECT_NEAR(plain.condition / report.condition, 1, 1e-6);
  linalg::SolveReport of_floats;
  linalg::solve(random_tensor<float, 2>({9, 9}, 1), random_tensor<float, 2>({9}, 2), &of_floats);
  EXPECT_EQ(of_floats.residual_components, 3);
}

TEST(Solve, ShapesBatchesAndViews) {
  const auto a = random_tensor<double, 2>({3, 5, 5}, 1);
  const auto b = random_tensor<double, 2>({5}, 2);
  const auto x = linalg::solve(a, b);
  EXPECT_EQ(x.shape(), (Shape{3, 5}));
  for (std::int64_t i = 0; i < 3; ++i) EXPECT_TRUE(same(x[i], linalg::solve(a[i], b)));
  // one matrix for a batch, a batch for one right side, both with ones
  const auto many = random_tensor<double, 2>({4, 5, 2}, 3);
  const auto folded = linalg::solve(a[0], many);
  EXPECT_EQ(folded.shape(), (Shape{4, 5, 2}));
  EXPECT_LE((column_error<double, 2>(Exact(folded[2]), Exact(linalg::solve(a[0], many[2])))), 2);
  EXPECT_EQ(linalg::solve(a.unsqueeze(1), many).shape(), (Shape{3, 4, 5, 2}));
  EXPECT_TRUE(same(linalg::solve(with_other_strides(a[0]), b), x[0]));
  EXPECT_EQ(linalg::solve(a[0], many.fc()[0]).shape(), (Shape{5, 2}));
  EXPECT_EQ(linalg::solve(a[0].fc(), many[0]).shape(), (Shape{5, 2}));
  EXPECT_EQ(linalg::inv(a).shape(), a.shape());
  // no equations, no right sides, no matrices
  EXPECT_EQ(linalg::solve(Tensor<double, 2>({0, 0}), Tensor<double, 2>({0})).shape(), (Shape{0}));
  EXPECT_EQ(linalg::solve(a[0], Tensor<double, 2>({5, 0})).shape(), (Shape{5, 0}));
  EXPECT_EQ(linalg::solve(Tensor<double, 2>({0, 5, 5}), b).shape(), (Shape{0, 5}));
  EXPECT_EQ(linalg::inv(Tensor<double, 2>({2, 0, 0})).shape(), (Shape{2, 0, 0}));
  const Tensor<double, 2> zero({5, 2});
  EXPECT_TRUE(same(linalg::solve(a[0], zero), zero));
}

TEST(Solve, Errors) {
  const auto a = random_tensor<double, 2>({3, 3}, 1);
  EXPECT_EQ(message_of<ShapeError>([&] { linalg::solve(a, Tensor<double, 2>({4})); }),
            "solve: shapes (3, 3) and (4,) do not fit");
  EXPECT_EQ(message_of<ShapeError>([&] { linalg::inv(a.narrow(0, 0, 2)); }),
            "inv: shape (2, 3) is not square (..., n, n)");
  EXPECT_THROW(linalg::solve(Tensor<double>({3}), Tensor<double>({3})), ShapeError);
  EXPECT_THROW(linalg::solve(a, Tensor<double, 2>::scalar(f64x2(1))), ShapeError);
  for (const double bad : {nan, inf, -inf}) {
    const auto b = full<double, 2>({3}, f64x2(bad));
    EXPECT_EQ(message_of<DomainError>([&] { linalg::solve(a, b); }),
              "solve: an entry of shape (3, 1) is NaN or infinite");
    EXPECT_THROW(linalg::inv(full<double, 2>({3, 3}, f64x2(bad))), DomainError);
  }
}

TEST(Solve, DoesNotDependOnThreads) {
  const auto a = random_tensor<double, 2>({120, 120}, 9);
  const auto b = random_tensor<double, 2>({120, 2}, 10);
  const int before = num_threads();
  set_num_threads(1);
  const auto one = linalg::solve(a, b);
  set_num_threads(3);
  const auto three = linalg::solve(a, b);
  set_num_threads(before);
  EXPECT_TRUE(same(one, three));
}

TEST(Inv, EveryColumn) {
  for_each_decomposed([]<class T, int N>() {
    const auto a = random_tensor<T, N>({12, 12}, 4, 1);
    const Exact truth = true_solution(Exact(a), Exact::identity(12));
    expect_at_most("inv " + type_name<T, N>(), column_error<T, N>(Exact(linalg::inv(a)), truth),
                   is_refined<T, N> ? 2 : 1e4);
  });
}

}  // namespace
}  // namespace mct::test::solve_cases
