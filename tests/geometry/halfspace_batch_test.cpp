// Rows of half-space points in SIMD lanes, against the scalar representations.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "mctensor/geometry/storage/halfspace/all.hpp"
#include "mctensor/geometry/storage/halfspace/batch.hpp"
#include "mctensor/tensor/threads.hpp"

namespace mct::geometry {
namespace {

using Index = Tensor<std::int64_t>;

template <class X>
class RowCases {
 public:
  using T = typename X::value_component;
  static constexpr int M = X::components;
  static constexpr int n = 4;
  static constexpr std::int64_t rows = 203;
  static constexpr double u = FloatTraits<T>::u;
  using Space = McHalfSpace<T, M>;
  using Point = typename Space::template Point<n>;

  /// Points up to distance `reach` from the origin, some equal to others.
  Tensor<T, M> make_points(double reach, bool plain_height = false) {
    Tensor<T, M> points({rows, n});
    const Space space;
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto p = space.template expmap<n>(Space::template origin<n>(), vector(reach));
      put(points, i, i % 7 == 6 ? get(points, i - 1) : p);
    }
    if (plain_height)
      for (int k = 1; k < M; ++k) points.plane(k).select(1, n - 1).fill_(T(0));
    return points;
  }
  std::array<T, n> vector(double reach) {
    std::array<T, n> v;
    double sum = 0;
    for (T& c : v) {
      c = T(normal_(engine_));
      sum += double(c) * double(c);
    }
    const double length = reach * std::uniform_real_distribution<double>(0, 1)(engine_);
    for (T& c : v) c = T(double(c) * length / std::sqrt(sum));
    return v;
  }
  static Point get(const Tensor<T, M>& points, std::int64_t i) {
    Point p;
    for (int c = 0; c + 1 < n; ++c) p.x[c] = Expansion<T, M>(points.at({i, c}));
    p.height = Expansion<T, M>(points.at({i, n - 1}));
    return p;
  }
  static void put(const Tensor<T, M>& points, std::int64_t i, const Point& p) {
    for (int k = 0; k < M; ++k) {
      for (int c = 0; c + 1 < n; ++c) points.plane(k).set({i, c}, p.x[c].limb[k]);
      points.plane(k).set({i, n - 1}, p.height.limb[k]);
    }
  }
  std::int64_t any_row() {
    return std::uniform_int_distribution<std::int64_t>(0, rows - 1)(engine_);
  }

 private:
  std::mt19937_64 engine_{1};
  std::normal_distribution<double> normal_;
};
/// The members of RowCases are used through `cases`, so that tests can name their types.
template <class X>
class HalfSpaceBatchTest : public ::testing::Test {
 protected:
  RowCases<X> cases;
};
using Types = ::testing::Types<f64x1, f64x2, f64x3, f64x4, f32x1, f32x2, f32x4>;
TYPED_TEST_SUITE(HalfSpaceBatchTest, Types);

TYPED_TEST(HalfSpaceBatchTest, DistancesAndDirectionsAreThoseOfSinglePoints) {
  using T = typename RowCases<TypeParam>::T;
  constexpr int n = RowCases<TypeParam>::n;
  constexpr double u = RowCases<TypeParam>::u;
  const auto points = this->cases.make_points(sizeof(T) == 8 ? 200 : 30);
  std::vector<std::int64_t> a;
  std::vector<std::int64_t> b;
  for (int i = 0; i < 501; ++i) {
    a.push_back(this->cases.any_row());
    b.push_back(i % 10 == 0  ? a.back()
                : i % 3 == 0 ? std::max<std::int64_t>(a.back() - 1, 0)
                             : this->cases.any_row());
  }
  const auto d = half_space_dist(points, Index::from_values(a), Index::from_values(b), 2);
  const auto g = half_space_direction(points, Index::from_values(a), Index::from_values(b));
  const typename RowCases<TypeParam>::Space space(2);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto p = this->cases.get(points, a[i]);
    const auto q = this->cases.get(points, b[i]);
    const double expected = space.template dist<n>(p, q);
    const double found = d.at({std::int64_t(i)});
    EXPECT_LE(std::fabs(found - expected), 8 * u * expected) << a[i] << " " << b[i];
    const auto direction = space.template direction<n>(p, q);
    for (int c = 0; c < n; ++c)
      EXPECT_NEAR((g.at({std::int64_t(i), c})), direction[std::size_t(c)], 8 * u);
  }
  // row by row, and with another layout
  const auto same = half_space_dist(points, points.t().contiguous().t());
  for (std::int64_t i = 0; i < RowCases<TypeParam>::rows; ++i) EXPECT_EQ(same.at({i}), 0);
}

/// Vectors for all rows: f(i, c).
template <class C, class F>
Tensor<typename C::T> frames(const F& f) {
  std::vector<typename C::T> values;
  for (std::int64_t i = 0; i < C::rows; ++i)
    for (int c = 0; c < C::n; ++c) values.push_back(f(i, c));
  return Tensor<typename C::T>::from_values(values, {C::rows, C::n});
}

TYPED_TEST(HalfSpaceBatchTest, ExponentialMapsAreThoseOfSinglePoints) {
  using C = RowCases<TypeParam>;
  constexpr int n = C::n;
  for (const PointStorage storage : {PointStorage::xmc_half_space, PointStorage::mc_half_space}) {
    const auto points = this->cases.make_points(3, storage == PointStorage::xmc_half_space);
    const auto before = points.clone();
    std::vector<std::array<typename C::T, n>> vectors;
    for (std::int64_t i = 0; i < C::rows; ++i)
      vectors.push_back(this->cases.vector(i % 5 == 0 ? 1e-9 : 2));
    half_space_expmap_(storage, points, frames<C>([&](std::int64_t i, int c) {
                         return vectors[std::size_t(i)][std::size_t(c)];
                       }));
    const McHalfSpace<typename C::T, C::M> space;
    for (std::int64_t i = 0; i < C::rows; ++i) {
      const auto old = this->cases.get(before, i);
      const auto expected = space.template expmap<n>(old, vectors[std::size_t(i)]);
      const auto found = this->cases.get(points, i);
      EXPECT_LE((space.template dist<n>(found, expected)), 40 * C::u) << i;
      EXPECT_TRUE((space.template dist<n>(found, old) > 0) || i % 5 == 0) << i;
      if (storage == PointStorage::xmc_half_space && C::M > 1) {
        EXPECT_EQ(found.height.limb[C::M > 1 ? 1 : 0], 0);
      }
    }
  }
}

TYPED_TEST(HalfSpaceBatchTest, ExtremeVectorsEndInsideAndBadOnesAreSkipped) {
  using C = RowCases<TypeParam>;
  using T = typename C::T;
  constexpr int n = C::n;
  const auto points = this->cases.make_points(3);
  const auto before = points.clone();
  const T inf = std::numeric_limits<T>::infinity();
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const T far = sizeof(T) == 8 ? 700 : 85;
  const std::array<T, 6 * n> some = {nan, 0, 0, 0,   0,       inf,     0, 0, 0, 0, 0, -far,
                                     0,   0, 0, far, far / 2, far / 2, 0, 0, 0, 0, 0, 0};
  const auto frame =
      frames<C>([&](std::int64_t i, int c) { return i < 6 ? some[std::size_t(i * n + c)] : T(0); });
  for (int i = 0; i < 3; ++i) half_space_expmap_(PointStorage::mc_half_space, points, frame);
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_GT(this->cases.get(points, i).height.limb[0], 0);
    for (int c = 0; c < n; ++c)
      EXPECT_TRUE(std::isfinite(Expansion<T, C::M>(points.at({i, c})).limb[0]));
  }
  for (const std::int64_t i : {0, 1, 5, 6})
    EXPECT_EQ((typename C::Space().template dist<n>(this->cases.get(points, i),
                                                    this->cases.get(before, i))),
              0);
}

TYPED_TEST(HalfSpaceBatchTest, StepsOfAnyLengthKeepTheirDirection) {
  using T = typename RowCases<TypeParam>::T;
  constexpr int n = RowCases<TypeParam>::n;
  const T most = std::numeric_limits<T>::max();
  for (const PointStorage storage : {PointStorage::xmc_half_space, PointStorage::mc_half_space}) {
    for (const T v : {T(1000), T(most / 1e5), T(most / 2), most}) {
      const auto points = this->cases.make_points(3, storage == PointStorage::xmc_half_space);
      const auto before = points.clone();
      const std::array<T, 4 * n> some = {0, 0, 0, v, 0, 0, 0, -v, v, v, 0, -v, v, v, v, v};
      const auto frame = frames<RowCases<TypeParam>>(
          [&](std::int64_t i, int c) { return i < 4 ? some[std::size_t(i * n + c)] : T(0); });
      for (int twice = 0; twice < 2; ++twice) half_space_expmap_(storage, points, frame);
      for (std::int64_t i = 0; i < 4; ++i) {
        const auto p = this->cases.get(before, i);
        const auto q = this->cases.get(points, i);
        const T up = i == 0 ? T(1) : T(-1);
        EXPECT_GT(up * (q.height.limb[0] - p.height.limb[0]), 0) << i << " " << double(v);
        EXPECT_GE(q.x[0].limb[0], i < 2 ? T(-1000) : p.x[0].limb[0]) << i << " " << double(v);
        for (const auto& x : q.x) EXPECT_TRUE(std::isfinite(x.limb[0]));
      }
    }
  }
}

TYPED_TEST(HalfSpaceBatchTest, TheSameBitsOnAnyNumberOfThreads) {
  const auto points = this->cases.make_points(3);
  std::vector<std::int64_t> a(20000);
  std::vector<std::int64_t> b(20000);
  for (auto& i : a) i = this->cases.any_row();
  for (auto& i : b) i = this->cases.any_row();
  const int threads = num_threads();
  const auto from = Index::from_values(a);
  const auto to = Index::from_values(b);
  using T = typename RowCases<TypeParam>::T;
  // enough different rows for more than one thread
  Tensor<T, RowCases<TypeParam>::M> many({20000, RowCases<TypeParam>::n});
  for (std::int64_t i = 0; i < 20000; ++i)
    this->cases.put(many, i, this->cases.get(points, a[std::size_t(i)]));
  const auto stepped = [&](const Tensor<T>& frame) {
    const auto x = many.clone();
    half_space_expmap_(PointStorage::mc_half_space, x, frame);
    std::vector<T> values;
    for (int k = 0; k < RowCases<TypeParam>::M; ++k)
      values.insert(values.end(), x.data(k), x.data(k) + x.numel());
    return values;
  };
  set_num_threads(1);
  const auto one = half_space_dist(points, from, to).values();
  const auto direction = half_space_direction(points, from, to);
  const auto moved = stepped(direction);
  set_num_threads(3);
  EXPECT_EQ(one, half_space_dist(points, from, to).values());
  EXPECT_EQ(direction.values(), half_space_direction(points, from, to).values());
  EXPECT_EQ(moved, stepped(direction));
  set_num_threads(threads);
  EXPECT_EQ(one.size(), std::size_t(20000));
}

TEST(HalfSpaceBatch, SaysWhatDoesNotFit) {
  const Tensor<double, 2> points({4, 3});
  const auto index = Index::from_values({0, 4});
  EXPECT_THROW(half_space_dist(points, Tensor<double, 2>({3, 3})), ShapeError);
  EXPECT_THROW(half_space_dist(Tensor<double, 2>({3}), Tensor<double, 2>({3})), ShapeError);
  EXPECT_THROW(half_space_dist(points, points, -1.0), DomainError);
  EXPECT_THROW(half_space_dist(points, index, index), ShapeError);
  EXPECT_THROW(half_space_direction(points, Index::from_values({0}), Index::from_values({0, 1})),
               ShapeError);
  const auto move = [](const Tensor<double, 2>& x, const Tensor<double>& v) {
    half_space_expmap_(PointStorage::xmc_half_space, x, v);
  };
  EXPECT_THROW(move(points, Tensor<double>({4, 4})), ShapeError);
  EXPECT_THROW(move(points, Tensor<double>({3, 3})), ShapeError);
  EXPECT_THROW(move(Tensor<double, 2>({3, 4}).t(), Tensor<double>({4, 3})), ShapeError);
}

}  // namespace
}  // namespace mct::geometry
