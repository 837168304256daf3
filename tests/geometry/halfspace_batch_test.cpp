// Rows of half-space points in SIMD lanes, against the scalar representations.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "mctensor/geometry/halfspace/all.hpp"
#include "mctensor/geometry/halfspace/batch.hpp"
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

TYPED_TEST(HalfSpaceBatchTest, StepsAreThoseOfSinglePointsWithDuplicatesAdded) {
  using T = typename RowCases<TypeParam>::T;
  constexpr int n = RowCases<TypeParam>::n;
  constexpr int M = RowCases<TypeParam>::M;
  constexpr double u = RowCases<TypeParam>::u;
  for (const HeightKind kind : {HeightKind::plain, HeightKind::components}) {
    const auto points = this->cases.make_points(3, kind == HeightKind::plain);
    const auto before = points.clone();
    std::vector<std::int64_t> moved;
    std::vector<T> vectors;
    std::vector<std::array<T, n>> sums(std::size_t(RowCases<TypeParam>::rows), std::array<T, n>{});
    for (int i = 0; i < 150; ++i) {
      moved.push_back(this->cases.any_row());
      const auto v = this->cases.vector(i % 5 == 0 ? 1e-9 : 2);
      for (int c = 0; c < n; ++c) {
        vectors.push_back(v[std::size_t(c)]);
        sums[std::size_t(moved.back())][std::size_t(c)] += v[std::size_t(c)];
      }
    }
    const auto frame = Tensor<T>::from_values(vectors, {150, n});
    const auto outcome = half_space_step_(kind, points, Index::from_values(moved), frame);
    EXPECT_EQ(outcome.nonfinite, 0);
    const McHalfSpace<T, M> space;
    std::int64_t changed = 0;
    for (std::int64_t i = 0; i < RowCases<TypeParam>::rows; ++i) {
      const auto expected =
          space.template expmap<n>(this->cases.get(before, i), sums[std::size_t(i)]);
      const auto found = this->cases.get(points, i);
      EXPECT_LE((space.template dist<n>(found, expected)), 40 * u) << i;
      changed += space.template dist<n>(found, this->cases.get(before, i)) > 0;
      if (kind == HeightKind::plain && M > 1) {
        EXPECT_EQ(found.height.limb[M > 1 ? 1 : 0], 0);
      }
    }
    EXPECT_LE(changed, outcome.updated);
    EXPECT_GE(changed, outcome.updated * 8 / 10);
  }
}

TYPED_TEST(HalfSpaceBatchTest, DescentIsAlg16And17) {
  using T = typename RowCases<TypeParam>::T;
  constexpr int n = RowCases<TypeParam>::n;
  constexpr int M = RowCases<TypeParam>::M;
  const auto points = this->cases.make_points(3);
  const auto gradient = Tensor<T>::from_values({T(0.5), T(-1), T(0.25), T(2)}, {1, n});
  const auto p = this->cases.get(points, 3);
  half_space_rsgd_(HeightKind::components, points, Index::from_values({3}), gradient, 0.1, 3);
  const McHalfSpace<T, M> space(3);
  const auto expected =
      rsgd_alg17<n>(space, p, std::array<T, n>{T(0.5), T(-1), T(0.25), T(2)}, T(0.1));
  EXPECT_LE((space.template dist<n>(this->cases.get(points, 3), expected)),
            40 * RowCases<TypeParam>::u);
}

TYPED_TEST(HalfSpaceBatchTest, DescentIsAlg16WithPlainHeightsAndAddsDuplicates) {
  using T = typename RowCases<TypeParam>::T;
  constexpr int n = RowCases<TypeParam>::n;
  constexpr int M = RowCases<TypeParam>::M;
  const auto points = this->cases.make_points(3, true);
  const auto before = points.clone();
  const auto gradient = Tensor<T>::from_values(
      {T(0.5), T(-1), T(0.25), T(2), 1, 2, 3, 4, T(0.25), T(0.5), T(-1), T(-1)}, {3, n});
  const auto outcome =
      half_space_rsgd_(HeightKind::plain, points, Index::from_values({3, 5, 3}), gradient, 0.1, 3);
  EXPECT_EQ(outcome.updated, 2);
  const XmcHalfSpace<T, M> space(3);
  const auto plain = [&](const Tensor<T, M>& x, std::int64_t i) {
    const auto p = this->cases.get(x, i);
    typename XmcHalfSpace<T, M>::template Point<n> r{};
    std::copy(p.x, p.x + (n - 1), r.x);
    r.height = p.height.limb[0];
    return r;
  };
  const auto check = [&](std::int64_t row, const std::array<T, n>& sum) {
    const auto expected = rsgd_alg16<n>(space, plain(before, row), sum, T(0.1));
    EXPECT_LE((space.template dist<n>(plain(points, row), expected)), 100 * RowCases<TypeParam>::u);
    EXPECT_GT((space.template dist<n>(plain(points, row), plain(before, row))), 1e-3);
    for (int k = 1; k < M; ++k) EXPECT_EQ(this->cases.get(points, row).height.limb[k], 0);
  };
  check(3, {T(0.75), T(-0.5), T(-0.75), T(1)});
  check(5, {1, 2, 3, 4});
}

TYPED_TEST(HalfSpaceBatchTest, ExtremeStepsStayInsideAndBadOnesAreSkipped) {
  using T = typename RowCases<TypeParam>::T;
  constexpr int n = RowCases<TypeParam>::n;
  const auto points = this->cases.make_points(3);
  const auto before = points.clone();
  const T inf = std::numeric_limits<T>::infinity();
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const T far = sizeof(T) == 8 ? 700 : 85;
  const auto frame = Tensor<T>::from_values(
      {nan, 0, 0, 0, 0, inf, 0, 0, 0, 0, 0, -far, 0, 0, 0, far, far / 2, far / 2, 0, 0, 0, 0, 0, 0},
      {6, n});
  for (int i = 0; i < 3; ++i) {
    const auto outcome = half_space_step_(HeightKind::components, points,
                                          Index::from_values({0, 1, 2, 3, 4, 5}), frame);
    EXPECT_EQ(outcome.nonfinite, 2);
    EXPECT_EQ(outcome.updated, 4);
  }
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_GT(this->cases.get(points, i).height.limb[0], 0);
    for (int c = 0; c < n; ++c)
      EXPECT_TRUE(std::isfinite(Expansion<T, RowCases<TypeParam>::M>(points.at({i, c})).limb[0]));
  }
  for (const std::int64_t i : {0, 1, 5})
    EXPECT_EQ((typename RowCases<TypeParam>::Space().template dist<n>(this->cases.get(points, i),
                                                                      this->cases.get(before, i))),
              0);
}

TYPED_TEST(HalfSpaceBatchTest, StepsOfAnyLengthKeepTheirDirection) {
  using T = typename RowCases<TypeParam>::T;
  constexpr int n = RowCases<TypeParam>::n;
  const T most = std::numeric_limits<T>::max();
  for (const HeightKind kind : {HeightKind::plain, HeightKind::components}) {
    for (const T v : {T(1000), T(most / 1e5), T(most / 2), most}) {
      const auto points = this->cases.make_points(3, kind == HeightKind::plain);
      const auto before = points.clone();
      const auto frame =
          Tensor<T>::from_values({0, 0, 0, v, 0, 0, 0, -v, v, v, 0, -v, v, v, v, v}, {4, n});
      for (int twice = 0; twice < 2; ++twice)
        half_space_step_(kind, points, Index::from_values({0, 1, 2, 3}), frame);
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
  std::vector<std::int64_t> all(20000);
  for (std::int64_t i = 0; i < 20000; ++i) {
    all[std::size_t(i)] = i;
    this->cases.put(many, i, this->cases.get(points, a[std::size_t(i)]));
  }
  const auto stepped = [&](const Tensor<T>& frame) {
    const auto x = many.clone();
    half_space_step_(HeightKind::components, x, Index::from_values(all), frame);
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
  const auto step = [&](const Tensor<double, 2>& x, const Tensor<double>& v) {
    half_space_step_(HeightKind::plain, x, Index::from_values({0, 1}), v);
  };
  EXPECT_THROW(step(points, Tensor<double>({2, 4})), ShapeError);
  EXPECT_THROW(step(Tensor<double, 2>({3, 4}).t(), Tensor<double>({2, 3})), ShapeError);
  EXPECT_THROW(half_space_rsgd_(HeightKind::plain, points, Index::from_values({0}),
                                Tensor<double>({1, 3}), std::nan("")),
               DomainError);
}

}  // namespace
}  // namespace mct::geometry
