// Every half-space representation against MPFR: distances, steps, logarithms, transport.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "mctensor/geometry/storage/halfspace/all.hpp"
#include "tests/geometry/halfspace_cases.hpp"

namespace mct::geometry {
namespace {

using validation::Big;
using validation::exact_distance;
using validation::exact_length;
using validation::exact_point;
using validation::exact_step;
using validation::ExactPoint;
using validation::HalfSpaceCases;
using validation::relative_error;
using validation::stored;

template <class Space>
constexpr double unit = FloatTraits<typename Space::Work>::u;

/// The range of distances that the exponents of a type allow.
template <class Space>
constexpr double reach = sizeof(typename Space::Work) == 8 ? 600 : 60;

template <class Space>
class HalfSpaceTest : public ::testing::Test {};
using Spaces =
    ::testing::Types<XmcHalfSpace<double, 1>, XmcHalfSpace<double, 2>, XmcHalfSpace<double, 20>,
                     McHalfSpace<double, 2>, McHalfSpace<double, 4>, LogHalfSpace<double, 2>,
                     LogHalfSpace<double, 20>, XmcHalfSpace<float, 2>, McHalfSpace<float, 3>,
                     LogHalfSpace<float, 2>, XmcHalfSpace<bfloat16, 2>, McHalfSpace<bfloat16, 3>>;
TYPED_TEST_SUITE(HalfSpaceTest, Spaces);

/// Two stored points: q is where a vector of `length` from p leads to.
template <class Space>
struct Pair {
  typename Space::template Point<3> p, q;
  ExactPoint exact_p, exact_q;
};
template <class Space>
Pair<Space> make_pair(HalfSpaceCases& cases, const Space& space, double length) {
  Pair<Space> r;
  r.p = stored<3>(space, cases.point(3, reach<Space> * cases.uniform(0, 1)));
  r.exact_p = exact_point(space, r.p);
  r.q = stored<3>(space, exact_step(r.exact_p, cases.vector(3, length)));
  r.exact_q = exact_point(space, r.q);
  return r;
}

TYPED_TEST(HalfSpaceTest, DistanceOfStoredPointsIsRelativelyAccurate) {
  const TypeParam space;
  HalfSpaceCases cases(1);
  double worst = 0;
  for (int i = 0; i < 90; ++i) {
    const double length = i % 3 == 0   ? std::pow(10, cases.uniform(-14, 0))
                          : i % 3 == 1 ? cases.uniform(0, 5)
                                       : cases.uniform(0, reach<TypeParam> / 2);
    const auto pair = make_pair(cases, space, length);
    if (mpfr_zero_p(pair.exact_q.back().get())) continue;  // underflowed: no point
    const Big exact = exact_distance(pair.exact_p, pair.exact_q);
    const double d = space.template dist<3>(pair.p, pair.q);
    worst = std::max(worst, relative_error(Big(d), exact));
    EXPECT_EQ(d, double(space.template dist<3>(pair.q, pair.p)));
  }
  EXPECT_LE(worst, 16 * unit<TypeParam>);
}

TYPED_TEST(HalfSpaceTest, DirectionIsTheUnitGradient) {
  const TypeParam space;
  HalfSpaceCases cases(2);
  for (int i = 0; i < 60; ++i) {
    const double length = i % 2 == 0 ? std::pow(10, cases.uniform(-9, 0)) : cases.uniform(0, 40);
    const auto pair = make_pair(cases, space, length);
    const ExactPoint& p = pair.exact_p;
    const ExactPoint& q = pair.exact_q;
    const auto direction = space.template direction<3>(pair.p, pair.q);
    const Big sinh_d = sinh(exact_distance(p, q));
    if (mpfr_zero_p(sinh_d.get())) continue;
    // h dd/dx_i = (x_i - y_i) / (k sinh d), h dd/dh = (h / k - cosh d) / sinh d
    for (std::size_t c = 0; c < 2; ++c) {
      const Big exact = (p[c] - q[c]) / (q[2] * sinh_d);
      EXPECT_NEAR(double(Big(double(direction[c])) - exact), 0, 16 * unit<TypeParam>);
    }
    const Big up = (p[2] / q[2] - cosh(exact_distance(p, q))) / sinh_d;
    EXPECT_NEAR(double(Big(double(direction[2])) - up), 0, 16 * unit<TypeParam>);
  }
}

TYPED_TEST(HalfSpaceTest, CoincidentPointsHaveDistanceAndGradientZero) {
  const TypeParam space;
  HalfSpaceCases cases(3);
  for (const double d : {0.0, 1.0, 30.0, 0.9 * reach<TypeParam>}) {
    const auto p = stored<3>(space, cases.point(3, d));
    EXPECT_EQ(space.template dist<3>(p, p), 0);
    for (const auto g : space.template direction<3>(p, p)) EXPECT_EQ(g, 0);
    for (const auto g : space.template logmap<3>(p, p)) EXPECT_EQ(g, 0);
  }
}

TYPED_TEST(HalfSpaceTest, StepReachesTheExactPointToWhatIsStored) {
  using Space = TypeParam;
  using W = typename Space::Work;
  const Space space;
  HalfSpaceCases cases(4);
  for (int i = 0; i < 60; ++i) {
    // where every representation has its digits
    const auto p = stored<3>(space, cases.point(3, cases.uniform(0, 1)));
    const ExactPoint exact_p = exact_point(space, p);
    const ExactPoint v = cases.vector(3, i % 2 == 0 ? std::pow(10, cases.uniform(-20, 0)) : 2.0,
                                      i % 3 == 0 ? 0.01 : 1);
    std::array<W, 3> frame{};
    ExactPoint rounded(3);
    for (std::size_t c = 0; c < 3; ++c) {
      frame[c] = v[c].rounded<W>();
      rounded[c] = Big(double(frame[c]));
    }
    const auto q = space.template expmap<3>(p, frame);
    const Big error = exact_distance(exact_point(space, q), exact_step(exact_p, rounded));
    using T = std::remove_cvref_t<decltype(p.x[0].limb[0])>;
    EXPECT_LE(double(error), 40 * std::max(double(FloatTraits<W>::u), double(FloatTraits<T>::u)));
  }
}

TYPED_TEST(HalfSpaceTest, ExpmapOfAnotherRadiusAgreesWithMpfr) {
  using W = typename TypeParam::Work;
  using T = std::remove_cvref_t<decltype(TypeParam::template origin<3>().x[0].limb[0])>;
  const TypeParam space(W(3));
  const double u = std::max(double(FloatTraits<W>::u), double(FloatTraits<T>::u));
  HalfSpaceCases cases(22);
  for (int i = 0; i < 40; ++i) {
    const auto p = stored<3>(space, cases.point(3, cases.uniform(0, 1)));
    const ExactPoint exact_p = exact_point(space, p);
    const ExactPoint v = cases.vector(3, cases.uniform(0, 2));
    std::array<W, 3> tangent{};
    ExactPoint frame(3);
    for (std::size_t c = 0; c < 3; ++c) {
      tangent[c] = (v[c] * exact_p[2]).template rounded<W>();
      frame[c] = Big(double(tangent[c])) / exact_p[2];
    }
    const auto q = space.template expmap_coordinates<3>(p, tangent);
    const Big error = exact_distance(exact_point(space, q), exact_step(exact_p, frame));
    EXPECT_LE(double(error), 60 * u);
    // d = K |u| / h
    const double length = 3 * double(exact_length(frame, 3));
    EXPECT_NEAR(double(space.template dist<3>(p, q)), length, 200 * u * (1 + length));
  }
}

TYPED_TEST(HalfSpaceTest, LogmapInvertsTheStep) {
  const TypeParam space(typename TypeParam::Work(2.5));
  HalfSpaceCases cases(5);
  for (int i = 0; i < 30; ++i) {
    const auto p = stored<3>(space, cases.point(3, 1));
    const auto q = stored<3>(space, cases.point(3, 1));
    const auto back = space.template expmap<3>(p, space.template logmap<3>(p, q));
    using T = std::remove_cvref_t<decltype(p.x[0].limb[0])>;
    EXPECT_LE(double(space.template dist<3>(back, q)),
              100 * std::max<double>(unit<TypeParam>, double(FloatTraits<T>::u)));
  }
}

TYPED_TEST(HalfSpaceTest, TransportKeepsLengthsAndFollowsTheGeodesic) {
  using W = typename TypeParam::Work;
  const TypeParam space;
  HalfSpaceCases cases(20);
  for (int i = 0; i < 40; ++i) {
    const auto pair = make_pair(cases, space, cases.uniform(0, 10));
    const auto v = space.template direction<3>(pair.p, pair.q);
    std::array<W, 3> w = {W(0.3), W(-0.4), W(0.5)};
    const auto moved = space.template ptransp<3>(pair.p, pair.q, v);
    const auto other = space.template ptransp<3>(pair.p, pair.q, w);
    const auto back = space.template direction<3>(pair.q, pair.p);
    double before = 0;
    double after = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      // the direction away from q, carried to q, is that towards p
      EXPECT_NEAR(moved[c], -back[c], 32 * unit<TypeParam>);
      before += double(v[c]) * double(w[c]);
      after += double(moved[c]) * double(other[c]);
    }
    EXPECT_NEAR(after, before, 64 * unit<TypeParam>);
  }
}

TYPED_TEST(HalfSpaceTest, NothingIsEverNotANumber) {
  using W = typename TypeParam::Work;
  const TypeParam space;
  const double longest = sizeof(W) == 8 ? 700 : 85;
  auto p = TypeParam::template origin<3>();
  HalfSpaceCases cases(6);
  for (int i = 0; i < 200; ++i) {
    std::array<W, 3> frame{};
    const ExactPoint v = cases.vector(3, cases.uniform(0, longest), i % 2 == 0 ? 1 : 30);
    for (std::size_t c = 0; c < 3; ++c) frame[c] = v[c].rounded<W>();
    const auto q = space.template expmap<3>(p, frame);
    const double d = space.template dist<3>(p, q);
    ASSERT_FALSE(std::isnan(d)) << i;
    for (const auto g : space.template direction<3>(p, q)) ASSERT_FALSE(std::isnan(g)) << i;
    for (const auto& x : q.x) ASSERT_TRUE(std::isfinite(double(x.limb[0]))) << i;
    p = i % 10 == 9 ? TypeParam::template origin<3>() : q;
  }
}

/// Coordinates are finite, and heights that are not given by their logarithm are above 0.
TYPED_TEST(HalfSpaceTest, ChecksPoints) {
  const TypeParam space;
  auto p = TypeParam::template origin<3>();
  using T = std::remove_cvref_t<decltype(p.x[0].limb[0])>;
  using H = decltype(p.height);
  const auto with_height = [&](double height) {
    auto q = p;
    q.height = H(T(height));
    return q;
  };
  EXPECT_TRUE(space.check_point(p));
  EXPECT_TRUE(space.check_point(with_height(1e-30)));
  constexpr bool is_logarithm = std::is_same_v<typename TypeParam::HeightKind, LogHeight<T>>;
  for (const double height : {0.0, -1.0, -1e-30})
    EXPECT_EQ(space.check_point(with_height(height)), is_logarithm) << height;
  for (const double wrong : {double(INFINITY), -double(INFINITY), double(NAN)}) {
    EXPECT_FALSE(space.check_point(with_height(wrong)));
    for (int i = 0; i < 2; ++i) {
      auto q = p;
      q.x[i].limb[0] = T(wrong);
      EXPECT_FALSE(space.check_point(q)) << i;
    }
  }
}

TYPED_TEST(HalfSpaceTest, StepsOfAnyLengthKeepTheirDirection) {
  using W = typename TypeParam::Work;
  const TypeParam space;
  const auto origin = TypeParam::template origin<3>();
  const W most = std::numeric_limits<W>::max();
  const double range = sizeof(W) == 8 ? 300 : 40;
  for (const W v : {W(1000), W(most / 1e5), W(most / 2), most}) {
    for (const W side : {W(0), W(v / 3), v}) {
      const auto above = space.template expmap<3>(origin, std::array<W, 3>{0, 0, v});
      const auto below = space.template expmap<3>(origin, std::array<W, 3>{side, side, -v});
      EXPECT_GT(double(exact_distance(exact_point(space, above), exact_point(space, origin))),
                range);
      EXPECT_TRUE(exact_point(space, origin)[2] < exact_point(space, above)[2]) << double(v);
      EXPECT_TRUE(exact_point(space, below)[2] < exact_point(space, origin)[2]) << double(v);
      // and from where the height can grow no more
      const auto again = space.template expmap<3>(above, std::array<W, 3>{0, 0, v});
      EXPECT_FALSE(exact_point(space, again)[2] < exact_point(space, above)[2]) << double(v);
      if (side > 0) {
        EXPECT_TRUE(Big(0.0) < exact_point(space, below)[0]);
        EXPECT_EQ(double(below.x[0].limb[0]), double(below.x[1].limb[0]));
      }
    }
  }
}

TYPED_TEST(HalfSpaceTest, TheZeroVectorLeadsToThePointItself) {
  using W = typename TypeParam::Work;
  const TypeParam space;
  HalfSpaceCases cases(21);
  for (int i = 0; i < 20; ++i) {
    const auto p = stored<3>(space, cases.point(3, cases.uniform(0, reach<TypeParam> / 2)));
    const auto q = space.template expmap<3>(p, std::array<W, 3>{});
    const ExactPoint before = exact_point(space, p);
    const ExactPoint after = exact_point(space, q);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(relative_error(after[c], before[c]), 0) << i;
  }
}

}  // namespace
}  // namespace mct::geometry
