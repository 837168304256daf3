// Losses over pairs of points of any storage: distances, their gradients, and optimizers that take
// them as backward() leaves them.
#include "mctensor/geometry/optim/manifold_parameter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mctensor/autograd/all.hpp"
#include "mctensor/geometry/autograd.hpp"
#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/optim/all.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;

using Index = Tensor<std::int64_t>;

Index index(const std::vector<std::int64_t>& values) { return Index::from_values(values); }

template <class Rows>
Tensor<typename Rows::Component> all_rows(const ManifoldParameter<Rows>& table) {
  const auto sparse = table.leaf().sparse_grad();
  return sparse.dense(table.leaf().shape());
}

/// The gradient of a weighted sum of distances is made of those of the pairs, and points that are
/// drawn to each other by it meet.
template <class Rows>
void expect_attraction(const Rows& space, const typename Rows::Points& points, double lr) {
  using T = typename Rows::Component;
  const ManifoldParameter<Rows> table(space, points);
  const Index a = index({0, 1, 0}), b = index({1, 2, 0});
  const auto d = dist(table, a, b);
  ASSERT_EQ(d.shape(), (Shape{3}));
  for (std::int64_t i = 0; i < 3; ++i) {
    const double single(space.dist(space.load(points, a.at({i})), space.load(points, b.at({i}))));
    // kernels differ from single points by rounding
    EXPECT_NEAR(double(d.value().at({i})), single, 9 * double(FloatTraits<T>::u) * single);
  }
  EXPECT_EQ(d.value().at({2}), T(0));
  sum(d * Tensor<T>::from_values({T(1), T(-0.5), T(3)})).backward();
  const auto gradient = all_rows(table);
  std::vector<T> first(static_cast<std::size_t>(table.columns())), second = first;
  space.dist_gradient(space.load(points, 1), space.load(points, 0), first.data());
  space.dist_gradient(space.load(points, 1), space.load(points, 2), second.data());
  for (std::size_t c = 0; c < first.size(); ++c)
    EXPECT_NEAR(double(gradient.at({1, std::int64_t(c)})),
                double(first[c]) - 0.5 * double(second[c]),
                12 * double(FloatTraits<T>::u) * (std::abs(double(first[c])) + 1));

  Radam<Rows> adam(table, {.lr = lr});
  double before = 0, after = 0;
  for (int step = 0; step < 200; ++step) {
    adam.zero_grad();
    const auto pairs = dist(table, index({0, 1}), index({1, 2}));
    const auto loss = sum(pairs * pairs);
    if (step == 0) before = double(loss.item());
    after = double(loss.item());
    loss.backward();
    const RowStep moved = adam.step();
    EXPECT_EQ(moved.updated, 3);
  }
  EXPECT_LT(after, 0.05 * before) << space.name();
}

template <template <class, int> class Space, class T, int M>
void expect_half_space() {
  using Rows = HalfSpaceRows<Space<T, M>, T, M, 3>;
  const Rows space(1.5);
  typename Rows::Points points(M > 4 ? Shape{M, 3, 3} : Shape{3, 3});
  const bool logarithmic = Rows::is_logarithmic;
  const double places[3][3] = {{0.1, -0.4, 1.2}, {1.5, 0.3, 0.4}, {-0.7, 0.9, 2.5}};
  for (std::int64_t row = 0; row < 3; ++row) {
    typename Rows::RowPoint x = space.load(points, row);
    for (int i = 0; i < 2; ++i)
      x.x[i] = typename Space<T, M>::X(T(places[std::size_t(row)][std::size_t(i)]));
    const double height = places[std::size_t(row)][2];
    x.height = decltype(x.height)(T(logarithmic ? std::log(height) : height));
    space.store(points, row, x);
  }
  expect_attraction(space, points, 0.05);
}
TEST(ManifoldParameter, HalfSpaceStorages) {
  expect_half_space<XmcHalfSpace, double, 2>();
  expect_half_space<XmcHalfSpace, float, 3>();
  expect_half_space<XmcHalfSpace, bfloat16, 2>();
  expect_half_space<XmcHalfSpace, double, 20>();
  expect_half_space<McHalfSpace, double, 3>();
  expect_half_space<LogHalfSpace, double, 2>();
}

template <class Tiling>
void expect_tiling(const Tiling& tiling) {
  using Rows = TilingRows<Tiling>;
  const Rows space(tiling);
  const TilingPoints<typename Tiling::Point> points(3, tiling.origin());
  auto u = space.load_vector(
      Tensor<double>::from_values(std::vector<double>(std::size_t(space.columns_of(points)), 0.4),
                                  {1, space.columns_of(points)}),
      0);
  points[1] = tiling.expmap(points[0], u);
  points[2] = tiling.expmap(points[1], u);
  expect_attraction(space, points, 0.05);
}
TEST(ManifoldParameter, Tilings) {
  expect_tiling(LTiling<double>(1.5));
  expect_tiling(HTiling<double, 3>(1.5));
  expect_tiling(LTilingProduct<double>(2, 1.5));
}

/// Of plain coordinates the leaf's value are the points, and the same loss is written either way.
TEST(ManifoldParameter, PlainCoordinates) {
  using Rows = ManifoldRows<PoincareBall<double>>;
  const PoincareBall<double> ball(1.5);
  const auto points = random_normal(ball, {4, 2}, 3);
  const ManifoldParameter<Rows> table(Rows(ball), points.clone());
  const Variable<double> x(points.clone(), true);
  sum(dist(table, index({0, 1}), index({2, 2}))).backward();
  sum(ball.dist(embedding(x, index({0, 1})), embedding(x, index({2, 2})))).backward();
  EXPECT_EQ(all_rows(table).values(), x.grad().values());
  EXPECT_THROW(dist(table, index({0, 1}), index({2})), ShapeError);
  Rsgd<Rows> by_table(table, {.lr = 0.1});
  Rsgd<Rows> by_variable(Rows(ball), x, {.lr = 0.1});
  EXPECT_EQ(by_table.step().updated, 3);
  by_variable.step();
  EXPECT_EQ(table.points().values(), x.value().values());
  EXPECT_FALSE([&] {
    by_table.zero_grad();
    return table.leaf().has_grad();
  }());
}

TEST(ManifoldParameter, Refusals) {
  using Rows = TilingRows<LTiling<double>>;
  const LTiling<double> tiling;
  const TilingPoints<LTiling<double>::Point> points(3, tiling.origin());
  const ManifoldParameter<Rows> table(Rows(tiling), points);
  EXPECT_EQ(testing::message_of<ShapeError>([&] {
              dist(table, index({0, 1}), index({0}));
            }),
            "dist: 2 and 1 row numbers; both lists must have the same length");
  EXPECT_EQ(testing::message_of<ShapeError>([&] { dist(table, index({0}), index({3})); }),
            "dist: row 3 does not exist; there are 3 rows, counted from 0");
  Rsgd<Rows> by_points(Rows(tiling), points, {.lr = 0.1});
  EXPECT_THROW(by_points.step(), DomainError);
}

}  // namespace
}  // namespace mct::geometry_test
