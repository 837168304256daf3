// Cholesky, QR and least squares against MPFR.
#include "mctensor/linalg/qr.hpp"

#include "mctensor/linalg/cholesky.hpp"
#include "mctensor/linalg/lstsq.hpp"
#include "mctensor/linalg/norms.hpp"
#include "tests/linalg/exact.hpp"
#include "tests/linalg/matrices.hpp"

namespace mct::test::qr_cases {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Cholesky, BackwardError) {
  for_each_decomposed([]<class T, int N>() {
    double worst = 0;
    for (const std::int64_t n : {1, 2, 17, 50}) {
      const auto a = positive_definite<T, N>(n, 1);
      const Exact l(linalg::cholesky(a));
      worst = std::max(
          worst, entry_error<T, N>(Exact(a) - l * l.t(), l.abs() * l.abs().t()) / double(n + 4));
    }
    expect_at_most("cholesky " + type_name<T, N>(), worst, 4);
  });
}

TEST(Cholesky, HilbertAndScaled) {
  const auto a = hilbert<double, 2>(20);
  const Exact l(linalg::cholesky(a));
  expect_at_most("cholesky, Hilbert, f64x2",
                 entry_error<double, 2>(Exact(a) - l * l.t(), l.abs() * l.abs().t()) / 24, 4);
  const auto spd = positive_definite<double, 2>(9, 2);
  for (const int exponent : {1000, -901}) {
    const auto scaled = mul(spd, std::ldexp(1.0, exponent));
    const Exact s(linalg::cholesky(scaled));
    EXPECT_LE((norm_error<double, 1>(Exact(scaled) - s * s.t(), Exact(scaled))), 1e-10);
  }
}

TEST(Cholesky, DiagonalsAtBothEndsOfTheRange) {
  const auto check = []<int N>() {
    const auto is = [](double a, double c, double d) {
      const auto l = linalg::cholesky(two_by_two<double, N>(a, nan, c, d));
      const double top = std::sqrt(a);
      EXPECT_NEAR(double(l.at({0, 0})) / top, 1, 1e-15);
      const double rest = c / top;
      EXPECT_NEAR(double(l.at({1, 0})), rest, 1e-15 * rest);
      EXPECT_NEAR(double(l.at({1, 1})) / std::sqrt(d - rest * rest), 1, 1e-15);
    };
    is(1e-300, 0, 1e300);
    is(1e300, 0, 1e-300);
    is(1e300, 0.5, 1e-300);
    is(0x1p990, 0, 0x1p-1030);
    is(0x1p-1040, 0x1p-25, 0x1p1000);
    for (const double a : {0.0, -1e-300, -1e300})
      EXPECT_NE(message_of<DomainError>([&] {
                  linalg::cholesky(two_by_two<double, N>(a, 0, 1e300, 1e300));
                }).find("order 1 is not positive"),
                std::string::npos);
    EXPECT_NE(message_of<DomainError>([&] {
                linalg::cholesky(two_by_two<double, N>(1e-300, 0, 1e300, 1e300));
              }).find("order 2 is not positive"),
              std::string::npos);
  };
  check.operator()<1>();
  check.operator()<2>();
  check.operator()<4>();
}

TEST(Cholesky, ReadsTheLowerTriangle) {
  auto a = positive_definite<double, 2>(6, 3);
  const auto expected = linalg::cholesky(a);
  for (std::int64_t i = 0; i < 6; ++i)
    for (std::int64_t j = i + 1; j < 6; ++j) a.set({i, j}, f64x2(nan));
  EXPECT_TRUE(same(linalg::cholesky(a), expected));
  const auto batch = stack<double, 2>({a, a});
  EXPECT_TRUE(same(linalg::cholesky(batch)[1], expected));
  EXPECT_TRUE(same(linalg::cholesky(with_other_strides(a)), expected));
}

TEST(Cholesky, Errors) {
  auto a = eye<double, 2>(40);
  a.set({30, 30}, f64x2(-1));
  EXPECT_EQ(message_of<DomainError>([&] { linalg::cholesky(a); }),
            "cholesky: a matrix of shape (40, 40) is not positive definite: its leading minor of "
            "order 31 is not positive");
  a.set({30, 30}, f64x2(nan));
  EXPECT_THROW(linalg::cholesky(a), DomainError);
  EXPECT_THROW(linalg::cholesky(a.narrow(0, 0, 3)), ShapeError);
  EXPECT_EQ(linalg::cholesky(Tensor<double, 2>({0, 0})).shape(), (Shape{0, 0}));
}

/// Errors of a = q r and of q's columns, in units of (n + 8) u^N.
template <class T, int N>
double qr_error(const Tensor<T, N>& a, linalg::QrMode mode) {
  const auto [q_tensor, r_tensor] = linalg::qr(a, mode);
  const Exact q(q_tensor);
  const Exact r(r_tensor);
  for (std::int64_t i = 0; i < r.rows(); ++i)
    for (std::int64_t j = 0; j < std::min(i, r.columns()); ++j)
      EXPECT_TRUE(mpfr_zero_p(r.at(i, j)) != 0);
  const Exact one = Exact::identity(1);
  const double n = double(std::max(a.size(0), a.size(1)) + 8);
  return std::max(norm_error<T, N>(Exact(a) - q * r, Exact(a)),
                  norm_error<T, N>(q.t() * q - Exact::identity(q.columns()), one)) /
         n;
}

TEST(Qr, Errors) {
  for_each_decomposed([]<class T, int N>() {
    double worst = 0;
    const Shape shapes[] = {{1, 1}, {4, 4}, {9, 5}, {5, 9}, {40, 21}, {30, 30}};
    for (const Shape& shape : shapes)
      for (const auto mode : {linalg::QrMode::reduced, linalg::QrMode::complete})
        worst = std::max(worst, qr_error(random_tensor<T, N>(shape, 1), mode));
    worst = std::max(worst, qr_error(hilbert<T, N>(20), linalg::QrMode::reduced));
    worst = std::max(worst, qr_error(graded<T, N>(20, 10, 16, 3), linalg::QrMode::reduced));
    expect_at_most("qr " + type_name<T, N>(), worst, 4);
  });
}

TEST(Qr, ShapesModesAndBatches) {
  const auto a = random_tensor<double, 2>({2, 7, 4}, 1);
  EXPECT_EQ(linalg::qr(a).q.shape(), (Shape{2, 7, 4}));
  EXPECT_EQ(linalg::qr(a).r.shape(), (Shape{2, 4, 4}));
  const auto complete = linalg::qr(a, linalg::QrMode::complete);
  EXPECT_EQ(complete.q.shape(), (Shape{2, 7, 7}));
  EXPECT_EQ(complete.r.shape(), (Shape{2, 7, 4}));
  const auto alone = linalg::qr(a, linalg::QrMode::r);
  EXPECT_EQ(alone.q.shape(), (Shape{0}));
  EXPECT_TRUE(same(alone.r, linalg::qr(a).r));
  EXPECT_TRUE(same(linalg::qr(a[1]).q, linalg::qr(a).q[1]));
  EXPECT_TRUE(same(linalg::qr(with_other_strides(a[1])).q, linalg::qr(a).q[1]));
  EXPECT_EQ(linalg::qr(Tensor<double, 2>({3, 0}), linalg::QrMode::complete).q.shape(),
            (Shape{3, 3}));
  EXPECT_EQ(linalg::qr(Tensor<double, 2>({0, 3})).r.shape(), (Shape{0, 3}));
  EXPECT_THROW(linalg::qr(full<double, 2>({2, 2}, f64x2(nan))), DomainError);
}

TEST(Qr, DependentAndZeroColumns) {
  auto a = random_tensor<double, 2>({12, 6}, 1);
  a.select(1, 3).copy_(a.select(1, 1));
  a.select(1, 4).fill_(f64x2(0));
  expect_at_most("qr, dependent columns, f64x2", qr_error(a, linalg::QrMode::reduced), 4);
  expect_at_most("qr, zeros, f64x2", qr_error(Tensor<double, 2>({5, 3}), linalg::QrMode::complete),
                 4);
  for (const double scale : {0x1p1000, 0x1p-850})
    expect_at_most(
        "qr, scaled, f64x2",
        qr_error(mul(random_tensor<double, 2>({8, 5}, 2), scale), linalg::QrMode::reduced), 4);
}

TEST(Lstsq, NormalEquations) {
  for_each_decomposed([]<class T, int N>() {
    const auto a = random_tensor<T, N>({20, 6}, 1, 1);
    const auto b = random_tensor<T, N>({20, 2}, 2, 1);
    const auto [x, residuals, rank] = linalg::lstsq(a, b);
    EXPECT_EQ(rank, 6);
    EXPECT_EQ(residuals.shape(), (Shape{2}));
    const Exact matrix(a);
    const Exact truth = true_solution(matrix.t() * matrix, matrix.t() * Exact(b));
    const double condition = linalg::cond(a.fc()).item();
    expect_at_most("lstsq " + type_name<T, N>(), column_error<T, N>(Exact(x), truth),
                   28 * condition * condition);
    const Exact rest = Exact(b).t() - (matrix * truth).t();
    const auto squares = rest * rest.t();
    for (std::int64_t j = 0; j < 2; ++j) {
      const double expected = mpfr_get_d(squares.at(j, j), MPFR_RNDN);
      EXPECT_NEAR(double(as_expansion<T, N>(residuals.at({j})).limb[0]), expected, 1e-4 * expected);
    }
  });
}

TEST(Lstsq, OfSmallestNorm) {
  // wide: x lies in the span of the rows
  const auto a = random_tensor<double, 2>({4, 9}, 1, 1);
  const auto b = random_tensor<double, 2>({4}, 2, 1);
  const auto wide = linalg::lstsq(a, b);
  EXPECT_EQ(wide.rank, 4);
  EXPECT_EQ(wide.residuals.shape(), (Shape{0}));
  const Exact matrix(a);
  const Exact truth = matrix.t() * true_solution(matrix * matrix.t(), Exact(b));
  expect_at_most("lstsq, wide, f64x2", column_error<double, 2>(Exact(wide.x), truth),
                 17 * linalg::cond(a.fc()).item());
  // twice the same column: its coefficients are equal
  auto dependent = random_tensor<double, 2>({10, 3}, 3, 1);
  dependent.select(1, 2).copy_(dependent.select(1, 0));
  const auto right = random_tensor<double, 2>({10}, 4, 1);
  const auto deficient = linalg::lstsq(dependent, right);
  EXPECT_EQ(deficient.rank, 2);
  const Exact two(dependent.narrow(1, 0, 2).contiguous());
  const Exact coefficients = true_solution(two.t() * two, two.t() * Exact(right));
  const Exact x(deficient.x);
  const Exact sum = Exact(add(deficient.x[0], deficient.x[2]).reshape({1}));
  Exact first(1, 1);
  mpfr_set(first.at(0, 0), coefficients.at(0, 0), MPFR_RNDN);
  expect_at_most("lstsq, deficient, f64x2", norm_error<double, 2>(sum - first, first), 8 * 10 * 30);
  EXPECT_LE(std::fabs(double(deficient.x.at({0}) - deficient.x.at({2}))), 1e-28);
  EXPECT_EQ(linalg::lstsq(Tensor<double, 2>({3, 2}), Tensor<double, 2>({3})).rank, 0);
}

TEST(Lstsq, ErrorsAndEmpty) {
  const Tensor<double, 2> a({3, 2});
  EXPECT_EQ(message_of<ShapeError>([&] { linalg::lstsq(a, Tensor<double, 2>({2})); }),
            "lstsq: shapes (3, 2) and (2,) do not fit, expected (m, n) and (m) or (m, k)");
  EXPECT_THROW(linalg::lstsq(full<double, 2>({3, 2}, f64x2(nan)), Tensor<double, 2>({3})),
               DomainError);
  EXPECT_EQ(linalg::lstsq(Tensor<double, 2>({0, 2}), Tensor<double, 2>({0})).x.shape(), (Shape{2}));
  EXPECT_EQ(linalg::lstsq(Tensor<double, 2>({3, 0}), Tensor<double, 2>({3, 2})).x.shape(),
            (Shape{0, 2}));
}

}  // namespace
}  // namespace mct::test::qr_cases
