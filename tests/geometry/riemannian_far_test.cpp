// Riemannian optimizers at distance 600, on every representation that goes there: convergence, and
// the same steps in MPFR.
#include <gtest/gtest.h>

#include "tests/geometry/riemannian_far.hpp"

namespace mct::geometry_test {
namespace {

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

}  // namespace
}  // namespace mct::geometry_test
