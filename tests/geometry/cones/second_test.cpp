// Second derivatives of cones against differences of differences of their values in f64x2.
#include "mctensor/geometry/cones/second.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "mctensor/expansion/all.hpp"
#include "mctensor/geometry/cones/cones.hpp"
#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;
using V = f64x2;

/// Radii, u, v and gamma in a row.
using Row = std::vector<V>;
constexpr int n = 2;

template <class Op, class C>
V value(const Row& x) {
  std::array<V, C::radii> k;
  std::copy_n(x.begin(), k.size(), k.begin());
  const auto f = [&]() -> C {
    using M = std::remove_cvref_t<decltype(std::declval<C>().manifold())>;
    if constexpr (C::radii == 2) {
      return C(M(k[0]), k[1]);
    } else {
      return C(M(k[0]), k[1], k[2]);
    }
  }();
  const V* const at = x.data() + C::radii;
  const Point<V> u{at[0], at[1]}, v{at[2], at[3]};
  constexpr std::string_view kinds = Op::operands;
  if constexpr (kinds == "p") return operate<Op>(f, u);
  if constexpr (kinds == "pp") return operate<Op>(f, u, v);
  if constexpr (kinds == "ppn") return operate<Op>(f, u, v, at[4]);
}

template <class Op, class C>
void check(const char* cones, const char* manifold, const std::vector<double>& radii,
           const std::array<double, 5>& given) {
  constexpr std::string_view kinds = Op::operands;
  const auto some = [](const double* x, std::int64_t count) {
    auto t = Tensor<double>::uninitialized({count});
    std::copy_n(x, count, t.data());
    return t;
  };
  const std::array<double, 8> along{0.3, -0.7, 0.4, 1.1, -0.6, 0.9, 0.5, -0.8};
  std::vector<Tensor<double>> operands;
  std::vector<std::optional<Tensor<double>>> cotangents{
      some(along.data(), std::int64_t(radii.size()))};
  Row row(radii.begin(), radii.end());
  const double* next = given.data();
  for (const char kind : kinds) {
    const int count = kind == 'p' ? n : 1;
    const auto shaped = [&](const double* x) {
      return kind == 'p' ? some(x, n) : Tensor<double>::scalar(*x);
    };
    cotangents.emplace_back(shaped(along.data() + row.size()));
    operands.push_back(shaped(next));
    row.insert(row.end(), next, next + count);
    next += count;
  }
  const std::size_t inputs = row.size();
  row.resize(radii.size() + 5, V(0.0));
  const double grad = 1.7;
  const auto ours = cone_second_derivatives(
      {cones, manifold, Op::name}, some(radii.data(), std::int64_t(radii.size())), operands,
      Tensor<double>::scalar(grad), cotangents, std::vector<bool>(kinds.size() + 2, true));
  const double h = 0x1p-29;
  const auto at = [&](double a, double b, std::size_t other) {
    Row moved = row;
    for (std::size_t i = 0; i < inputs; ++i) moved[i] = moved[i] + V(along[i] * a * h);
    moved[other] = moved[other] + V(b * h);
    return value<Op, C>(moved);
  };
  double largest = 0;
  std::vector<double> truth, got;
  for (std::size_t k = 0; k + 1 < ours.size(); ++k)
    for (std::int64_t i = 0; i < ours[k].numel(); ++i) got.push_back(ours[k].data()[i]);
  ASSERT_EQ(got.size(), inputs);
  for (std::size_t i = 0; i < inputs; ++i) {
    const V difference = at(1, 1, i) - at(1, -1, i) - at(-1, 1, i) + at(-1, -1, i);
    truth.push_back(grad * double(difference / (4 * h * h)));
    largest = std::max(largest, std::fabs(truth.back()));
  }
  for (std::size_t i = 0; i < inputs; ++i)
    EXPECT_NEAR(got[i], truth[i], 1e-11 * largest) << cones << ' ' << manifold << ' ' << Op::name;
  const double by_grad = double((at(1, 0, 0) - at(-1, 0, 0)) / (2 * h));
  EXPECT_NEAR(ours.back().item(), by_grad, 1e-11 * std::fabs(by_grad)) << Op::name;
}

template <class C>
void check_all(const char* cones, const char* manifold, const std::vector<double>& radii,
               const std::array<double, 5>& x) {
  check<operation::half_aperture, C>(cones, manifold, radii, x);
  check<operation::cone_angle, C>(cones, manifold, radii, x);
  check<operation::angle_energy, C>(cones, manifold, radii, x);
  check<operation::boundary_distance, C>(cones, manifold, radii, x);
  check<operation::altitude, C>(cones, manifold, radii, x);
  check<operation::cone_distance, C>(cones, manifold, radii, x);
}

TEST(SecondOfCones, Ball) {
  using Ball = PoincareBall<V>;
  const std::array<double, 5> x{0.5, 0.25, -0.375, 0.5, 0.125};
  check_all<UmbralCones<Ball>>("UmbralCones", "PoincareBall", {1.25, 0.125}, x);
  check_all<PenumbralCones<Ball>>("PenumbralCones", "PoincareBall", {1.25, 0.25}, x);
  check_all<AntumbralCones<Ball>>("AntumbralCones", "PoincareBall", {1.25, 0.25, 0.0625}, x);
}
TEST(SecondOfCones, HalfSpace) {
  using Half = HalfSpace<V>;
  const std::array<double, 5> x{0.5, 0.375, -0.375, 0.25, 0.125};
  check_all<UmbralCones<Half>>("UmbralCones", "HalfSpace", {1.25, 0.125}, x);
  check_all<PenumbralCones<Half>>("PenumbralCones", "HalfSpace", {1.25, 2}, x);
  check_all<AntumbralCones<Half>>("AntumbralCones", "HalfSpace", {1.25, 2, 0.0625}, x);
}

/// An angle at equal points has a corner.
TEST(SecondOfCones, CornersAreErrors) {
  const auto u = Tensor<double>::from_values({0.5, 0.25});
  const auto at = [&](const Tensor<double>& v) {
    return cone_second_derivatives({"UmbralCones", "PoincareBall", "cone_angle"},
                                   Tensor<double>::from_values({1, 0.125}), {u, v},
                                   Tensor<double>::scalar(1.0), {std::nullopt, u, std::nullopt},
                                   {false, true, true, false});
  };
  EXPECT_THROW(at(u), DomainError);
  EXPECT_NO_THROW(at(Tensor<double>::from_values({0.25, 0.5})));
}

}  // namespace
}  // namespace mct::geometry_test
