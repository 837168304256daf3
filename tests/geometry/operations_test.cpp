// The operations that the error suite does not know yet: against other formulas in f64x4, and NaN
// and points outside in every operand of every operation.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test::operations_cases {
namespace {

using namespace mct::geometry;

using D = double;
using Q = f64x4;
constexpr double u = 0x1p-53;
constexpr int n = 3;

template <class V>
Point<Q> exact(const Point<V>& x) {
  return geometry::detail::generate<Point<Q>>(x.size(), [&](int i) { return Q(x[i]); });
}
template <template <class> class M>
constexpr int coordinates =
    std::is_same_v<M<D>, Sphere<D>> ? n + 1
                                    : n + decltype(M<D>().formulas())::least_coordinates - 1;

/// A direction in space as a tangent vector at the origin.
template <template <class> class M>
Point<D> at_origin(const Point<D>& e) {
  if constexpr (std::is_same_v<M<D>, Lorentz<D>>) return {0, e[0], e[1], e[2]};
  if constexpr (std::is_same_v<M<D>, Hemisphere<D>>) return {e[0], e[1], e[2], 0};
  return e;
}

/// A point, a vector at it, a direction at the origin, at a distance of about `spread`.
template <template <class> class M>
struct Case {
  static constexpr int size = coordinates<M>;
  M<D> m{1.3};
  M<Q> wide{Q(1.3)};
  Point<D> x, y, v, e, omega;

  Case(std::uint64_t index, double spread)
      : x(m.random_normal(size, 1, index, spread)), y(m.random_normal(size, 2, index, spread)) {
    const Point<D> any = Euclidean<D>().random_normal(size, 3, index);
    v = m.proju(x, any);
    v = v * (1 / m.norm(x, v));
    e = Euclidean<D>().random_normal(n, 4, index);
    e = e / norm(e);
    omega = at_origin<M>(e);
  }
};

template <template <class> class M, class F>
void for_cases(const F& f) {
  for (const double spread : {0.01, 0.5, 2.0})
    for (std::uint64_t i = 0; i < 20; ++i) f(Case<M>(i, spread));
}
void expect_near(double ours, const Q& truth, double scale, const char* what) {
  EXPECT_LE(std::abs(double(Q(ours) - truth)), 64 * u * scale) << what << ": " << ours;
}

/// sinh(d / K) = <X, N> on the hyperboloid, N the unit normal at P; signed.
template <template <class> class M>
void check_planes() {
  for_cases<M>([](const Case<M>& c) {
    const Lorentz<Q> lorentz(Q(1.3));
    const auto X = convert<Lorentz>(c.wide, exact(c.y));
    const auto P = convert<Lorentz>(c.wide, exact(c.x));
    // the normal as the direction of a geodesic, which conversions keep
    const auto Y = convert<Lorentz>(c.wide, c.wide.expmap(exact(c.x), exact(c.v)));
    const auto N = lorentz.logmap(P, Y);
    Q product = -(X[0] * N[0]);
    for (int i = 1; i < N.size(); ++i) product = product + X[i] * N[i];
    const Q truth = Q(1.3) * asinh(product / (lorentz.norm(P, N) * Q(1.3)));
    const double d = c.m.dist2plane(c.y, c.x, c.v);
    // a normal is known to u, and turns the plane by as much
    expect_near(d, truth, 1.3 * std::exp(c.m.dist(c.x, c.y) / 1.3) * (1 + c.m.dist0(c.x)),
                "dist2plane");
    EXPECT_LE(std::abs(d), c.m.dist(c.x, c.y) * (1 + 64 * u));
    EXPECT_EQ(c.m.dist2plane(c.y, c.x, -c.v), -d);
  });
}
TEST(Operations, DistanceFromPlanes) {
  check_planes<PoincareBall>();
  check_planes<HalfSpace>();
  check_planes<Lorentz>();
  check_planes<Klein>();
}
TEST(Operations, DistanceFromGreatSpheresAndEuclideanPlanes) {
  for_cases<Sphere>([](const Case<Sphere>& c) {
    const auto v = exact(c.v);
    const auto p = exact(c.x);
    const auto across = v - p * Q(dot(p, v) / dot(p, p));
    const auto x = exact(c.y);
    const Q sine = dot(x, across) / sqrt(dot(across, across) * dot(x, x));
    expect_near(c.m.dist2plane(c.y, c.x, c.v), Q(1.3) * asin(sine), 1.3, "dist2plane");
  });
  for_cases<Euclidean>([](const Case<Euclidean>& c) {
    const auto a = exact(c.v);
    const Q truth = dot(exact(c.y) - exact(c.x), a) / sqrt(dot(a, a));
    expect_near(c.m.dist2plane(c.y, c.x, c.v), truth, double(abs(truth)) + c.m.dist(c.x, c.y),
                "dist2plane");
  });
}

/// B is the limit of d(x, omega(t)) - t along the geodesic from the origin to omega.
template <template <class> class M>
void check_busemann() {
  for_cases<M>([](const Case<M>& c) {
    const auto X = convert<Lorentz>(c.wide, exact(c.x));
    Q product = X[0];
    for (int i = 0; i < n; ++i) product = product - X[i + 1] * Q(c.e[i]);
    const Q truth = Q(1.3) * log(product / Q(1.3));
    const double value = c.m.busemann(c.x, c.omega);
    expect_near(value, truth, std::abs(value) + 1.3 * std::exp(2 * c.m.dist0(c.x) / 1.3),
                "busemann");
    EXPECT_LE(std::abs(value), c.m.dist0(c.x) * (1 + 64 * u) + 64 * u);
  });
}
TEST(Operations, BusemannFunctions) {
  check_busemann<PoincareBall>();
  check_busemann<Klein>();
  check_busemann<HalfSpace>();
  check_busemann<Lorentz>();
  check_busemann<Hemisphere>();
  using P = Point<D, 3>;
  const auto x = Lorentz<D>().expmap0(P(0, 0.3, 0.4));
  EXPECT_NEAR(Lorentz<D>().busemann(x, P(0, 0.6, 0.8)), -0.5, 4 * u);
  const auto y = Hemisphere<D>().expmap0(P(0.3, 0.4, 0));
  EXPECT_NEAR(Hemisphere<D>().busemann(y, P(0.6, 0.8, 0)), -0.5, 4 * u);
  EXPECT_THROW(Lorentz<D>().busemann(x, P(0.6, 0.8, 0)), DomainError);
  for (const P& omega : {P(0, 0.6, 0.8), P(0.6, 0.8, 0.1), P(0, 0, 1)})
    EXPECT_THROW(Hemisphere<D>().busemann(y, omega), DomainError);
  EXPECT_THROW(Klein<D>(1).busemann(Point<D>{0.1, 0.2}, Point<D>{1, 1}), DomainError);
}

template <template <class> class M>
void check_lengths() {
  for_cases<M>([](const Case<M>& c) {
    const double d = c.m.dist(c.x, c.y);
    EXPECT_NEAR(c.m.dist2(c.x, c.y), d * d, 4 * u * d * d);
    const auto z = c.m.geodesic_unit(0.7, c.x, c.v * 3.0);
    EXPECT_NEAR(c.m.dist(c.x, z), 0.7, 256 * u * std::exp(2 * c.m.dist0(c.x)));
    EXPECT_TRUE(c.m.geodesic_unit(0.7, c.x, c.v - c.v) == c.m.expmap(c.x, c.v - c.v));
    const auto at_origin = c.m.ptransp0back(c.x, c.v);
    EXPECT_NEAR(c.m.norm(c.m.origin(c.size), at_origin), 1, 256 * u * std::exp(c.m.dist0(c.x)));
    const auto back = c.m.ptransp0(c.x, at_origin) - c.v;
    EXPECT_LE(norm(back), 256 * u * std::exp(2 * c.m.dist0(c.x)) * norm(c.v));
    const auto shares = c.m.component_inner(c.x, c.v, c.v);
    if constexpr (std::is_same_v<M<D>, Euclidean<D>>) {
      EXPECT_EQ(shares[0], c.v[0] * c.v[0]);
    } else {
      for (int i = 0; i < c.size; ++i) EXPECT_EQ(shares[i], c.m.inner(c.x, c.v, c.v));
    }
    if constexpr (requires { c.m.lambda_x(c.x); }) {
      EXPECT_NEAR(c.m.lambda_x(c.x) * norm(c.v), c.m.norm(c.x, c.v), 32 * u);
    }
  });
}
TEST(Operations, LengthsTransportAndGeodesics) {
  check_lengths<PoincareBall>();
  check_lengths<HalfSpace>();
  check_lengths<Lorentz>();
  check_lengths<Klein>();
  check_lengths<Hemisphere>();
  check_lengths<Sphere>();
  check_lengths<Euclidean>();
}

TEST(Operations, GyrovectorsOfTheBall) {
  for_cases<PoincareBall>([](const Case<PoincareBall>& c) {
    const auto x = exact(c.x), y = exact(c.y);
    const auto expect_point = [&](const Point<D>& ours, const Point<Q>& truth, const char* what) {
      for (int i = 0; i < n; ++i) expect_near(ours[i], truth[i], 1.3, what);
    };
    // x [+] y = x (+) gyr[x, -y] y
    expect_point(c.m.mobius_coadd(c.x, c.y), c.wide.mobius_add(x, c.wide.gyration(x, -y, y)),
                 "coadd");
    expect_point(c.m.mobius_cosub(c.x, c.y), c.wide.mobius_add(x, -c.wide.gyration(x, y, y)),
                 "cosub");
    const std::vector<Point<Q>> diagonal{Point<Q>{Q(c.v[0]), Q(0), Q(0)},
                                         Point<Q>{Q(0), Q(c.v[1]), Q(0)},
                                         Point<Q>{Q(0), Q(0), Q(c.v[2])}};
    expect_point(c.m.mobius_pointwise_mul(c.v, c.x), mobius_matvec(c.wide, diagonal, x),
                 "pointwise_mul");
    const auto twice = [](const auto& w) { return w * 2.0; };
    expect_point(mobius_fn_apply(c.m, twice, c.x), c.wide.mobius_scalar_mul(Q(2), x), "fn_apply");
  });
  const PoincareBall<D> ball(1.3);
  const Point<D> zero(n), x{0.1, 0.2, 0.3};
  EXPECT_TRUE(ball.mobius_cosub(x, x) == zero);
  EXPECT_TRUE(ball.mobius_coadd(x, zero) == x);
  EXPECT_TRUE(ball.mobius_pointwise_mul(zero, x) == zero);
}

TEST(Operations, Antipodes) {
  const Sphere<D> sphere(1.3);
  const auto x = sphere.random_normal(4, 1);
  EXPECT_NEAR(sphere.dist(x, sphere.antipode(x)), 1.3 * M_PI, 8 * u);
}

/// NaN in any coordinate of any operand, and any operand that is a point outside, give NaN.
template <class Op, class M>
void check_nan(const M& m, int size) {
  constexpr std::string_view kinds = Op::operands;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto good = [&](std::size_t k) {
    Point<D> p = m.random_normal(size, 5 + k, 0, 0.3);
    if (std::string_view(Op::name) == "busemann" ||
        std::string_view(Op::name) == "horosphere_projection")
      if (k == 1) {
        if (std::is_same_v<M, Lorentz<D>>) p[0] = 0;
        if (std::is_same_v<M, Hemisphere<D>>) p[size - 1] = 0;
        p = p / norm(p);
      }
    return p;
  };
  const auto run = [&](const Point<D>& a, const Point<D>& b, const Point<D>& c, double t) {
    if constexpr (kinds == "p") return operate<Op>(m, a);
    if constexpr (kinds == "pp") return operate<Op>(m, a, b);
    if constexpr (kinds == "ppp") return operate<Op>(m, a, b, c);
    if constexpr (kinds == "npp") return operate<Op>(m, t, a, b);
    if constexpr (kinds == "ppn") return operate<Op>(m, a, b, t);
    if constexpr (kinds == "np") return operate<Op>(m, t, a);
  };
  const auto has_nan = [](const auto& r) {
    if constexpr (is_point_v<std::remove_cvref_t<decltype(r)>>) {
      for (int i = 0; i < r.size(); ++i)
        if (std::isnan(r[i])) return true;
      return false;
    } else {
      return std::isnan(r);
    }
  };
  EXPECT_FALSE(has_nan(run(good(0), good(1), good(2), 0.3))) << Op::name;
  const bool has_number = kinds.find('n') != kinds.npos;
  const std::size_t points = kinds.size() - has_number;
  for (std::size_t k = 0; k < points; ++k)
    for (int i = 0; i < size; ++i) {
      Point<D> p[3] = {good(0), good(1), good(2)};
      p[k][i] = nan;
      EXPECT_TRUE(has_nan(run(p[0], p[1], p[2], 0.3))) << Op::name << " operand " << k << ", " << i;
    }
  if (has_number) {
    EXPECT_TRUE(has_nan(run(good(0), good(1), good(2), nan))) << Op::name;
  }
}
template <class M>
void check_all_nan(const M& m, int size) {
#define MCT_CHECK(op, kinds, gives)                                                        \
  if constexpr (geometry::detail::has_operation<operation::op, M>())                       \
    if (std::string_view(#op) != "component_inner" && std::string_view(#op) != "lambda_x") \
      check_nan<operation::op>(m, size);
  MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_CHECK)
#undef MCT_CHECK
}
TEST(Operations, NaNInGivesNaNOut) {
  check_all_nan(PoincareBall<D>(1), 3);
  check_all_nan(HalfSpace<D>(1), 3);
  check_all_nan(Klein<D>(1), 3);
  check_all_nan(Lorentz<D>(1), 3);
  check_all_nan(Hemisphere<D>(1), 3);
}

}  // namespace
}  // namespace mct::geometry_test::operations_cases
