// Geometry on variables: values are those of tensors, gradients those of differences, for points,
// numbers and the radius; optimizers take them as backward() leaves them.
#include "mctensor/geometry/autograd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mctensor/autograd/all.hpp"
#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/optim/manifold_rows.hpp"
#include "mctensor/geometry/optim/radam.hpp"
#include "mctensor/geometry/optim/rsgd.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;

using X = Variable<double, 2, 2>;

template <class M>
Tensor<double, 2> points(const M& m, std::int64_t count, std::uint64_t seed) {
  return random_normal(m, {count, 4}, seed, 0.5);
}
X leaf(const Tensor<double, 2>& x) { return X(x.clone(), true); }

/// All operations that a manifold of any kind has, on two rows of points and one that is broadcast.
template <class M>
void check_operations(const M& m) {
  const X radius(Tensor<double, 2>::scalar(m.radius()), true);
  const Learnable<M, 2> learned(radius);
  const X x = leaf(points(m, 2, 1)), y = leaf(points(m, 1, 2));
  const X u = leaf(proju(m, x.value(), points(Euclidean<f64x2>(), 2, 3)));
  const X v = leaf(proju(m, x.value(), points(Euclidean<f64x2>(), 1, 4)));
  const X t = leaf(Tensor<double, 2>::from_values({f64x2(0.3), f64x2(0.8)}));
  const auto check = [&](const char* name, const auto& f, const auto&... inputs) {
    const auto report = gradcheck(f, std::vector<X>{inputs...});
    EXPECT_TRUE(report) << name << ": " << report.message();
  };
  const auto two = [&](const char* name, const auto& f, const X& a, const X& b) {
    check(
        name, [&](const auto& in) { return f(in[0], in[1]); }, a, b);
  };
  two(
      "dist", [&](const X& a, const X& b) { return m.dist(a, b); }, x, y);
  two(
      "dist2", [&](const X& a, const X& b) { return m.dist2(a, b); }, x, y);
  two(
      "norm", [&](const X& a, const X& b) { return m.norm(a, b); }, x, u);
  two(
      "expmap", [&](const X& a, const X& b) { return m.expmap(a, b); }, x, u);
  two(
      "retr", [&](const X& a, const X& b) { return m.retr(a, b); }, x, u);
  two(
      "logmap", [&](const X& a, const X& b) { return m.logmap(a, b); }, x, y);
  check(
      "inner", [&](const auto& in) { return m.inner(in[0], in[1], in[2]); }, x, u, v);
  check(
      "ptransp", [&](const auto& in) { return m.ptransp(in[0], in[1], in[2]); }, x, y, u);
  check(
      "geodesic", [&](const auto& in) { return m.geodesic(in[0], in[1], in[2]); }, t, x, y);
  check(
      "egrad2rgrad", [&](const auto& in) { return m.egrad2rgrad(in[0], in[1]); }, x, u);
  check(
      "radius", [&](const auto& in) { return Learnable<M, 2>(in[0]).dist(x.value(), y.value()); },
      radius);
  check(
      "radius", [&](const auto& in) { return Learnable<M, 2>(in[0]).expmap(in[1], u.value()); },
      radius, x);
}

TEST(GeometryOnVariables, Ball) { check_operations(PoincareBall<f64x2>(f64x2(1.3))); }
TEST(GeometryOnVariables, HalfSpace) { check_operations(HalfSpace<f64x2>(f64x2(1.3))); }
TEST(GeometryOnVariables, Klein) { check_operations(Klein<f64x2>(f64x2(1.3))); }

TEST(GeometryOnVariables, ValuesAreThoseOfTensors) {
  const Lorentz<double> m(1.5);
  const auto a = random_normal(m, {3, 4}, 1), b = random_normal(m, {2, 1, 4}, 2);
  const Variable<double> x(a, true);
  EXPECT_EQ(m.dist(x, b).value().values(), dist(m, a, b).values());
  EXPECT_EQ(dist(m, x, b).shape(), (Shape{2, 3}));
  EXPECT_EQ(m.logmap(b, x).value().values(), logmap(m, b, a).values());
  // which is computed in another way: each is within (n / 2 + 6) u of the truth
  const auto from_origin = m.dist0(a).values(), to_origin = m.dist(x, m.origin(4)).value().values();
  for (std::size_t i = 0; i < from_origin.size(); ++i)
    EXPECT_NEAR(to_origin[i], from_origin[i], 0x1p-49 * from_origin[i]);
}

/// An operand that is broadcast gets the sum of what its copies would get.
TEST(GeometryOnVariables, BroadcastOperandsGetSums) {
  const PoincareBall<double> ball(1.5);
  const auto a = random_normal(ball, {5, 3}, 1), b = random_normal(ball, {3}, 2);
  const Variable<double> x(a, true), y(b, true), copies(b.expand({5, 3}).contiguous(), true);
  sum(ball.dist2(x, y)).backward();
  sum(ball.dist2(a, copies)).backward();
  const auto expected = sum(copies.grad(), {0});
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(y.grad().at({i}), expected.at({i}), 1e-13);
}

/// dist and norm have a corner at zero, dist2 has none.
TEST(GeometryOnVariables, CornersHaveTheGradientZero) {
  const PoincareBall<double> ball(1);
  const auto a = random_normal(ball, {4, 3}, 1);
  const Variable<double> x(a, true), u(Tensor<double>({4, 3}), true);
  sum(ball.dist(x, a)).backward();
  sum(ball.norm(a, u)).backward();
  for (const double g : x.grad().values()) EXPECT_EQ(g, 0);
  for (const double g : u.grad().values()) EXPECT_EQ(g, 0);
}

/// A step of length zero changes with the point and with the vector as their sum does, however low
/// the point is: vectors there are as small as its height.
TEST(GeometryOnVariables, ZeroStepsAtEveryHeight) {
  const HalfSpace<double> m(1.5);
  for (const double height : {1e-100, 1e-30, 1.0, 1e30, 1e100})
    for (const auto& at :
         {Tensor<double>::from_values({0.5, height}), Tensor<double>::from_values({height})}) {
      const Variable<double> x(at, true), u(Tensor<double>(at.shape()), true);
      sum(m.expmap(x, u) + m.retr(x, u)).backward();
      for (const double g : x.grad().values()) EXPECT_NEAR(g, 2, 1e-14) << height;
      for (const double g : u.grad().values()) EXPECT_NEAR(g, 2, 1e-14) << height;
    }
}

TEST(GeometryOnVariables, PointsOutsideGiveNaN) {
  const PoincareBall<double> ball(1);
  const Variable<double> x(Tensor<double>::from_values({1.1, 0}), true);
  const auto d = ball.dist(x, Tensor<double>::from_values({0.1, 0}));
  EXPECT_TRUE(std::isnan(d.item()));
  d.backward();
  EXPECT_TRUE(std::isnan(x.grad().at({0})));
}

/// Every component type and number of components; the gradient of one component is the leading part
/// of the one of all.
TEST(GeometryOnVariables, TypesAndGradientsOfOneComponent) {
  const PoincareBall<f64x2> ball(f64x2(1.3));
  const auto a = points(ball, 3, 1), b = points(ball, 3, 2);
  const X x = leaf(a);
  const Variable<double, 2, 1> y(a, true);
  sum(ball.dist(x, b)).backward();
  sum(ball.dist(y, b)).backward();
  EXPECT_EQ(x.grad().fc().values(), y.grad().values());
  const PoincareBall<bfloat16> small(bfloat16(1.0f));
  const Variable<bfloat16> z(random_normal(small, {3, 2}, 1), true);
  sum(small.dist0(z)).backward();
  const Variable<double> wide(convert<double, 1>(z.value()), true);
  sum(PoincareBall<double>(1).dist0(wide)).backward();
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(z.grad().values()[std::size_t(i)], bfloat16(wide.grad().values()[std::size_t(i)]));
}

TEST(GeometryOnVariables, ProductsAndTheirRadii) {
  const Product space(ProductPart{PoincareBall<double>(1.5), 2},
                      ProductPart{Sphere<double>(2), 3, 0.5});
  using M = std::remove_const_t<decltype(space)>;
  const auto a = random_normal(space, {4, 5}, 1), b = random_normal(space, {4, 5}, 2);
  const Variable<double> radii(Tensor<double>::from_values({1.5, 2}), true);
  sum(Learnable<M>(space, radii).dist2(a, b)).backward();
  const auto at = [&](double first, double second) {
    return sum(space.with_radii({first, second}).dist2(a, b)).item();
  };
  const double h = 1e-5;
  EXPECT_NEAR(radii.grad().at({0}), (at(1.5 + h, 2) - at(1.5 - h, 2)) / (2 * h), 1e-7);
  EXPECT_NEAR(radii.grad().at({1}), (at(1.5, 2 + h) - at(1.5, 2 - h)) / (2 * h), 1e-7);
  EXPECT_THROW(Learnable<M>(space, Variable<double>(Tensor<double>({3}), true)), ShapeError);
}

/// step() of a parameter is step() of its gradient, dense or of rows.
TEST(OptimizersOfVariables, TakeGradientsAsBackwardLeavesThem) {
  const PoincareBall<double> ball(1.5);
  const auto start = random_normal(ball, {6, 2}, 1);
  const auto rows = Tensor<std::int64_t>::from_values({4, 1, 4});
  const auto away = random_normal(ball, {3, 2}, 2);
  for (const bool sparse : {false, true}) {
    const Variable<double> x(start.clone(), true);
    const auto y = start.clone();
    Radam ours(ManifoldRows{ball}, x, {.lr = 0.1});
    Radam theirs(ManifoldRows{ball}, y, {.lr = 0.1});
    for (int i = 0; i < 3; ++i) {
      ours.zero_grad();
      sum(ball.dist2(sparse ? embedding(x, rows, -1, true) : index_select(x, 0, rows), away))
          .backward();
      EXPECT_EQ(x.has_sparse_grad(), sparse);
      if (sparse) {
        theirs.step(x.sparse_grad().indices, x.sparse_grad().rows);
      } else {
        theirs.step(x.grad());
      }
      ours.step();
      EXPECT_EQ(x.value().values(), y.values());
    }
    EXPECT_EQ(x.value().at({0, 0}), start.at({0, 0}));
    EXPECT_NE(x.value().at({4, 0}), start.at({4, 0}));
  }
}

TEST(OptimizersOfVariables, RefuseWhatIsNoParameter) {
  const PoincareBall<double> ball(1);
  const Variable<double> x(random_normal(ball, {2, 2}, 1), true);
  EXPECT_THROW((Rsgd(ManifoldRows{ball}, x * 1.0, {})), DomainError);
  EXPECT_THROW((Rsgd(ManifoldRows{ball}, Variable<double>(x.value()), {})), DomainError);
  Rsgd rsgd(ManifoldRows{ball}, x, {});
  EXPECT_THROW(rsgd.step(), DomainError);  // no gradient yet
  Rsgd tensor(ManifoldRows{ball}, x.value(), {});
  EXPECT_THROW(tensor.step(), DomainError);
  const Variable<double> other(Tensor<double>::scalar(2.0), true);
  EXPECT_NE(testing::message_of<DomainError>([&] { rsgd.learn_radius(other); }).find("radius"),
            std::string::npos);
}

/// A pair of points that should be a little further apart: with points that keep their coordinates
/// (lr 0) the radius alone brings it there, along either way of following it.
TEST(OptimizersOfVariables, LearnTheRadius) {
  for (const Rescaling how : {Rescaling::rescale_distances, Rescaling::keep_distances}) {
    const Variable<double> radius(Tensor<double>::scalar(1.0), true);
    const Learnable<PoincareBall<double>> ball(radius);
    const Variable<double> x(Tensor<double>::from_values({0.5, 0.1, -0.4, 0.3}, {2, 2}), true);
    Rsgd rsgd(ManifoldRows(ball.manifold()), x, {.lr = 0});
    rsgd.learn_radius(radius, {.lr = how == Rescaling::keep_distances ? 1 : 0.1, .rescaling = how});
    const double wanted = 1.03 * ball.dist(x[0], x[1]).item();
    double loss = 0;
    for (int i = 0; i < 200; ++i) {
      rsgd.zero_grad();
      const auto error = ball.dist(x[0], x[1]) - wanted;
      const auto square = error * error;
      square.backward();
      if (i > 0) {
        EXPECT_LE(square.item(), loss + 1e-12) << i;
      }
      loss = square.item();
      rsgd.step();
      EXPECT_EQ(radius.item(), rsgd.space().radius());
    }
    EXPECT_LT(loss, 1e-4);
  }
}

/// Whoever changes the radius, the variable says what it is; all radii of a product change
/// together.
TEST(OptimizersOfVariables, KeepTheVariableOfTheRadius) {
  const Product space(ProductPart{PoincareBall<double>(1.5), 2},
                      ProductPart{PoincareBall<double>(3), 2, 0.5});
  const Variable<double> radii(Tensor<double>::from_values({1.5, 3}), true);
  const Learnable<std::remove_const_t<decltype(space)>> learned(space, radii);
  const Variable<double> x(random_normal(space, {4, 4}, 1), true);
  Radam adam(ManifoldRows{space}, x, {.lr = 0.01});
  adam.learn_radius(radii, {.lr = 0.1});
  sum(learned.dist2(x, random_normal(space, {4}, 2))).backward();
  adam.step();
  EXPECT_NE(radii.value().at({0}), 1.5);
  EXPECT_NEAR(radii.value().at({1}) / radii.value().at({0}), 2, 1e-15);
  EXPECT_EQ(radii.value().values(), adam.space().radii());
  adam.set_radius(2.5, Rescaling::rescale_distances);
  EXPECT_EQ(radii.value().at({0}), 2.5);
}

TEST(OptimizersOfVariables, RefuseRadiiThatCannotBeLearned) {
  const PoincareBall<double> ball(1);
  const Variable<double> x(random_normal(ball, {2, 2}, 1), true);
  Rsgd rsgd(ManifoldRows{ball}, x, {});
  const Variable<double> radius(Tensor<double>::scalar(1.0), true);
  EXPECT_THROW(rsgd.learn_radius(radius * 1.0), DomainError);
  EXPECT_THROW(rsgd.learn_radius(Variable<double>(radius.value())), DomainError);
  for (const double lr : {-1.0, double(NAN)})
    EXPECT_THROW(rsgd.learn_radius(radius, {.lr = lr}), DomainError);
  EXPECT_NO_THROW(rsgd.learn_radius(radius));
}

}  // namespace
}  // namespace mct::geometry_test
