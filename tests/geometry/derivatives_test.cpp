// Derivatives of every operation of every model, traced in double, against differences of the same
// formulas in f64x4: at random points, next to the boundary, at equal points, at zero vectors.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/traced.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;
namespace formulas = mct::geometry::detail;

using D = double;
constexpr double u = 0x1p-53;
using Q = f64x4;
using Traced = formulas::Traced<D>;

/// Operands of an operation: a number, points, vectors, in the order of the operation.
template <class W>
struct Operands {
  W radius, number;
  std::array<Point<W>, 3> points;
};

template <class Op>
inline constexpr bool has_number =
    std::string_view(Op::operands).find('n') != std::string_view::npos;
template <class Op>
inline constexpr int point_count = int(std::string_view(Op::operands).size()) - has_number<Op>;

/// All inputs in one row: radius, number, coordinates.
template <class W, class F>
void for_each_input(Operands<W>& x, int points, bool with_number, const F& f) {
  f(x.radius);
  if (with_number) f(x.number);
  for (int k = 0; k < points; ++k)
    for (int i = 0; i < x.points[std::size_t(k)].size(); ++i) f(x.points[std::size_t(k)][i]);
}

template <class Op, class V, class F, class W>
auto apply(const F& f, const Operands<W>& x) {
  constexpr std::string_view kinds = Op::operands;
  const auto& [a, b, c] = x.points;
  if constexpr (kinds == "p") return Op::template on<V>(f, a);
  if constexpr (kinds == "pp") return Op::template on<V>(f, a, b);
  if constexpr (kinds == "ppp") return Op::template on<V>(f, a, b, c);
  if constexpr (kinds == "npp") return Op::template on<V>(f, x.number, a, b);
  if constexpr (kinds == "ppn") return Op::template on<V>(f, a, b, x.number);
  if constexpr (kinds == "np") return Op::template on<V>(f, x.number, a);
}

template <class W>
W component(const W& x, int) {
  return x;
}
template <class W>
W component(const Point<W>& x, int i) {
  return x[i];
}
template <class W>
int components(const W&) {
  return 1;
}
template <class W>
int components(const Point<W>& x) {
  return x.size();
}

template <class Op, template <class> class F, class W>
auto value(const Operands<W>& x) {
  F<W> f;
  f.radius = x.radius;
  return apply<Op, float>(f, x);  // a direction of length 1 to its rounding
}

/// The derivatives of component r of the result by all inputs.
template <class Op, template <class> class F>
std::vector<double> traced_derivatives(const Operands<D>& given, int r) {
  auto& trace = formulas::Trace<D>::current();
  trace.clear();
  Operands<Traced> traced{Traced::input(given.radius), Traced::input(given.number), {}};
  for (std::size_t k = 0; k < 3; ++k)
    traced.points[k] = formulas::off_zero(formulas::generate<Point<Traced>>(
        given.points[k].size(), [&](int i) { return Traced::input(given.points[k][i]); }));
  const auto z = component(value<Op, F>(traced), r);
  trace.begin_backward();
  trace.add(z.index, 1);
  trace.backward();
  std::vector<double> all;
  for_each_input(traced, point_count<Op>, has_number<Op>,
                 [&](const Traced& x) { all.push_back(trace.derivative(x.index)); });
  return all;
}

/// The largest error of a derivative of an operation, relative to the largest derivative of the
/// same result by an operand of its kind.
template <class Op, template <class> class F>
double worst_error(const Operands<D>& given) {
  const int points = point_count<Op>;
  const bool with_number = has_number<Op>;
  Operands<Q> exact{Q(given.radius), Q(given.number), {}};
  for (std::size_t k = 0; k < 3; ++k)
    exact.points[k] = formulas::generate<Point<Q>>(given.points[k].size(),
                                                   [&](int i) { return Q(given.points[k][i]); });
  const int results = components(value<Op, F>(given));
  std::vector<std::vector<double>> ours, truth;
  for (int r = 0; r < results; ++r) {
    ours.push_back(traced_derivatives<Op, F>(given, r));
    truth.emplace_back();
    const Q step(0x1p-90);
    for_each_input(exact, points, with_number, [&](Q& x) {
      const Q at = x;
      x = at + step;
      const Q above = component(value<Op, F>(exact), r);
      x = at - step;
      const Q below = component(value<Op, F>(exact), r);
      x = at;
      truth.back().push_back(double((above - below) / (step + step)));
    });
  }
  // operand by operand: the radius, the number, each point
  double worst = 0;
  std::size_t at = 0;
  const auto compare = [&](std::size_t count) {
    double largest = 0, error = 0;
    for (std::size_t r = 0; r < ours.size(); ++r) {
      // what rounding a result of this size leaves
      largest = std::max(largest, std::abs(double(component(value<Op, F>(given), int(r)))));
      for (std::size_t i = at; i < at + count; ++i) {
        largest = std::max(largest, std::abs(truth[r][i]));
        error = std::max(error, std::abs(ours[r][i] - truth[r][i]));
        if (!(ours[r][i] == ours[r][i])) error = INFINITY;
      }
    }
    at += count;
    if (error > 1e-20) worst = std::max(worst, error / largest);
  };
  compare(1);
  if (with_number) compare(1);
  for (int k = 0; k < points; ++k) compare(std::size_t(given.points[std::size_t(k)].size()));
  return worst;
}

/// Points and vectors as an operation of this name wants them.
template <template <class> class F, class M>
Operands<D> operands(const M& m, std::string_view op, int n, std::uint64_t index, double spread) {
  Operands<D> x{m.radius(), 0.3, {}};
  for (std::size_t k = 0; k < 3; ++k) x.points[k] = m.random_normal(n, 100 + k, index, spread);
  const auto vector = [&](std::size_t at, std::size_t k) {
    const Point<D> any = Euclidean<D>().random_normal(n, 200 + k, index);
    const Point<D> v = m.proju(x.points[at], any);
    x.points[k] = v * (norm(any) / m.norm(x.points[at], v));
  };
  const auto origin_vector = [&](std::size_t k) {
    const Point<D> any = Euclidean<D>().random_normal(n, 200 + k, index);
    x.points[k] = m.proju(m.origin(n), any);
  };
  if (op == "inner" || op == "component_inner") vector(0, 1), vector(0, 2);
  if (op == "norm" || op == "expmap" || op == "retr" || op == "geodesic_unit" || op == "proju" ||
      op == "egrad2rgrad" || op == "ptransp0back")
    vector(0, 1);
  if (op == "expmap0" || op == "mobius_pointwise_mul") origin_vector(0);
  if (op == "ptransp0") origin_vector(1);
  if (op == "ptransp" || op == "gyration") vector(0, 2);
  if (op == "dist2plane") vector(1, 2);
  if (op == "busemann" || op == "horosphere_projection") {
    origin_vector(1);
    x.points[1] = x.points[1] / norm(x.points[1]);
  }
  return x;
}

/// Operations whose results do not depend on rounding the operands more, however far out these are.
constexpr bool has_no_condition(std::string_view op) {
  for (const std::string_view each : {"dist", "dist2", "dist0", "norm", "inner", "logmap0",
                                      "lambda_x", "egrad2rgrad", "ptransp0", "ptransp0back"})
    if (op == each) return true;
  return false;
}

template <template <class> class F, class M, class Op>
void check(const M& m, int n, Op) {
  if constexpr (formulas::has_operation<Op, M>()) {
    for (const double spread : {0.01, 0.5, 2.0, 8.0}) {
      if (spread > 2 && !has_no_condition(Op::name)) continue;
      for (std::uint64_t i = 0; i < 12; ++i)
        EXPECT_LT((worst_error<Op, F>(operands<F>(m, Op::name, n, i, spread))), 512 * u)
            << Op::name << " spread " << spread << " case " << i;
    }
  }
}

template <template <class> class F, class M>
void check_all(const M& m, int n) {
#define MCT_CHECK(op, kinds, gives) \
  if (std::string_view(#op) != "projx") check<F>(m, n, operation::op());
  MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_CHECK)
#undef MCT_CHECK
}

TEST(Derivatives, Ball) { check_all<formulas::BallFormulas>(PoincareBall<D>(1.3), 3); }
TEST(Derivatives, HalfSpace) { check_all<formulas::HalfSpaceFormulas>(HalfSpace<D>(1.3), 3); }
TEST(Derivatives, Lorentz) { check_all<formulas::LorentzFormulas>(Lorentz<D>(1.3), 3); }
TEST(Derivatives, Klein) { check_all<formulas::KleinFormulas>(Klein<D>(1.3), 3); }
TEST(Derivatives, Hemisphere) { check_all<formulas::HemisphereFormulas>(Hemisphere<D>(1.3), 3); }
TEST(Derivatives, Sphere) { check_all<formulas::SphereFormulas>(Sphere<D>(1.3), 3); }

/// What a smooth formula does where it divides by the length of a zero vector: at equal points, for
/// vectors that are zero, at the origin.
template <template <class> class F, class M>
void check_corners(const M& m, int n) {
  for (std::uint64_t i = 0; i < 6; ++i) {
    auto x = operands<F>(m, "expmap", n, i, 1);
    x.points[1] = Point<D>(n);
    EXPECT_LT((worst_error<operation::expmap, F>(x)), 64 * u) << "expmap of 0";
    EXPECT_LT((worst_error<operation::retr, F>(x)), 64 * u) << "retr of 0";
    x.points[1] = x.points[0];
    // an end itself is given back as it is, its time included, which no formula reads
    constexpr bool reads_all = !std::is_same_v<F<D>, formulas::LorentzFormulas<D>>;
    if (reads_all) {
      EXPECT_LT((worst_error<operation::geodesic, F>(x)), 64 * u) << "geodesic of equal points";
    }
    EXPECT_LT((worst_error<operation::logmap, F>(x)), 64 * u) << "logmap of equal points";
    EXPECT_LT((worst_error<operation::dist2, F>(x)), 64 * u) << "dist2 of equal points";
    x.points[2] = m.proju(x.points[0], Euclidean<D>().random_normal(n, 9, i));
    EXPECT_LT((worst_error<operation::ptransp, F>(x)), 64 * u) << "ptransp of equal points";
    x.points[1] = operands<F>(m, "dist", n, i, 1).points[1];
    for (const double t : {0.0, 1.0}) {
      x.number = t;
      if (!reads_all) continue;
      EXPECT_LT((worst_error<operation::geodesic, F>(x)), 256 * u) << "geodesic at " << t;
    }
    x.number = 0;
    x.points[1] = m.proju(x.points[0], x.points[2]);
    EXPECT_LT((worst_error<operation::geodesic_unit, F>(x)), 64 * u) << "geodesic_unit at 0";
    for (const double apart : {1e-3, 1e-6, 1e-12}) {
      x.number = 0.3;
      x.points[1] = m.expmap(x.points[0], m.proju(x.points[0], x.points[2]) * apart);
      EXPECT_LT((worst_error<operation::geodesic, F>(x)), 512 * u)
          << "geodesic of points " << apart;
    }
    x.points[1] = x.points[0];
    x.points[0] = m.origin(n);
    x.points[2] = m.proju(x.points[0], x.points[2]);
    EXPECT_LT((worst_error<operation::logmap, F>(x)), 64 * u) << "logmap at the origin";
    EXPECT_LT((worst_error<operation::ptransp, F>(x)), 64 * u) << "ptransp from the origin";
    x.points[1] = Point<D>(n);
    EXPECT_LT((worst_error<operation::expmap, F>(x)), 64 * u) << "expmap of 0 at the origin";
  }
}
TEST(DerivativesAtCorners, Ball) { check_corners<formulas::BallFormulas>(PoincareBall<D>(1.3), 3); }
TEST(DerivativesAtCorners, HalfSpace) {
  check_corners<formulas::HalfSpaceFormulas>(HalfSpace<D>(1.3), 3);
}
TEST(DerivativesAtCorners, Lorentz) {
  check_corners<formulas::LorentzFormulas>(Lorentz<D>(1.3), 3);
}
TEST(DerivativesAtCorners, Klein) { check_corners<formulas::KleinFormulas>(Klein<D>(1.3), 3); }
TEST(DerivativesAtCorners, Sphere) { check_corners<formulas::SphereFormulas>(Sphere<D>(1.3), 3); }

/// The distance of y from the end of a step.
struct distance_of_end {
  static constexpr std::string_view operands = "ppp";
  template <class V, class F, class W>
  static W on(const F& f, const Point<W>& x, const Point<W>& v, const Point<W>& y) {
    return f.dist(f.expmap(x, v), y);
  }
};
/// Steps beyond the range of the type end at the longest length: their direction has derivatives.
TEST(DerivativesFarOut, Lorentz) {
  const Lorentz<D> m(1.3);
  for (std::uint64_t i = 0; i < 6; ++i) {
    auto x = operands<formulas::LorentzFormulas>(m, "expmap", 3, i, 1);
    const auto along = x.points[1] / m.norm(x.points[0], x.points[1]);
    for (const double length : {950.0, 1300.0, 3000.0}) {
      x.points[1] = along * length;
      EXPECT_LT((worst_error<distance_of_end, formulas::LorentzFormulas>(x)), 4096 * u) << length;
      EXPECT_LT((worst_error<operation::expmap, formulas::LorentzFormulas>(x)), 4096 * u) << length;
    }
    // inward through the origin, from where X and U cancel
    x.points[0] = {0, 0x1.5p40, 0x1p40};
    x.points[1] = x.points[0] * -720.0;
    EXPECT_LT((worst_error<distance_of_end, formulas::LorentzFormulas>(x)), 0x1p20 * u);
  }
}

// coth s - 1/s, which cancels below 1: there the continued fraction, of more parts for more limbs.
TEST(Langevin, OfExpansionsHasAllLimbs) {
  for (const double s : {1e-6, 0.03125, 0.25, 0.75, 1.0, 1.25, 3.0}) {
    const f64x4 x(s);
    const f64x4 e = exp(2 * x);
    const f64x4 exact = (e + 1) / (e - 1) - 1 / x;
    EXPECT_LE(std::abs(double(formulas::langevin_of(D(s)) / exact - 1)), 8 * u) << s;
    EXPECT_LE(std::abs(double(formulas::langevin_of(f64x2(s)) / exact - 1)), 16 * u * u) << s;
    EXPECT_LE(std::abs(double(formulas::langevin_of(f64x3(s)) / exact - 1)), 32 * u * u * u) << s;
  }
}

TEST(Derivatives, Euclidean) { check_all<formulas::EuclideanFormulas>(Euclidean<D>(1.3), 3); }

}  // namespace
}  // namespace mct::geometry_test
