// Eigenvalues, singular values, norms, condition numbers and powers.
#include "mctensor/linalg/eigh.hpp"
#include "mctensor/linalg/matrix_power.hpp"
#include "mctensor/linalg/norms.hpp"
#include "mctensor/linalg/singular_error.hpp"
#include "mctensor/linalg/svd.hpp"
#include "tests/linalg/exact.hpp"
#include "tests/linalg/matrices.hpp"

namespace mct::test::spectral_cases {
namespace {

using linalg::MatrixNorm;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Exact diagonal(const Exact& column) {
  Exact result(column.rows(), column.rows());
  for (std::int64_t i = 0; i < column.rows(); ++i)
    mpfr_set(result.at(i, i), column.at(i, 0), MPFR_RNDN);
  return result;
}

/// The error of orthonormal columns.
template <class T, int N>
double orthogonality(const Exact& q) {
  return norm_error<T, N>(q.t() * q - Exact::identity(q.columns()), Exact::identity(1));
}

/// In units of (n + 8) u^N.
template <class T, int N>
double eigh_error(const Tensor<T, N>& a) {
  const auto [w, v] = linalg::eigh(a);
  const Exact vectors(v);
  const Exact rest = Exact(a) * vectors - vectors * diagonal(Exact(w));
  for (std::int64_t i = 1; i < w.size(0); ++i)
    EXPECT_TRUE((as_expansion<T, N>(w.at({i - 1})) <= as_expansion<T, N>(w.at({i}))));
  return std::max(norm_error<T, N>(rest, Exact(a)), orthogonality<T, N>(vectors)) /
         double(a.size(0) + 8);
}

TEST(Eigh, Errors) {
  for_each_decomposed([]<class T, int N>() {
    double worst = 0;
    for (const std::int64_t n : {1, 2, 5, 30})
      worst = std::max(worst, eigh_error(symmetric<T, N>(n, 1)));
    worst = std::max(worst, eigh_error(hilbert<T, N>(12)));
    worst = std::max(worst, eigh_error(eye<T, N>(4)));
    // a cluster of equal eigenvalues, and zeros
    auto ones = full<T, N>({8, 8}, as_value<T, N>(Expansion<T, N>(T(1))));
    worst = std::max(worst, eigh_error(ones));
    worst = std::max(worst, eigh_error(Tensor<T, N>({3, 3})));
    expect_at_most("eigh " + type_name<T, N>(), worst, 4);
  });
}

TEST(Eigh, KnownEigenvalues) {
  // second differences: 2 - 2 cos(pi i / (n + 1))
  constexpr std::int64_t n = 24;
  Tensor<double, 2> a({n, n});
  for (std::int64_t i = 0; i < n; ++i) {
    a.set({i, i}, f64x2(2));
    if (i > 0) a.set({i, i - 1}, f64x2(-1));  // the upper triangle is not read
  }
  const auto w = linalg::eigvalsh(a);
  validation::Real x(400);
  double worst = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    mpfr_const_pi(x.get(), MPFR_RNDN);
    mpfr_mul_d(x.get(), x.get(), double(i + 1), MPFR_RNDN);
    mpfr_div_d(x.get(), x.get(), double(n + 1), MPFR_RNDN);
    mpfr_cos(x.get(), x.get(), MPFR_RNDN);
    mpfr_mul_d(x.get(), x.get(), -2, MPFR_RNDN);
    mpfr_add_d(x.get(), x.get(), 2, MPFR_RNDN);
    for (const double limb : w.at({i}).limb) mpfr_sub_d(x.get(), x.get(), limb, MPFR_RNDN);
    worst = std::max(worst, std::fabs(std::ldexp(mpfr_get_d(x.get(), MPFR_RNDN), 106)));
  }
  expect_at_most("eigvalsh, second differences, f64x2", worst / double(n + 8) / 4, 4);
}

TEST(Eigh, BatchesScalesAndErrors) {
  const auto a = symmetric<double, 2>(6, 1);
  const auto batch = stack<double, 2>({a, mul(a, 2.0)});
  const auto all = linalg::eigh(batch);
  EXPECT_TRUE(same(all.eigenvectors[0], linalg::eigh(a).eigenvectors));
  EXPECT_TRUE(same(all.eigenvalues[1], mul(all.eigenvalues[0], 2.0)));
  EXPECT_TRUE(same(linalg::eigh(with_other_strides(a)).eigenvalues, all.eigenvalues[0]));
  for (const double scale : {0x1p1000, 0x1p-850})
    expect_at_most("eigh, scaled, f64x2", eigh_error(mul(a, scale)), 4);
  EXPECT_EQ(linalg::eigh(Tensor<double, 2>({0, 0})).eigenvalues.shape(), (Shape{0}));
  EXPECT_THROW(linalg::eigh(Tensor<double, 2>({2, 3})), ShapeError);
  EXPECT_EQ(message_of<DomainError>([] {
              linalg::eigh(full<double, 2>({2, 2}, f64x2(nan)));
            }),
            "eigh: an entry of shape (2, 2) is NaN or infinite");
}

/// In units of (n + 8) u^N.
template <class T, int N>
double svd_error(const Tensor<T, N>& a, bool full_matrices) {
  const auto [u_tensor, s_tensor, vh_tensor] = linalg::svd(a, full_matrices);
  const Exact u(u_tensor);
  const Exact vh(vh_tensor);
  Exact s(u.columns(), vh.rows());
  const Exact values(s_tensor);
  for (std::int64_t i = 0; i < values.rows(); ++i) {
    mpfr_set(s.at(i, i), values.at(i, 0), MPFR_RNDN);
    EXPECT_GE(mpfr_sgn(values.at(i, 0)), 0);
    EXPECT_LE(i == 0 ? 0 : mpfr_cmp(values.at(i, 0), values.at(i - 1, 0)), 0);
  }
  const double n = double(std::max(a.size(0), a.size(1)) + 8);
  return std::max({norm_error<T, N>(u * s * vh - Exact(a), Exact(a)), orthogonality<T, N>(u),
                   orthogonality<T, N>(vh.t())}) /
         n;
}

TEST(Svd, Errors) {
  for_each_decomposed([]<class T, int N>() {
    double worst = 0;
    const Shape shapes[] = {{1, 1}, {4, 4}, {9, 5}, {5, 9}, {24, 24}};
    for (const Shape& shape : shapes)
      for (const bool full_matrices : {false, true})
        worst = std::max(worst, svd_error(random_tensor<T, N>(shape, 1), full_matrices));
    worst = std::max(worst, svd_error(hilbert<T, N>(12), true));
    worst = std::max(worst, svd_error(graded<T, N>(12, 8, 16, 3), false));
    worst = std::max(worst, svd_error(Tensor<T, N>({3, 2}), true));
    // of rank one
    const auto ones = full<T, N>({7, 4}, as_value<T, N>(Expansion<T, N>(T(1))));
    worst = std::max(worst, svd_error(ones, true));
    expect_at_most("svd " + type_name<T, N>(), worst, 4);
  });
}

TEST(Svd, OfRowsFarApart) {
  const auto check = []<int N>() {
    const auto vh = linalg::svd(two_by_two<double, N>(1, 0, 0, 3e-162)).vh;
    EXPECT_EQ(std::fabs(double(vh.at({1, 1}))), 1);
    double worst = 0;
    for (const int range : {300, 500, 1000}) {
      std::mt19937_64 random(7);
      for (int trial = 0; trial < 10; ++trial) {
        const auto a = random_tensor<double, N>({4, 4}, std::uint64_t(trial), 0);
        Tensor<double> powers({4, 4});
        for (int i = 0; i < 16; ++i)
          powers.data()[i] = std::ldexp(1.0, -int(random() % std::uint64_t(range)));
        for (int k = 0; k < N; ++k) mul_(a.plane(k), powers);
        worst = std::max(worst, svd_error(a, true));
      }
    }
    expect_at_most("svd, rows far apart, " + type_name<double, N>(), worst, 4);
  };
  check.operator()<1>();
  check.operator()<2>();
  check.operator()<3>();
  check.operator()<4>();
}

TEST(Svd, BatchesScalesAndErrors) {
  const auto a = random_tensor<double, 2>({2, 3, 5, 4}, 1);
  const auto [u, s, vh] = linalg::svd(a);
  EXPECT_EQ(u.shape(), (Shape{2, 3, 5, 5}));
  EXPECT_EQ(s.shape(), (Shape{2, 3, 4}));
  EXPECT_EQ(vh.shape(), (Shape{2, 3, 4, 4}));
  EXPECT_TRUE(same(linalg::svdvals(a[1][2]), s[1][2]));
  EXPECT_TRUE(same(linalg::svdvals(with_other_strides(a[1][2])), s[1][2]));
  for (const double scale : {0x1p1000, 0x1p-850})
    expect_at_most("svd, scaled, f64x2", svd_error(mul(a[0][0], scale), false), 4);
  EXPECT_EQ(linalg::svd(Tensor<double, 2>({3, 0})).u.shape(), (Shape{3, 3}));
  EXPECT_EQ(linalg::svd(Tensor<double, 2>({0, 3})).vh.shape(), (Shape{3, 3}));
  EXPECT_THROW(linalg::svd(full<double, 2>({2, 2}, f64x2(inf))), DomainError);
}

TEST(Norm, OfSmallMatrices) {
  const Tensor<double> a{{1, -2}, {-3, 4}};
  EXPECT_EQ(linalg::norm(a, MatrixNorm::one).item(), 6);
  EXPECT_EQ(linalg::norm(a, MatrixNorm::infinity).item(), 7);
  EXPECT_DOUBLE_EQ(linalg::norm(a).item(), std::sqrt(30.0));
  EXPECT_DOUBLE_EQ(linalg::norm(a, MatrixNorm::two).item(), std::sqrt(15 + std::sqrt(221.0)));
  EXPECT_DOUBLE_EQ(linalg::norm(a, MatrixNorm::nuclear).item(), std::sqrt(34.0));
  EXPECT_TRUE(std::isnan(linalg::norm(full<double>({2, 2}, nan), MatrixNorm::one).item()));
  EXPECT_EQ(linalg::norm(Tensor<double, 2>({4, 3, 2}), MatrixNorm::two).shape(), (Shape{4}));
  EXPECT_EQ(linalg::norm(Tensor<double, 2>({0, 0})).item(), f64x2(0));
  EXPECT_THROW(linalg::norm(Tensor<double>({2})), ShapeError);
}

TEST(Cond, OfKnownMatrices) {
  const Tensor<double, 2> a{{f64x2(4), f64x2(0)}, {f64x2(0), f64x2(0.5)}};
  for (const auto order : {MatrixNorm::one, MatrixNorm::infinity, MatrixNorm::two})
    EXPECT_EQ(linalg::cond(a, order).item(), f64x2(8));
  const Tensor<double> singular{{1, 2}, {2, 4}};
  EXPECT_EQ(linalg::cond(singular, MatrixNorm::one).item(), inf);
  EXPECT_GT(linalg::cond(singular).item(), 1e15);
  EXPECT_EQ(linalg::cond(Tensor<double>({2, 2})).item(), inf);
  EXPECT_EQ(linalg::cond(Tensor<double>({3, 2, 2}), MatrixNorm::frobenius).shape(), (Shape{3}));
  // of the Hilbert matrix of order 12, from 60 digits
  EXPECT_NEAR(double(linalg::cond(hilbert<double, 2>(12)).item()) / 17132289046970050.0, 1, 1e-12);
  EXPECT_THROW(linalg::cond(Tensor<double>({2, 3}), MatrixNorm::one), ShapeError);
  EXPECT_EQ(linalg::cond(random_tensor<double, 1>({2, 3}, 1)).shape(), (Shape{}));
}

TEST(Cond, AtTheEndsOfTheRange) {
  const auto check = []<class T, int N>(double x) {
    const auto a = two_by_two<T, N>(x, 0, 0, x);
    const auto is = [&](MatrixNorm order, double value) {
      EXPECT_NEAR(double(linalg::cond(a, order).item()), value, 1e-5) << x;
    };
    is(MatrixNorm::one, 1);
    is(MatrixNorm::infinity, 1);
    is(MatrixNorm::frobenius, 2);
    is(MatrixNorm::two, 1);
  };
  for (const double x : {0x1p-1074, 1e-310, 1e-200, 1e200, 1.5e308}) {
    check.operator()<double, 1>(x);
    check.operator()<double, 2>(x);
    check.operator()<double, 4>(x);
  }
  for (const double x : {0x1p-149, 1e-40, 1e38}) check.operator()<float, 1>(x);
  EXPECT_EQ(linalg::cond(Tensor<double>{{1e-310, 0}, {0, 0}}, MatrixNorm::one).item(), inf);
}

TEST(MatrixPower, SquaresAndInverts) {
  const Tensor<double, 2> a{{f64x2(1), f64x2(1)}, {f64x2(1), f64x2(0)}};
  const auto fibonacci = linalg::matrix_power(a, 90);
  EXPECT_EQ(fibonacci.at({0, 1}), f64x2(std::int64_t(2880067194370816120)));
  EXPECT_TRUE(same(linalg::matrix_power(a, 0), eye<double, 2>(2)));
  EXPECT_TRUE(same(linalg::matrix_power(a, 1), a));
  const auto back = mm(fibonacci, linalg::matrix_power(a, -90));
  EXPECT_LE(double(linalg::norm(sub(back, eye<double, 2>(2))).item()), 1e10);
  const auto inverse = linalg::matrix_power(a, -3);
  EXPECT_EQ(inverse.at({0, 0}), f64x2(-1));
  EXPECT_EQ(linalg::matrix_power(Tensor<double, 2>({5, 3, 3}), 0).shape(), (Shape{5, 3, 3}));
  EXPECT_THROW(linalg::matrix_power(Tensor<double>({2, 2}), -1), SingularError);
  EXPECT_THROW(linalg::matrix_power(Tensor<double>({2, 3}), 2), ShapeError);
}

}  // namespace
}  // namespace mct::test::spectral_cases
