// Riemannian optimizers far from the origin: every representation that goes there, at distance 600.
#include <gtest/gtest.h>

#include "tests/files.hpp"
#include "tests/geometry/riemannian_spaces.hpp"
#include "validation/geometry/tiling_tangents.hpp"

namespace mct::geometry_test {
namespace {

using validation::combined;
using validation::followed;
using validation::tangent_length;
using validation::transported;
using validation::true_distance;
using validation::Truth;
using validation::truth_of;
using validation::TruthPrecision;
using validation::way;

/// A row 600 away from the origin, and what a row and a vector stand for in MPFR.
template <class Rows>
struct Far;
template <class S, class T, int M, int n>
struct Far<HalfSpaceRows<S, T, M, n>> {
  using Rows = HalfSpaceRows<S, T, M, n>;
  using P = typename Rows::RowPoint;
  static Rows make() { return Rows(1); }
  static P origin(const Rows&) { return S::template origin<n>(); }
  static P goal(const Rows& rows) {
    typename Rows::Vector v{};
    v[0] = T(560);
    v[n - 1] = T(-200);
    return rows.expmap(origin(rows), v);
  }
  static typename Rows::Vector vector(const Rows&, double a, double b) {
    typename Rows::Vector v{};
    v[0] = T(a);
    v[n - 1] = T(b);
    return v;
  }
  static std::vector<Truth> truth(const P& p) {
    std::vector<Truth> r;
    for (const auto& x : p.x) {
      Truth sum = 0;
      for (const T limb : x.limb) sum += Truth(double(limb));
      r.push_back(sum);
    }
    if constexpr (Rows::is_logarithmic) {
      r.push_back(exp(truth_of(p.height)));
    } else {
      r.push_back(truth_of(p.height));
    }
    return r;
  }
  static std::vector<Truth> truth(const P&, const typename Rows::Vector& v) {
    return {v.begin(), v.end()};
  }
};
template <class V>
struct Far<TilingRows<LTiling<V>>> {
  using Rows = TilingRows<LTiling<V>>;
  using P = typename Rows::RowPoint;
  static Rows make() { return Rows(); }
  static P origin(const Rows& rows) { return rows.space().origin(); }
  static P goal(const Rows& rows) { return rows.space().from_polar(V(600), {V(0.6), V(0.8)}); }
  static typename Rows::Vector vector(const Rows&, double a, double b) { return {V(a), V(b)}; }
  static validation::Truth3 truth(const P& p) { return truth_of(p); }
  static validation::Truth3 truth(const P& p, const typename Rows::Vector& v) {
    return validation::lifted(p, v);
  }
};
template <class V, std::size_t n>
struct Far<TilingRows<HTiling<V, n>>> {
  using Rows = TilingRows<HTiling<V, n>>;
  using P = typename Rows::RowPoint;
  static Rows make() { return Rows(); }
  static P origin(const Rows& rows) { return rows.space().origin(); }
  static P goal(const Rows& rows) { return rows.expmap(origin(rows), vector(rows, 560, -200)); }
  static typename Rows::Vector vector(const Rows&, double a, double b) {
    typename Rows::Vector v{};
    v[0] = V(a);
    v[n - 1] = V(b);
    return v;
  }
  static std::vector<Truth> truth(const P& p) { return truth_of(p); }
  static std::vector<Truth> truth(const P& p, const typename Rows::Vector& v) {
    std::vector<Truth> r;
    for (const V& c : v) r.push_back(truth_of(c) / truth_of(p.z[n - 1]));
    return r;
  }
};
template <>
struct Far<TilingRows<LTilingProduct<double>>> {
  using Rows = TilingRows<LTilingProduct<double>>;
  using P = Rows::RowPoint;
  static Rows make() { return Rows(LTilingProduct<double>(2)); }
  static P origin(const Rows& rows) { return rows.space().origin(); }
  static P goal(const Rows& rows) {
    const auto& plane = rows.space().factor();
    return {plane.from_polar(480, {0.6, 0.8}), plane.from_polar(360, {-1, 0.1})};
  }
  static Rows::Vector vector(const Rows&, double a, double b) { return {{a, b}, {-b, a}}; }
};

/// One row and the point that it is pulled to by the gradient of d^2 / 2, from a distance of 2 on
/// by that of 2 d: to the side, d^2 / 2 has the curvature d coth d, which no step of useful size
/// bears.
template <class Rows>
struct Pull {
  using T = typename Rows::Component;
  using S = Space<Rows>;
  Rows space = Far<Rows>::make();
  typename Rows::RowPoint goal = Far<Rows>::goal(space);
  typename Rows::Points points = make_points(space, 1);

  explicit Pull(const typename Rows::RowPoint& start) { space.store(points, 0, start); }
  Tensor<T> gradient() const {
    auto g = S::gradient(space, space.load(points, 0), goal);
    for (T& c : g) c *= T(std::min(1.0, 2 / distance()));
    return Tensor<T>::from_values(g, {1, S::columns});
  }
  double distance() const { return S::distance(space, space.load(points, 0), goal); }
  static constexpr double u = FloatTraits<T>::u;
};

template <class Rows>
class RiemannianFarTest : public ::testing::Test {};
using Xmc20 = HalfSpaceRows<XmcHalfSpace<double, 20>, double, 20, 3>;
using Log20 = HalfSpaceRows<LogHalfSpace<double, 20>, double, 20, 2>;
using LRows = TilingRows<LTiling<double>>;
using HRows = TilingRows<HTiling<double, 3>>;
using PRows = TilingRows<LTilingProduct<double>>;
using FarRows = ::testing::Types<Xmc20, Log20, LRows, HRows, PRows>;
TYPED_TEST_SUITE(RiemannianFarTest, FarRows);

TYPED_TEST(RiemannianFarTest, DescentGoesFromTheOriginToDistance600) {
  using F = Far<TypeParam>;
  for (const bool nesterov : {false, true}) {
    Pull<TypeParam> pull(F::origin(F::make()));
    EXPECT_GT(pull.distance(), 590);
    Rsgd<TypeParam> optimizer(
        pull.space, pull.points,
        {.lr = 0.1, .momentum = 0.5, .nesterov = nesterov, .burn_in = {10, 0.1}});
    // 0.4 a step: geodesics part by the square of that, which the pull of 0.2 to the side outweighs
    for (int i = 0; i < 1900; ++i) ASSERT_EQ(optimizer.step(pull.gradient()).updated, 1);
    EXPECT_LE(pull.distance(), 16 * pull.u) << nesterov;
  }
}

TYPED_TEST(RiemannianFarTest, AdamGoesThereToo) {
  using F = Far<TypeParam>;
  for (const bool amsgrad : {false, true}) {
    const TypeParam space = F::make();
    Pull<TypeParam> pull(space.expmap(F::goal(space), F::vector(space, 0.7, 0.4)));
    EXPECT_GT(pull.distance(), 0.1);
    Radam<TypeParam> optimizer(
        pull.space, pull.points,
        {.lr = 0.1, .beta1 = 0.5, .beta2 = 0.9, .amsgrad = amsgrad, .burn_in = {5, 0.1}});
    for (int i = 0; i < 900; ++i) {
      if (!amsgrad) optimizer.set_lr(0.1 * std::pow(0.96, i));
      ASSERT_EQ(optimizer.step(pull.gradient()).updated, 1);
    }
    EXPECT_LE(pull.distance(), 16 * pull.u) << amsgrad;
  }
}

TYPED_TEST(RiemannianFarTest, DecayLeadsToTheOrigin) {
  using F = Far<TypeParam>;
  const TypeParam space = F::make();
  const auto goal = F::goal(space);
  const auto length = [&](const auto& x) {
    return std::sqrt(space.squared_norm(x, space.to_origin(x)));
  };
  const double before = length(goal);
  for (const bool decoupled : {false, true}) {
    Pull<TypeParam> pull(goal);
    RadamOptions adam = radamw_defaults();
    adam.lr = 0.01;
    adam.weight_decay = 0.1;
    const Tensor<double> zero({1, Space<TypeParam>::columns});
    if (decoupled) {
      Radam<TypeParam> optimizer(space, pull.points, adam);
      EXPECT_EQ(optimizer.step(zero).updated, 1);
    } else {
      Rsgd<TypeParam> optimizer(space, pull.points, {.lr = 0.01, .weight_decay = 0.1});
      EXPECT_EQ(optimizer.step(zero).updated, 1);
    }
    EXPECT_NEAR(length(space.load(pull.points, 0)) / before, 0.999, 1e-13);
  }
}

/// The same steps in MPFR, from the same starting point.
template <class Rows>
class Reference {
  using F = Far<Rows>;
  using P = decltype(F::truth(std::declval<typename Rows::RowPoint>()));

 public:
  Reference(const Rows& space, const typename Rows::RowPoint& start)
      : x_(F::truth(start)), goal_(F::truth(F::goal(space))), origin_(F::truth(F::origin(space))) {}

  void descend(double lr, double momentum, bool nesterov) {
    const P g = gradient();
    momentum_ = first_ ? g : combined(momentum, momentum_, 1, g);
    move(scaled(-lr, nesterov ? combined(1, g, momentum, momentum_) : momentum_));
  }
  void adapt(const RadamOptions& o) {
    const P g = gradient();
    momentum_ = first_ ? scaled(1 - o.beta1, g) : combined(o.beta1, momentum_, 1 - o.beta1, g);
    const Truth length = tangent_length(g);
    second_ = o.beta2 * second_ + (1 - o.beta2) * length * length;
    ++steps_;
    const Truth root = sqrt(second_ / (1 - pow(Truth(o.beta2), steps_))) + o.eps;
    move(scaled(-o.lr / (1 - pow(Truth(o.beta1), steps_)) / root, momentum_));
    move(scaled(Truth(o.lr) * o.weight_decay, way(x_, origin_)));
  }
  /// How far the row is, and by how much its momentum is off.
  double distance(const typename Rows::RowPoint& x) const {
    return double(true_distance(F::truth(x), x_));
  }
  double momentum_error(const typename Rows::RowPoint& x, const typename Rows::Vector& b) const {
    const P here = transported(x_, F::truth(x), momentum_);
    return double(tangent_length(combined(1, F::truth(x, b), -1, here)));
  }

 private:
  P gradient() const {
    const Truth d = true_distance(x_, goal_);
    return scaled(d > 2 ? Truth(-2 / d) : Truth(-1), way(x_, goal_));
  }
  static P scaled(const Truth& a, const P& v) { return combined(a, v, 0, v); }
  void move(const P& v) {
    const P y = followed(x_, v);
    momentum_ = transported(x_, y, momentum_);
    x_ = y;
    first_ = false;
  }

  P x_, goal_, origin_;
  P momentum_{};
  Truth second_ = 0;
  bool first_ = true;
  int steps_ = 0;
};

template <class Rows>
class RiemannianReferenceTest : public ::testing::Test {};
using ReferenceRows = ::testing::Types<Xmc20, Log20, LRows, HRows>;
TYPED_TEST_SUITE(RiemannianReferenceTest, ReferenceRows);

// Where it is and where it should be, after twelve steps at distance 600, momentum 6 at most: some
// u, as next to the origin.
TYPED_TEST(RiemannianReferenceTest, MomentumAgreesWithMpfr) {
  using F = Far<TypeParam>;
  const TruthPrecision precision(9000);
  const TypeParam space = F::make();
  for (const bool nesterov : {false, true}) {
    const auto start = space.expmap(F::goal(space), F::vector(space, 1.5, -2.0));
    Pull<TypeParam> pull(start);
    Reference<TypeParam> exact(space, start);
    Rsgd<TypeParam> optimizer(space, pull.points,
                              {.lr = 0.1, .momentum = 0.75, .nesterov = nesterov});
    for (int i = 1; i <= 12; ++i) {
      optimizer.step(pull.gradient());
      exact.descend(0.1, 0.75, nesterov);
      const auto x = space.load(pull.points, 0);
      EXPECT_LE(exact.distance(x), 16 * pull.u) << i;
      EXPECT_LE(exact.momentum_error(x, optimizer.momentum(0)), 32 * pull.u) << i;
    }
  }
}

TYPED_TEST(RiemannianReferenceTest, AdamAgreesWithMpfr) {
  using F = Far<TypeParam>;
  const TruthPrecision precision(9000);
  const TypeParam space = F::make();
  const auto start = space.expmap(F::goal(space), F::vector(space, 1.5, -2.0));
  Pull<TypeParam> pull(start);
  Reference<TypeParam> exact(space, start);
  RadamOptions options = radamw_defaults();
  options.lr = 0.125;
  options.weight_decay = 0x1p-10;
  Radam<TypeParam> optimizer(space, pull.points, options);
  for (int i = 1; i <= 12; ++i) {
    optimizer.step(pull.gradient());
    exact.adapt(options);
    const auto x = space.load(pull.points, 0);
    EXPECT_LE(exact.distance(x), 16 * pull.u) << i;
    EXPECT_LE(exact.momentum_error(x, optimizer.first_moment(0)), 32 * pull.u) << i;
  }
}

template <class Rows>
class RiemannianKeptTest : public ::testing::Test {};
using Xmc12f = HalfSpaceRows<XmcHalfSpace<float, 12>, float, 12, 3>;
using KeptRows = ::testing::Types<Xmc20, Log20, Xmc12f>;
TYPED_TEST_SUITE(RiemannianKeptTest, KeptRows);

/// A new radius at distance 600 (float: 80) with distances from the origin kept, against MPFR: the
/// place is right to the rounding of its height.
TYPED_TEST(RiemannianKeptTest, ManyComponentsKeepDistances) {
  using F = Far<TypeParam>;
  using T = typename TypeParam::Component;
  const TruthPrecision precision(9000);
  const TypeParam space(1.5);
  const auto origin = F::origin(space);
  constexpr double u = FloatTraits<T>::u;
  const double size = sizeof(T) == 8 ? 1 : 0.13;
  for (const auto& [a, b] : {std::pair{560.0, -200.0},
                             {200.0, 100.0},
                             {0.001, -0.002},
                             {3.0, 500.0},
                             {-4.0, -550.0},
                             {0.0, 2.0}}) {
    for (const double radius : {1.25, 2.0, 9.0}) {
      const TypeParam to(radius);
      const double grown = radius < 1.5 ? 0.8 : 1;
      const auto x = space.expmap(origin, F::vector(space, a * size * grown, b * size * grown));
      const auto y = space.rescaled(to, Rescaling::keep_distances, x);
      const auto zero = F::truth(origin);
      const auto way_there = way(zero, F::truth(x));
      const Truth factor = Truth(1.5) / Truth(radius);
      const auto exact = followed(zero, combined(factor, way_there, 0, way_there));
      const double height = std::max(1.0, std::fabs(double(log(exact.back()))));
      const double bound = TypeParam::is_logarithmic ? u * u * height : u;
      EXPECT_LE(double(true_distance(F::truth(y), exact)), bound) << a << ' ' << radius;
      // and back: the rounded height points off the way by e^-d, which grows to less than 1 on a
      // way at most twice as long
      const auto back = to.rescaled(space, Rescaling::keep_distances, y);
      if (radius < 3) {
        EXPECT_LE(double(true_distance(F::truth(back), F::truth(x))), 16 * u * radius);
      }
      const auto v = F::vector(space, 0.25, 0.5);
      const auto w = space.rescaled(to, Rescaling::keep_distances, x, y, v);
      EXPECT_NEAR(to.squared_norm(y, w) / space.squared_norm(x, v), 1, 32 * u);
    }
  }
  EXPECT_THROW(space.rescaled(TypeParam(1e-5), Rescaling::keep_distances,
                              space.expmap(origin, F::vector(space, 40, 1))),
               DomainError);
}

template <class Rows>
class RiemannianKeptTilingTest : public ::testing::Test {};
using KeptTilings = ::testing::Types<LRows, TilingRows<LTiling<f64x2>>, TilingRows<LTiling<float>>,
                                     HRows, TilingRows<HTiling<f64x2, 2>>>;
TYPED_TEST_SUITE(RiemannianKeptTilingTest, KeptTilings);

TYPED_TEST(RiemannianKeptTilingTest, TilingsKeepDistances) {
  using F = Far<TypeParam>;
  const TruthPrecision precision(9000);
  const TypeParam space = TypeParam().with_radius(1.5);
  const auto origin = F::origin(space);
  const double u = tiling_detail::unit_roundoff<typename TypeParam::Value>();
  for (const auto& [a, b] : {std::pair{560.0, -200.0},
                             {200.0, 100.0},
                             {0.001, -0.002},
                             {3.0, 500.0},
                             {-4.0, -550.0},
                             {0.0, 2.0},
                             {0.0, 0.0}}) {
    for (const double radius : {1.25, 2.0, 9.0}) {
      const TypeParam to = TypeParam().with_radius(radius);
      const auto x = space.expmap(origin, F::vector(space, a, b));
      const auto y = space.rescaled(to, Rescaling::keep_distances, x);
      EXPECT_TRUE(to.is_point(y));
      const auto zero = F::truth(origin);
      const auto way_there = way(zero, F::truth(x));
      const Truth factor = Truth(1.5) / Truth(radius);
      const auto exact = followed(zero, combined(factor, way_there, 0, way_there));
      EXPECT_LE(double(true_distance(F::truth(y), exact)), 4 * u) << a << ' ' << radius;
      const auto v = F::vector(space, 0.25, 0.5);
      const auto w = space.rescaled(to, Rescaling::keep_distances, x, y, v);
      EXPECT_NEAR(to.squared_norm(y, w) / space.squared_norm(x, v), 1,
                  256 * u + 4 * FloatTraits<double>::u);
    }
  }
  const auto far = space.expmap(origin, F::vector(space, 5000, 1));
  EXPECT_THROW(space.rescaled(TypeParam().with_radius(0.5), Rescaling::keep_distances, far),
               DomainError);
}

TEST(FarScaling, RefusesWhatHasNoMeaning) {
  ComponentsOfPoint point;
  point.x = {{1.0}};
  point.height = {1.0};
  EXPECT_EQ(scaled_from_origin(point, 2, 2).height.size(), 1U);
  EXPECT_THROW(scaled_from_origin(point, 0, 1), DomainError);
  EXPECT_THROW(scaled_from_origin(point, 1, std::nan("")), DomainError);
  EXPECT_THROW(scaled_from_origin(point, HUGE_VAL, 1), DomainError);
  EXPECT_THROW(scaled_from_origin(point, 1e6, 1), DomainError);
  point.x[0].assign(1000, 0);
  EXPECT_THROW(scaled_from_origin(point, 1, 2), DomainError);
  // the origin stays
  point.x = {{0.0, 0.0}};
  EXPECT_EQ(scaled_from_origin(point, 5, 2).height[0], 1);
}

template <class Rows>
class RiemannianTilingFilesTest : public ::testing::Test {};
using TilingTypes = ::testing::Types<LRows, HRows, PRows, TilingRows<LTiling<f64x2>>,
                                     TilingRows<HTiling<float, 2>>>;
TYPED_TEST_SUITE(RiemannianTilingFilesTest, TilingTypes);

/// Points 600 away and the optimizer's state in files: a run that stops and starts again has the
/// bits of one that does not.
TYPED_TEST(RiemannianTilingFilesTest, PointsAndStateResumeBitForBit) {
  using S = Space<TypeParam>;
  using T = typename TypeParam::Component;
  const testing::TemporaryDirectory folder;
  const TypeParam space = S::make(2);
  constexpr std::int64_t rows = 5;
  const auto start = [&] {
    auto points = make_points(space, rows);
    for (std::int64_t i = 0; i < rows; ++i) {
      auto x = S::random(space, std::uint64_t(i));
      const auto way = space.scaled(-(i == 4 ? 0.0 : 30.0), space.to_origin(x));
      for (int k = 0; k < 20; ++k) x = space.expmap(x, space.scaled(0.5 + k % 2, way));
      space.store(points, i, x);
    }
    return points;
  };
  const auto gradient = [&](const auto& points) {
    std::vector<T> all;
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto x = space.load(points, i);
      const auto goal = space.load(points, (i + 1) % rows);
      for (const T g : S::gradient(space, x, goal)) all.push_back(g / T(100));
    }
    return Tensor<T>::from_values(all, {rows, S::columns});
  };
  const auto run = [&](int stop) {
    auto points = start();
    RadamOptions options = radamw_defaults();
    options.lr = 0.3;
    options.amsgrad = true;
    auto optimizer = std::make_unique<Radam<TypeParam>>(space, points, options);
    for (int i = 0; i < 12; ++i) {
      if (i == stop) {
        optimizer->save(folder.path() / "state");
        save_points(folder.path() / "points", points);
        points = make_points(space, rows);
        load_points(folder.path() / "points", points);
        optimizer = std::make_unique<Radam<TypeParam>>(space, points, options);
        optimizer->load(folder.path() / "state");
      }
      EXPECT_EQ(optimizer->step(gradient(points)).updated, rows);
    }
    return all_bits(space, points);
  };
  const auto whole = run(-1);
  EXPECT_NE(whole, all_bits(space, start()));
  EXPECT_EQ(whole, run(1));
  EXPECT_EQ(whole, run(7));
}

TYPED_TEST(RiemannianTilingFilesTest, FilesThatHoldNoPointsAreRefused) {
  using T = typename TypeParam::Component;
  constexpr int N = TypeParam::components;
  const testing::TemporaryDirectory folder;
  const auto path = folder.path() / "points";
  const TypeParam space = Space<TypeParam>::make(1);
  const auto points = make_points(space, 2);
  save_points(path, points);
  const SafetensorsReader reader(path);
  const auto words = reader.template load<std::int64_t, 1>("tiles").values();
  const auto places = reader.template load<T, N>("places");
  const auto refused = [&](const std::vector<std::int64_t>& tiles, const Tensor<T, N>& x) {
    SafetensorsWriter writer;
    writer.add("tiles", Tensor<std::int64_t>::from_values(tiles));
    writer.add("places", x);
    writer.save(path);
    EXPECT_THROW(load_points(path, points), IoError);
  };
  for (const std::int64_t head : {std::int64_t(7), INT64_MAX, INT64_MIN, std::int64_t(-1000000)}) {
    auto bad = words;
    bad[0] = head;
    refused(bad, places);
  }
  auto longer = words;
  longer.push_back(0);
  refused(longer, places);
  auto shorter = words;
  shorter.pop_back();
  refused(shorter, places);
  auto outside = places.clone();
  outside.data(0)[1] = T(3);
  refused(words, outside);
  outside.data(0)[1] = std::numeric_limits<T>::quiet_NaN();
  refused(words, outside);
  refused(words, Tensor<T, N>({3, places.size(1)}));
  EXPECT_THROW(load_points(folder.path() / "none", points), IoError);
  EXPECT_EQ(all_bits(space, points), all_bits(space, make_points(space, 2)));
}

TYPED_TEST(RiemannianTilingFilesTest, StepsThatCannotBeFollowedAndBadPoints) {
  using T = typename TypeParam::Component;
  const TypeParam space = Space<TypeParam>::make(1);
  const auto points = make_points(space, 3);
  Rsgd<TypeParam> optimizer(space, points, {.lr = 1e30, .momentum = 0.5});
  Tensor<T> gradient({3, Space<TypeParam>::columns});
  gradient.set({1, 0}, T(1));
  const auto outcome = optimizer.step(gradient);
  EXPECT_EQ(outcome.updated, 2);
  EXPECT_EQ(outcome.nonfinite, 1);
  EXPECT_EQ(all_bits(space, points), all_bits(space, make_points(space, 3)));
  EXPECT_THROW(space.with_radius(-1), DomainError);
  optimizer.set_radius(2, Rescaling::rescale_distances);
  EXPECT_EQ(optimizer.space().radius(), 2);
  optim_detail::place_of(points[2], 0) = typename TypeParam::Value(T(5));
  EXPECT_THROW((Rsgd<TypeParam>(space, points, {})), DomainError);
}

TEST(RiemannianTilings, ProductsOfAnotherSizeAreRefused) {
  const PRows space(LTilingProduct<double>(2));
  const PRows::Points points(1, LTilingProduct<double>(3).origin());
  EXPECT_THROW((Rsgd<PRows>(space, points, {})), ShapeError);
  EXPECT_THROW(PRows::Points(-1, space.space().origin()), ShapeError);
  EXPECT_THROW(points.copy_(PRows::Points(2, space.space().origin())), ShapeError);
}

TEST(RiemannianPlanes, PointsOfManyComponentsArePlanes) {
  const Xmc20 space(1);
  const auto refused = [&](const Shape& shape) {
    EXPECT_THROW((Rsgd<Xmc20>(space, Tensor<double>(shape), {})), ShapeError);
  };
  refused({4, 3});
  refused({19, 4, 3});
  refused({20, 4, 2});
  EXPECT_THROW((Rsgd<Xmc20>(space, Tensor<double>({3, 4, 20}).transpose(0, 2), {})), ShapeError);
}

}  // namespace
}  // namespace mct::geometry_test
