// Cones on tensors and variables: values are those of single points, gradients those of
// differences, by both points, by gamma and by all radii, at ordinary points and where formulas
// change.
#include "mctensor/geometry/cones/autograd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mctensor/autograd/all.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;

using T2 = Tensor<double, 2>;
using X = Variable<double, 2, 2>;

T2 points(const std::vector<double>& coordinates) {
  std::vector<f64x2> values;
  for (const double c : coordinates) values.push_back(f64x2(c));
  const auto flat = T2::from_values(values);
  return flat.reshape({std::int64_t(coordinates.size()) / 2, 2});
}
X leaf(const T2& x) { return X(x.clone(), true); }

/// The derivatives of f by all inputs.
template <class F>
void check(const std::string& name, const F& f, const std::vector<X>& inputs, double step = 0) {
  const auto report = gradcheck(f, inputs, {.step = step});
  EXPECT_TRUE(report) << name << ": " << report.message();
}

/// Every operation of a system at rows of apexes and other points, none on an axis; those of
/// `above` have their nearest point of the cone in the apex.
template <class C>
void check_operations(const std::string& name, const C& cones, const T2& apexes, const T2& others,
                      const T2& above, double step = 0) {
  const X u = leaf(apexes), v = leaf(others), w = leaf(above);
  const X gamma = leaf(T2::scalar(f64x2(0.01)));
  std::vector<f64x2> lengths;
  for (const f64x2& k : cones.all_radii()) lengths.push_back(k);
  const X radii = leaf(T2::from_values(lengths));
  const auto learned = [&](const X& k) { return Learnable<C, 2>(cones, k); };
  check(
      name + " half_aperture", [&](const auto& in) { return half_aperture(learned(in[1]), in[0]); },
      {u, radii}, step);
  const auto pairs = [&](const char* op, const auto& f, const X& other) {
    check(
        name + op, [&](const auto& in) { return f(learned(in[2]), in[0], in[1]); },
        {u, other, radii}, step);
  };
  for (const X& other : {v, w}) {
    pairs(
        " cone_angle", [](const auto& c, const X& a, const X& b) { return cone_angle(c, a, b); },
        other);
    pairs(
        " boundary_distance",
        [](const auto& c, const X& a, const X& b) { return boundary_distance(c, a, b); }, other);
    pairs(
        " altitude", [](const auto& c, const X& a, const X& b) { return altitude(c, a, b); },
        other);
    check(
        name + " cone_distance",
        [&](const auto& in) { return cone_distance(learned(in[2]), in[0], in[1], in[3]); },
        {u, other, radii, gamma}, step);
  }
  for (const f64x2& a : cones.altitude(apexes, above).values()) EXPECT_GT(double(a), 0) << name;
  // all of these lie outside
  pairs(
      " angle_energy", [](const auto& c, const X& a, const X& b) { return angle_energy(c, a, b); },
      w);
}

const PoincareBall<f64x2> ball(f64x2(1.3));
const HalfSpace<f64x2> half(f64x2(1.3));
// inside, just outside, lit from above, far away
const T2 low = points({0.1, 0.7, 0.1, 0.7, 0.1, 0.7, -0.2, 0.8});
const T2 lower = points({0.13, 0.3, 0.3, 0.35, 0.9, 0.5, 5, 0.2});
const T2 higher = points({0.13, 0.9, 0.2, 0.8, 0.7, 1.5, -3, 0.9});
const T2 outside = points({0.3, 0.4, 0.3, 0.4, -0.5, 0.1, 0.3, 0.4});
const T2 outer = points({0.5, 0.7, 0.6, 0.5, -0.6, 0.9, -0.3, 1.0});
const T2 inner = points({0.25, 0.3, -0.1, 0.2, 0.3, 0.1, -0.7, -0.5});

TEST(ConesOnVariables, UmbralHalfSpace) {
  for (const double r : {0.05, 0.6})
    check_operations("umbral half-space", UmbralCones(half, f64x2(r)), low, lower,
                     points({0.13, 1.5, 0.2, 1.8, 0.7, 2.5, -3, 3}));
}
TEST(ConesOnVariables, UmbralBall) {
  for (const double r : {0.05, 0.3})
    check_operations("umbral ball", UmbralCones(ball, f64x2(r)), outside, outer, inner);
}
TEST(ConesOnVariables, PenumbralHalfSpace) {
  check_operations("penumbral half-space", PenumbralCones(half, f64x2(3)), low, lower, higher);
}
TEST(ConesOnVariables, PenumbralBall) {
  for (const double r : {0.05, 0.3})
    check_operations("penumbral ball", PenumbralCones(ball, f64x2(r)), outside, outer, inner);
}
// radii of 0.01 and 0.02 are small beside the steps that suit the others
TEST(ConesOnVariables, AntumbralHalfSpace) {
  check_operations("antumbral half-space", AntumbralCones(half, f64x2(3), f64x2(0.02)), low, lower,
                   higher, 0x1p-16);
}
TEST(ConesOnVariables, AntumbralBall) {
  check_operations("antumbral ball", AntumbralCones(ball, f64x2(0.4), f64x2(0.01)), outside, outer,
                   points({0.25, 0.3, -0.1, 0.3, -0.3, 0.1, -0.7, -0.5}), 0x1p-16);
}

TEST(ConesOnVariables, Surrogates) {
  const AntumbralCones cones(half, f64x2(3), f64x2(0.02));
  const AntumbralCones around(ball, f64x2(0.4), f64x2(0.01));
  check("half-space", [&](const auto& in) { return cones.surrogate(in[0]); }, {leaf(low)});
  check("ball", [&](const auto& in) { return around.surrogate(in[0]); }, {leaf(outside)});
}

/// Where the formulas change: at t = 0 and at factors of 2 between feet of umbral cones, next to a
/// cone's boundary, next to altitude 0 on both sides.
TEST(ConesOnVariables, NextToBranches) {
  const double sinh_r = std::sinh(0.6 / 1.3), cosh_r = std::cosh(0.6 / 1.3);
  const UmbralCones cones(half, f64x2(0.6));
  const X u = leaf(points({0, 1, 0, 1, 0, 1, 0, 1}));
  const X v =
      leaf(points({sinh_r, 0.5, 0.5 * sinh_r, 0.5, sinh_r, 2 * cosh_r, sinh_r, cosh_r / 2}));
  check("boundary_distance", [&](const auto& in) { return cones.boundary_distance(in[0], in[1]); },
        {u, v});
  check("altitude", [&](const auto& in) { return cones.altitude(in[0], in[1]); }, {u, v});
  const X level = leaf(points({sinh_r, 0.99 * cosh_r, sinh_r, 1.01 * cosh_r, 0.5 * sinh_r + 1e-3,
                               0.5, 0.5 * sinh_r - 1e-3, 0.5}));
  check("cone_distance",
        [&](const auto& in) { return cones.cone_distance(in[0], in[1], f64x2(0)); }, {u, level});
}

TEST(ConesOnVariables, OtherSourcesOfLight) {
  const X u = leaf(outside), v = leaf(outer), s = leaf(points({0.2, -0.3, -0.4, 0.5}));
  const PenumbralCones cones(ball, f64x2(0.05));
  const auto lit = [&](const X& from, const X& a, const X& b) {
    return cones.cone_distance(seen_from(ball, from, a.unsqueeze(1)),
                               seen_from(ball, from, b.unsqueeze(1)), f64x2(1e-3));
  };
  EXPECT_EQ(lit(s, u, v).shape(), (Shape{4, 2}));
  check("ball", [&](const auto& in) { return lit(in[0], in[1], in[2]); }, {s, u, v});
  const T2 ideal = points({0.5, 0});
  check("half-space", [&](const auto& in) { return seen_from(half, ideal, in[0]); }, {leaf(low)});
}

/// Corners have the gradients that are promised, and none is NaN.
TEST(ConesOnVariables, Corners) {
  const auto check_finite = [](const auto& cones, const Tensor<double>& u,
                               const Tensor<double>& v) {
    const Variable<double> a(u.clone(), true), b(v.clone(), true);
    sum(cones.cone_angle(a, b) + cones.angle_energy(a, b) + cones.boundary_distance(a, b) +
        cones.altitude(a, b) + cones.cone_distance(a, b, 1e-4))
        .backward();
    for (const auto& x : {a, b})
      for (const double g : x.grad().values()) EXPECT_TRUE(std::isfinite(g)) << g;
  };
  const auto u = Tensor<double>::from_values({0.3, 0.4});
  for (const double scale : {1.0, 1.5, 0.8}) {
    // equal, and on the axis on both sides
    check_finite(UmbralCones(PoincareBall<double>(1.3), 0.05), u, u * scale);
    check_finite(PenumbralCones(PoincareBall<double>(1.3), 0.05), u, u * scale);
    const auto v = Tensor<double>::from_values({0.3, 0.4 * scale});
    check_finite(UmbralCones(HalfSpace<double>(1.3), 0.05), u, v);
    check_finite(PenumbralCones(HalfSpace<double>(1.3), 2.0), u, v);
  }
}

TEST(ConesOnVariables, ValuesAreThoseOfPoints) {
  const UmbralCones cones(PoincareBall<double>(1.3), 0.1);
  const auto a = random_normal(cones.manifold(), {5, 1, 3}, 1);
  const auto b = random_normal(cones.manifold(), {4, 3}, 2);
  const auto distances = cones.cone_distance(a, b, 1e-4);
  const auto flags = contains(cones, a, b);
  EXPECT_EQ(distances.shape(), (Shape{5, 4}));
  EXPECT_EQ(flags.shape(), (Shape{5, 4}));
  const auto at = [](const Tensor<double>& x) {
    return Point<double>{x.at({0}), x.at({1}), x.at({2})};
  };
  for (std::int64_t i = 0; i < 5; ++i)
    for (std::int64_t j = 0; j < 4; ++j) {
      const auto u = at(a[i][0]), v = at(b[j]);
      EXPECT_EQ(distances.at({i, j}), cones.cone_distance(u, v, 1e-4));
      EXPECT_EQ(flags.at({i, j}), contains(cones, u, v));
    }
  const Variable<double> x(a, true);
  EXPECT_EQ(cones.cone_distance(x, b, 1e-4).value().values(), distances.values());
  EXPECT_EQ(contains(cones, x, b).values(), flags.values());
  EXPECT_THROW(contains(cones, a, Tensor<double>({4, 2})), ShapeError);
}

TEST(ConeLosses, ShadowLoss) {
  const std::vector<double> p{-0.3, 0.2}, q{-0.5, 0.1, 3, 0.4, -0.1, 0.6};
  const auto expected = [&](double g1, double g2) {
    double sum = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      const double own = std::exp(-std::max(p[i], -g2));
      double all = own;
      for (std::size_t j = 0; j < 3; ++j) all += std::exp(-std::min(q[3 * i + j] - g1, 0.0));
      sum -= std::log(own / all) / 2;
    }
    return sum;
  };
  const auto near = Tensor<double>::from_values(p);
  const auto far = Tensor<double>::from_values(q).reshape({2, 3});
  for (const double g1 : {0.0, 0.3})
    for (const double g2 : {0.0, 0.1, 1.0})
      EXPECT_NEAR(shadow_loss(Variable<double>(near), Variable<double>(far), g1, g2).value().item(),
                  expected(g1, g2), 1e-15);
  check("shadow_loss", [](const auto& in) { return shadow_loss(in[0], in[1], 0.3, 0.1); },
        {leaf(convert<double, 2>(near)), leaf(convert<double, 2>(far))});
  EXPECT_THROW(shadow_loss(Variable<double>(near), Variable<double>(near), 0.1), ShapeError);
  EXPECT_THROW(shadow_loss(Variable<double>(near), Variable<double>(far), -0.1), DomainError);
  EXPECT_THROW(shadow_loss(Variable<double>(near), Variable<double>(far), 0.1, NAN), DomainError);
}
/// Large energies are no infinities: nothing is exponentiated that overflows.
TEST(ConeLosses, ShadowLossOfLargeEnergies) {
  const Variable<double> near(Tensor<double>::from_values({2000}), true);
  const Variable<double> far(Tensor<double>({1, 2}), true);
  const auto loss = shadow_loss(near, far, 1.0);
  EXPECT_NEAR(loss.value().item(), 2001 + std::log(2), 1e-12);
  loss.backward();
  EXPECT_NEAR(near.grad().at({0}), 1, 1e-15);
}
TEST(ConeLosses, MaxMarginLoss) {
  const auto near = Tensor<double>::from_values({-0.3, 0.2, 0.5});
  const auto far = Tensor<double>::from_values({-0.5, 0.1, 3});
  const auto loss = max_margin_loss(Variable<double>(near), Variable<double>(far), 0.3);
  EXPECT_NEAR(loss.value().item(), 0.7 + 0.8 + 0.2, 1e-15);
  check("max_margin_loss", [](const auto& in) { return max_margin_loss(in[0], in[1], 0.3); },
        {leaf(convert<double, 2>(near)), leaf(convert<double, 2>(far))});
  EXPECT_THROW(max_margin_loss(Variable<double>(near), Variable<double>(far), -1), DomainError);
}

}  // namespace
}  // namespace mct::geometry_test
