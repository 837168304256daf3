// NaN and points outside in the half-space representations and the tilings: every operand in turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mctensor/geometry/all.hpp"
#include "mctensor/geometry/storage/halfspace/all.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "mctensor/geometry/tiling/all.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class V>
bool is_nan(const V& x) {
  return !(x == x);
}
template <class V, std::size_t n>
bool is_nan(const std::array<V, n>& x) {
  return std::any_of(x.begin(), x.end(), [](const V& c) { return is_nan(c); });
}
template <class X, class H, int n>
bool is_nan(const HalfSpacePoint<X, H, n>& p) {
  return std::any_of(std::begin(p.x), std::end(p.x),
                     [](const X& c) { return std::isnan(double(c.limb[0])); }) ||
         std::isnan(double(p.height));
}

/// Every method of a representation with a bad coordinate in every operand; `bad_heights` are those
/// that no point has.
template <class Space>
void expect_nan_of(std::initializer_list<double> bad_heights) {
  const Space space(1.5f);
  using P = typename Space::template Point<3>;
  using Vector = typename Space::template Vector<3>;
  using W = typename Space::Work;
  const P p = space.template expmap<3>(Space::template origin<3>(), Vector{W(0.5), W(-1), W(0.25)});
  const P q = space.template expmap<3>(p, Vector{W(1), W(0.5), W(-0.75)});
  const Vector v{W(0.25), W(0.5), W(-1)};
  const auto all = [&](const P& a, const P& b) {
    EXPECT_TRUE(is_nan(space.dist(a, b)));
    EXPECT_TRUE(is_nan(space.direction(a, b)));
    EXPECT_TRUE(is_nan(space.dist_gradient(a, b)));
    EXPECT_TRUE(is_nan(space.logmap(a, b)));
    EXPECT_TRUE(is_nan(space.ptransp(a, b, v)));
  };
  const auto every = [&](const P& bad) {
    all(bad, q);
    all(q, bad);
    all(bad, bad);
    EXPECT_TRUE(is_nan(space.template expmap<3>(bad, v)));
    EXPECT_TRUE(is_nan(space.template expmap_coordinates<3>(bad, v)));
  };
  for (int i = 0; i < 2; ++i) {
    SCOPED_TRACE(i);
    P bad = p;
    bad.x[i] = typename Space::X(decltype(bad.x[i].limb[0] + 0)(nan));
    every(bad);
  }
  for (const double height : bad_heights) {
    SCOPED_TRACE(height);
    P bad = p;
    bad.height = decltype(bad.height)(height);
    every(bad);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    SCOPED_TRACE(i);
    Vector bad = v;
    bad[i] = W(nan);
    EXPECT_TRUE(is_nan(space.template expmap<3>(p, bad)));
    EXPECT_TRUE(is_nan(space.template expmap_coordinates<3>(p, bad)));
    EXPECT_TRUE(is_nan(space.ptransp(p, q, bad)));
  }
  // and what is good stays good
  EXPECT_FALSE(is_nan(space.template expmap<3>(p, v)));
  EXPECT_FALSE(is_nan(space.template expmap<3>(p, Vector{W(1e5), W(0), W(-1e5)})));
}

TEST(HalfSpaceRepresentations, NanAndHeightsThatAreNone) {
  expect_nan_of<XmcHalfSpace<double, 1>>({nan, 0.0, -1.0});
  expect_nan_of<XmcHalfSpace<double, 3>>({nan, 0.0, -1.0});
  expect_nan_of<XmcHalfSpace<double, 20>>({nan, 0.0, -1.0});
  expect_nan_of<XmcHalfSpace<float, 2>>({nan, 0.0, -1.0});
  expect_nan_of<McHalfSpace<double, 2>>({nan, 0.0, -1.0});
  expect_nan_of<LogHalfSpace<double, 2>>({nan});
  expect_nan_of<LogHalfSpace<double, 7>>({nan});
}

/// The methods that tilings share; bad(i) is p with NaN in place i.
template <class Tiling, class P, class Tangent, class Bad>
void expect_nan_of_tiling(const Tiling& space, const P& p, const P& q, const Tangent& v, int places,
                          const Bad& bad) {
  for (int i = 0; i < places; ++i) {
    SCOPED_TRACE(i);
    const P none = bad(p, i);
    for (const auto& [a, b] : {std::pair(none, q), std::pair(q, none), std::pair(none, none)}) {
      EXPECT_TRUE(is_nan(space.dist(a, b)));
      EXPECT_TRUE(is_nan(space.dist_gradient(a, b)));
      EXPECT_TRUE(is_nan(space.logmap(a, b)));
      EXPECT_TRUE(is_nan(space.ptransp(a, b, v)));
    }
    EXPECT_TRUE(is_nan(space.norm(none, v)));
    EXPECT_TRUE(is_nan(space.norm(none, Tangent{})));
    EXPECT_TRUE(is_nan(space.inner(none, v, v)));
    EXPECT_TRUE(is_nan(space.egrad2rgrad(none, v)));
    EXPECT_TRUE(is_nan(space.dist0(none)));
    Tangent none_too = v;
    none_too[std::size_t(i)] = typename Tangent::value_type(nan);
    EXPECT_TRUE(is_nan(space.norm(p, none_too)));
    Tangent alone{};
    alone[std::size_t(i)] = typename Tangent::value_type(nan);
    EXPECT_TRUE(is_nan(space.norm(p, alone)));
    EXPECT_TRUE(is_nan(space.inner(p, none_too, v)));
    EXPECT_TRUE(is_nan(space.inner(p, v, none_too)));
    EXPECT_TRUE(is_nan(space.egrad2rgrad(p, none_too)));
    EXPECT_TRUE(is_nan(space.ptransp(p, q, none_too)));
    // a step that is not finite has no end
    EXPECT_THROW(space.expmap(p, none_too), DomainError);
  }
  EXPECT_EQ(space.dist(p, p), typename Tangent::value_type(0));
  EXPECT_FALSE(is_nan(space.ptransp(p, q, v)));
}

template <class V>
void expect_nan_of_tilings() {
  const LTiling<V> plane(V(1.5));
  for (const double far : {0.5, 40.0}) {
    const auto p = plane.from_polar(V(far), {V(0.6), V(0.8)});
    const auto q = plane.from_polar(V(far + 1), {V(0.5), V(0.8)});
    expect_nan_of_tiling(plane, p, q, std::array<V, 2>{V(0.25), V(-0.5)}, 2,
                         [](LTilingPoint<V> x, int i) {
                           x.u[std::size_t(i)] = V(nan);
                           return x;
                         });
    auto bad = p;
    bad.u[1] = V(nan);
    EXPECT_TRUE(is_nan(plane.to_ball(bad)));
    EXPECT_TRUE(is_nan(plane.expmap(bad, {V(0), V(0)}).u));
    const LTilingProduct<V> product(2);
    const std::vector<LTilingPoint<V>> good{p, q}, none{p, bad};
    EXPECT_TRUE(is_nan(product.dist(good, none)));
    EXPECT_TRUE(is_nan(product.dist_gradient(none, good)[0]));
    EXPECT_TRUE(is_nan(product.dist_gradient(none, none)[1]));
  }
  const HTiling<V, 3> space(V(1.5));
  const auto p = space.from_half_space({V(0.5), V(-3), V(0.25)});
  const auto q = space.from_half_space({V(7), V(2), V(5)});
  expect_nan_of_tiling(space, p, q, std::array<V, 3>{V(0.25), V(-0.5), V(0.125)}, 3,
                       [](HTilingPoint<V, 3> x, int i) {
                         x.z[std::size_t(i)] = V(nan);
                         return x;
                       });
}

/// The compiled kernels: every coordinate of a point outside is answered with NaN, and long steps
/// end inside, rounded to the tensor's type.
template <class T, int N>
void expect_kernels_keep_inside() {
  using V = typename Tensor<T, N>::Value;
  const PoincareBall<V> ball(V(T(1)));
  Tensor<T, N> x({64, 3}), u({64, 3}), out({1, 3});
  for (int i = 0; i < 64; ++i)
    for (int c = 0; c < 3; ++c) {
      x.data()[3 * i + c] = T(0.5 * std::sin(1.0 + i * 3 + c));
      u.data()[3 * i + c] = T(40 * std::cos(2.0 + i * 7 + c));
    }
  out.data()[0] = T(1.25);
  const auto all_true = [](const Tensor<bool>& flags) {
    const auto values = flags.values();
    return std::all_of(values.begin(), values.end(), [](bool b) { return b; });
  };
  EXPECT_TRUE(all_true(check_point(ball, expmap(ball, x, u))));
  EXPECT_TRUE(all_true(check_point(ball, mobius_add(ball, expmap(ball, x, u), x))));
  const auto half = convert<HalfSpace>(ball, expmap(ball, x, u));
  EXPECT_TRUE(all_true(check_point(ball, convert<PoincareBall>(HalfSpace<V>(V(T(1))), half))));
  const auto expect_nan = [](const auto& result) {
    bool found = false;
    for (std::int64_t i = 0; i < result.numel(); ++i)
      found = found || std::isnan(double(result.data()[i]));
    EXPECT_TRUE(found);
  };
  const auto one = x.narrow(0, 0, 1);
  expect_nan(dist(ball, out, one));
  expect_nan(expmap(ball, out, one));
  expect_nan(logmap(ball, one, out));
  expect_nan(ptransp(ball, one, out, one));
  expect_nan(egrad2rgrad(ball, out, one));
  expect_nan(mobius_add(ball, one, out));
  expect_nan(convert<Lorentz>(ball, out));
}

TEST(Kernels, KeepPointsInside) {
  expect_kernels_keep_inside<double, 1>();
  expect_kernels_keep_inside<double, 2>();
  expect_kernels_keep_inside<float, 1>();
  expect_kernels_keep_inside<bfloat16, 2>();
}

TEST(Tilings, NanInGivesNanOut) {
  expect_nan_of_tilings<double>();
  expect_nan_of_tilings<f64x2>();
}

}  // namespace
}  // namespace mct::geometry_test
