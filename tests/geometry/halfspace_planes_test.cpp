// Rows of half-space points of any number of components in SIMD lanes, against XmcHalfSpace.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "mctensor/geometry/optim/half_space_rows.hpp"
#include "mctensor/geometry/storage/halfspace/all.hpp"
#include "mctensor/geometry/storage/halfspace/batch.hpp"
#include "mctensor/tensor/threads.hpp"

namespace mct::geometry {
namespace {

using Index = Tensor<std::int64_t>;

template <class X>
struct Case;
template <class T, int M>
struct Case<LongSum<T, M>> {
  using Component = T;
  static constexpr int components = M;
};

/// Rows [M, rows, n] up to the distance that M components hold, half of them next to each other.
template <class X>
class PlaneCases {
 public:
  using T = typename Case<X>::Component;
  static constexpr int M = Case<X>::components;
  static constexpr int n = 4;
  static constexpr std::int64_t rows = 151;
  static constexpr double u = FloatTraits<T>::u;
  static constexpr double reach = sizeof(T) == 8 ? 30.0 * M : std::min(14.0 * M, 80.0);
  using Space = XmcHalfSpace<T, M>;
  using Point = typename Space::template Point<n>;
  using Rows = HalfSpaceRows<Space, T, M, n>;

  std::array<T, n> vector(double length) {
    std::array<T, n> v;
    double sum = 0;
    for (T& c : v) {
      c = T(normal_(engine_));
      sum += double(c) * double(c);
    }
    for (T& c : v) c = T(double(c) * length / std::sqrt(sum));
    return v;
  }
  Tensor<T> make_points() {
    Tensor<T> points({M, rows, n});
    const Space space;
    for (std::int64_t i = 0; i < rows; ++i) {
      Point p = Space::template origin<n>();
      if (i % 2 == 1) {
        p = get(points, i - 1);
        p = space.template expmap<n>(p, vector(std::ldexp(1.0, -int(i % 60))));
      } else {
        for (int k = 0; k < 10; ++k) p = space.template expmap<n>(p, vector(reach / 10));
      }
      put(points, i, p);
    }
    return points;
  }
  static Point get(const Tensor<T>& points, std::int64_t i) {
    Point p{};
    for (int k = 0; k < M; ++k) {
      for (int c = 0; c + 1 < n; ++c) p.x[c].limb[k] = points.at({k, i, c});
    }
    p.height = points.at({0, i, n - 1});
    return p;
  }
  static void put(const Tensor<T>& points, std::int64_t i, const Point& p) {
    for (int k = 0; k < M; ++k) {
      for (int c = 0; c + 1 < n; ++c) points.set({k, i, c}, p.x[c].limb[k]);
      points.set({k, i, n - 1}, k == 0 ? p.height : T(0));
    }
  }
  std::int64_t any_row() {
    return std::uniform_int_distribution<std::int64_t>(0, rows - 1)(engine_);
  }

 private:
  std::mt19937_64 engine_{1};
  std::normal_distribution<double> normal_;
};
template <class X>
class HalfSpacePlanesTest : public ::testing::Test {
 protected:
  PlaneCases<X> cases;
};
using Types = ::testing::Types<LongSum<double, 5>, LongSum<double, 20>, LongSum<float, 6>>;
TYPED_TEST_SUITE(HalfSpacePlanesTest, Types);

TYPED_TEST(HalfSpacePlanesTest, DistancesAndDirectionsAreThoseOfSinglePoints) {
  using C = PlaneCases<TypeParam>;
  const auto points = this->cases.make_points();
  std::vector<std::int64_t> a;
  std::vector<std::int64_t> b;
  for (int i = 0; i < 403; ++i) {
    a.push_back(this->cases.any_row());
    b.push_back(i % 10 == 0 ? a.back()
                : i % 3 < 2 ? std::max<std::int64_t>(a.back() - 1, 0)
                            : this->cases.any_row());
  }
  const auto d = half_space_dist(points, Index::from_values(a), Index::from_values(b), 2);
  const auto g = half_space_direction(points, Index::from_values(a), Index::from_values(b));
  const typename C::Space space(2);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto p = C::get(points, a[i]);
    const auto q = C::get(points, b[i]);
    const double expected = space.template dist<C::n>(p, q);
    EXPECT_LE(std::fabs(double(d.at({std::int64_t(i)})) - expected), 8 * C::u * expected) << i;
    const auto direction = space.template direction<C::n>(p, q);
    for (int c = 0; c < C::n; ++c)
      EXPECT_NEAR((g.at({std::int64_t(i), c})), direction[std::size_t(c)], 8 * C::u) << i;
  }
  const auto same = half_space_dist(points, points.clone());
  for (std::int64_t i = 0; i < C::rows; ++i) EXPECT_EQ(same.at({i}), 0);
}

TYPED_TEST(HalfSpacePlanesTest, ExponentialMapsAreThoseOfSinglePoints) {
  using C = PlaneCases<TypeParam>;
  using T = typename C::T;
  const auto points = this->cases.make_points();
  const auto before = points.clone();
  std::vector<std::array<T, C::n>> vectors;
  std::vector<T> values;
  for (std::int64_t i = 0; i < C::rows; ++i) {
    vectors.push_back(this->cases.vector(i % 5 == 0 ? 1e-9 : 2));
    values.insert(values.end(), vectors.back().begin(), vectors.back().end());
  }
  half_space_expmap_(PointStorage::xmc_half_space, points,
                     Tensor<T>::from_values(values, {C::rows, C::n}));
  const typename C::Space space;
  const typename C::Rows rows;
  for (std::int64_t i = 0; i < C::rows; ++i) {
    const auto expected = space.template expmap<C::n>(C::get(before, i), vectors[std::size_t(i)]);
    EXPECT_LE((space.template dist<C::n>(C::get(points, i), expected)), 40 * C::u) << i;
    EXPECT_GT((space.template dist<C::n>(C::get(points, i), C::get(before, i))), 0);
    // the layout is that of the optimizers, and components do not overlap
    EXPECT_EQ((space.template dist<C::n>(C::get(points, i), rows.load(points, i))), 0);
    for (int c = 0; c + 1 < C::n; ++c)
      for (int k = 1; k < C::M; ++k) {
        const T high = points.at({k - 1, i, c});
        EXPECT_EQ(high + points.at({k, i, c}), high);
      }
  }
}

TYPED_TEST(HalfSpacePlanesTest, ExtremeVectorsEndInsideAndBadOnesAreSkipped) {
  using C = PlaneCases<TypeParam>;
  using T = typename C::T;
  const auto points = this->cases.make_points();
  const auto before = points.clone();
  const T inf = std::numeric_limits<T>::infinity();
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const T far = std::numeric_limits<T>::max();
  std::vector<T> values = {nan, 0, 0, 0,   0,   inf, 0, 0, 0, 0, 0, -far,
                           0,   0, 0, far, far, far, 0, 0, 0, 0, 0, 0};
  values.resize(std::size_t(C::rows * C::n));
  const auto frame = Tensor<T>::from_values(values, {C::rows, C::n});
  for (int i = 0; i < 3; ++i) half_space_expmap_(PointStorage::xmc_half_space, points, frame);
  const typename C::Rows rows;
  for (std::int64_t i = 0; i < 6; ++i) EXPECT_TRUE(rows.is_point(rows.load(points, i))) << i;
  for (const std::int64_t i : {0, 1, 5, 6})
    for (int k = 0; k < C::M; ++k)
      for (int c = 0; c < C::n; ++c) EXPECT_EQ((points.at({k, i, c})), (before.at({k, i, c})));
}

TYPED_TEST(HalfSpacePlanesTest, TheSameBitsOnAnyNumberOfThreads) {
  using C = PlaneCases<TypeParam>;
  const auto points = this->cases.make_points();
  std::vector<std::int64_t> a(3000);
  std::vector<std::int64_t> b(3000);
  for (auto& i : a) i = this->cases.any_row();
  for (auto& i : b) i = this->cases.any_row();
  const auto from = Index::from_values(a);
  const auto to = Index::from_values(b);
  const int threads = num_threads();
  const auto run = [&](int count) {
    set_num_threads(count);
    const auto direction = half_space_direction(points, from, to);
    const auto x = points.clone();
    half_space_expmap_(PointStorage::xmc_half_space, x,
                       direction.narrow(0, 0, C::rows).contiguous());
    return std::tuple(half_space_dist(points, from, to).values(), direction.values(), x.values());
  };
  const auto one = run(1);
  EXPECT_EQ(one, run(3));
  set_num_threads(threads);
}

TEST(HalfSpacePlanes, OneComponentAndFourAreTheTensorsOfTheseComponents) {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  Tensor<double, 4> points({64, 3});
  const XmcHalfSpace<double, 4> space;
  const HalfSpaceRows<XmcHalfSpace<double, 4>, double, 4, 3> rows;
  for (std::int64_t i = 0; i < 64; ++i)
    rows.store(points, i,
               rows.expmap(XmcHalfSpace<double, 4>::origin<3>(),
                           {40 * normal(engine), normal(engine), 9 * normal(engine)}));
  Tensor<double> planes({4, 64, 3});
  for (int k = 0; k < 4; ++k) planes.select(0, k).copy_(points.plane(k));
  const auto a = Index::from_values({1, 2, 3, 4});
  const auto b = Index::from_values({60, 2, 7, 8});
  const auto d = half_space_dist(points, a, b);
  const auto e = half_space_dist(planes, a, b);
  for (std::int64_t i = 0; i < 4; ++i)
    EXPECT_LE(std::fabs(d.at({i}) - e.at({i})), 4 * FloatTraits<double>::u * d.at({i}));
  const Tensor<double> one = planes.select(0, 0).contiguous();
  EXPECT_EQ(half_space_dist(one, a, b).values(),
            half_space_dist(one.reshape({1, 64, 3}), a, b).values());
}

TEST(HalfSpacePlanes, SaysWhatDoesNotFit) {
  const Tensor<double> points({20, 4, 3});
  const auto index = Index::from_values({0});
  const Tensor<double> vector({4, 3});
  EXPECT_THROW(half_space_dist(points, Tensor<double>({19, 4, 3})), ShapeError);
  EXPECT_THROW(half_space_dist(points, Tensor<double>({4, 3})), ShapeError);
  EXPECT_THROW(half_space_dist(points, Index::from_values({4}), index), ShapeError);
  EXPECT_THROW(half_space_dist(Tensor<double, 2>({20, 4, 3}), index, index), ShapeError);
  EXPECT_THROW(half_space_direction(Tensor<double>({0, 4, 3}), index, index), ShapeError);
  EXPECT_THROW(half_space_direction(Tensor<double>({5, 4, 1}), index, index), ShapeError);
  EXPECT_THROW(half_space_expmap_(PointStorage::mc_half_space, points, vector), DomainError);
  EXPECT_THROW(half_space_expmap_(PointStorage::log_half_space, points, vector), DomainError);
  EXPECT_THROW(half_space_expmap_(PointStorage::xmc_half_space, points, Tensor<double>({4, 4})),
               ShapeError);
  EXPECT_THROW(half_space_expmap_(PointStorage::xmc_half_space,
                                  Tensor<double>({4, 20, 3}).transpose(0, 1), vector),
               ShapeError);
}

}  // namespace
}  // namespace mct::geometry
