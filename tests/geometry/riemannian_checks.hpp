// The tests of Riemannian optimizers, for the list of rows AllRows that the including file defines.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <memory>

#include "mctensor/tensor/threads.hpp"
#include "tests/files.hpp"
#include "tests/geometry/riemannian_spaces.hpp"

namespace mct::geometry_test {

using Index = Tensor<std::int64_t>;

template <class Rows>
struct Problem {
  using S = Space<Rows>;
  using T = typename Rows::Component;
  using Points = typename Rows::Points;
  static constexpr std::int64_t rows = 4;

  Rows space = S::make(1.5);
  Points points = make_points(space, rows);
  std::vector<typename Rows::RowPoint> a, b;

  Problem() {
    for (std::int64_t i = 0; i < rows; ++i) {
      space.store(points, i, S::random(space, std::uint64_t(i)));
      a.push_back(S::random(space, std::uint64_t(100 + i)));
      b.push_back(S::random(space, std::uint64_t(200 + i)));
    }
  }
  /// The gradient of sum_i d(x_i, a_i)^2 / 2 + d(x_i, b_i)^2 / 2.
  Tensor<T> gradient(const Rows& at, const Points& x) const {
    std::vector<T> all;
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto p = at.load(x, i);
      const auto g = S::gradient(at, p, a[std::size_t(i)]);
      const auto h = S::gradient(at, p, b[std::size_t(i)]);
      for (std::size_t c = 0; c < g.size(); ++c) all.push_back(g[c] + h[c]);
    }
    return Tensor<T>::from_values(all, {rows, S::columns});
  }
  /// The largest distance of a row from the midpoint of its targets.
  double error() const {
    double worst = 0;
    for (std::int64_t i = 0; i < rows; ++i)
      worst = std::max(worst, S::distance(space, space.load(points, i),
                                          S::middle(space, a[std::size_t(i)], b[std::size_t(i)])));
    return worst;
  }
  static constexpr double u = FloatTraits<T>::u;
};

template <class Rows>
class RiemannianTest : public ::testing::Test {};
TYPED_TEST_SUITE(RiemannianTest, AllRows);

/// Kernels differ from single points by rounding.
TYPED_TEST(RiemannianTest, BlocksOfRowsAreWhatSingleRowsAre) {
  const Problem<TypeParam> p;
  const TypeParam& space = p.space;
  const auto gradient = p.gradient(space, p.points);
  const auto g = space.egrad2rgrad(p.points, gradient);
  const auto u = geometry::optim_detail::scaled(-0.3, g);
  const auto y = space.expmap(p.points, u);
  const auto moved = space.ptransp(p.points, y, u);
  const auto home = space.to_origin(p.points);
  for (std::int64_t i = 0; i < p.rows; ++i) {
    const auto x = space.load(p.points, i);
    const auto expect_near = [&](const auto& at, const auto& vectors, const auto& single) {
      const auto found = space.load_vector(vectors, i);
      const double off = space.squared_norm(at, space.sum(1, found, -1, single));
      EXPECT_LE(std::sqrt(off), 256 * p.u * (1 + std::sqrt(space.squared_norm(at, single))));
    };
    const auto v = space.egrad2rgrad(x, gradient.data() + i * gradient.size(1));
    expect_near(x, g, v);
    const auto w = space.scaled(-0.3, v);
    const auto end = space.expmap(x, w);
    EXPECT_LE(Problem<TypeParam>::S::distance(space, space.load(y, i), end), 256 * p.u);
    expect_near(end, moved, space.ptransp(x, end, w));
    expect_near(x, home, space.to_origin(x));
  }
}

TYPED_TEST(RiemannianTest, DescentWithMomentumFindsTheMean) {
  for (const bool nesterov : {false, true}) {
    Problem<TypeParam> start;
    Rsgd<TypeParam> optimizer(start.space, start.points,
                              {.lr = 0.1, .momentum = 0.5, .nesterov = nesterov});
    EXPECT_GT(start.error(), 0.1);
    for (int i = 0; i < 250; ++i) {
      const auto outcome = optimizer.step(start.gradient(start.space, start.points));
      EXPECT_EQ(outcome.updated, Problem<TypeParam>::rows);
      for (std::int64_t row = 0; row < Problem<TypeParam>::rows; ++row) {
        const auto x = start.space.load(start.points, row);
        ASSERT_TRUE(Problem<TypeParam>::S::is_tangent(start.space, x, optimizer.momentum(row)));
      }
    }
    EXPECT_LE(start.error(), 2000 * Problem<TypeParam>::u);
  }
}

TYPED_TEST(RiemannianTest, AdamFindsTheMean) {
  for (const bool amsgrad : {false, true}) {
    Problem<TypeParam> start;
    Radam<TypeParam> optimizer(start.space, start.points,
                               {.lr = 0.1, .beta2 = 0.99, .amsgrad = amsgrad});
    for (int i = 0; i < 1200; ++i) {
      optimizer.set_lr(0.1 * std::pow(0.993, i));
      optimizer.step(start.gradient(start.space, start.points));
      const auto x = start.space.load(start.points, 0);
      ASSERT_TRUE(Problem<TypeParam>::S::is_tangent(start.space, x, optimizer.first_moment(0)));
    }
    EXPECT_LE(start.error(), 1e-3);
  }
}

TYPED_TEST(RiemannianTest, ResumesBitForBit) {
  const testing::TemporaryDirectory folder;
  const auto path = folder.path() / "state.safetensors";
  const auto run = [&](auto make, int steps, bool resume) {
    Problem<TypeParam> state;
    auto optimizer = make(state.space, state.points);
    for (int i = 0; i < steps; ++i) optimizer->step(state.gradient(state.space, state.points));
    if (!resume) return all_bits(state.space, state.points);
    optimizer->save(path);
    auto next = make(state.space, state.points);
    next->load(path);
    EXPECT_EQ(next->steps(), steps);
    for (int i = 0; i < 5; ++i) next->step(state.gradient(state.space, state.points));
    return all_bits(state.space, state.points);
  };
  const auto sgd = [](const TypeParam& space, const auto& points) {
    return std::make_unique<Rsgd<TypeParam>>(
        space, points,
        RsgdOptions{.lr = 0.1, .momentum = 0.9, .dampening = 0.1, .burn_in = {7, 0.1}});
  };
  const auto adam = [](const TypeParam& space, const auto& points) {
    RadamOptions options = radamw_defaults();
    options.amsgrad = true;
    return std::make_unique<Radam<TypeParam>>(space, points, options);
  };
  EXPECT_EQ(run(sgd, 10, false), run(sgd, 5, true));
  EXPECT_EQ(run(adam, 10, false), run(adam, 5, true));
  Problem<TypeParam> state;
  Radam<TypeParam> other(state.space, state.points, {});
  sgd(state.space, state.points)->save(path);
  EXPECT_THROW(other.load(path), IoError);
  EXPECT_THROW(other.load(folder.path() / "none"), IoError);
}

TYPED_TEST(RiemannianTest, SparseRowsAddDuplicatesAndSkipWhatIsNotFinite) {
  Problem<TypeParam> dense;
  using T = typename Problem<TypeParam>::T;
  const auto full = dense.gradient(dense.space, dense.points);
  Problem<TypeParam> sparse;
  Rsgd<TypeParam> one(dense.space, dense.points, {.lr = 0.1});
  Rsgd<TypeParam> two(sparse.space, sparse.points, {.lr = 0.1});
  one.step(full);
  // row 2 in two halves, row 0 with a NaN, the others not at all
  std::vector<T> values;
  const auto n = Problem<TypeParam>::S::columns;
  for (std::int64_t c = 0; c < n; ++c) values.push_back(full.at({2, c}) / T(2));
  for (std::int64_t c = 0; c < n; ++c)
    values.push_back(c == 1 ? std::numeric_limits<T>::quiet_NaN() : T(0));
  for (std::int64_t c = 0; c < n; ++c) values.push_back(full.at({2, c}) / T(2));
  const auto outcome =
      two.step(Index::from_values({2, 0, 2}), Tensor<T>::from_values(values, {3, n}));
  EXPECT_EQ(outcome.updated, 1);
  EXPECT_EQ(outcome.nonfinite, 1);
  EXPECT_EQ(two.nonfinite_rows(), 1);
  Problem<TypeParam> before;
  const auto bits = [](const Problem<TypeParam>& problem, std::int64_t row) {
    return row_bits(problem.space, problem.points, row);
  };
  EXPECT_EQ(bits(sparse, 2), bits(dense, 2));
  for (const std::int64_t row : {0, 1, 3}) EXPECT_EQ(bits(sparse, row), bits(before, row));
  EXPECT_THROW(two.step(Index::from_values({4}), Tensor<T>({1, n})), ShapeError);
  EXPECT_THROW(two.step(Index::from_values({1}), Tensor<T>({2, n})), ShapeError);
}

TYPED_TEST(RiemannianTest, TheSameBitsAndCountsOnAnyNumberOfThreads) {
  using S = typename Problem<TypeParam>::S;
  using T = typename Problem<TypeParam>::T;
  constexpr std::int64_t count = 70;
  const TypeParam space = S::make(1.5);
  const int before = num_threads();
  const auto run = [&](int threads) {
    set_num_threads(threads);
    auto points = make_points(space, count);
    std::vector<T> gradient;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto x = S::random(space, std::uint64_t(i));
      space.store(points, i, x);
      for (const T g : S::gradient(space, x, S::random(space, std::uint64_t(300 + i))))
        gradient.push_back(i % 7 == 3 ? std::numeric_limits<T>::infinity() : g);
    }
    RadamOptions options = radamw_defaults();
    options.lr = 0.1;
    Radam<TypeParam> optimizer(space, points, options);
    RowStep last;
    for (int i = 0; i < 3; ++i)
      last = optimizer.step(Tensor<T>::from_values(gradient, {count, S::columns}));
    EXPECT_EQ(last.nonfinite, 10);
    EXPECT_EQ(last.updated, 60);
    EXPECT_EQ(optimizer.nonfinite_rows(), 30);
    return all_bits(space, points);
  };
  const auto one = run(1);
  EXPECT_EQ(one, run(2));
  EXPECT_EQ(one, run(3));
  set_num_threads(before);
}

TYPED_TEST(RiemannianTest, BurnInAndDecay) {
  Problem<TypeParam> dense;
  const auto x = dense.space.load(dense.points, 0);
  const auto g = dense.gradient(dense.space, dense.points);
  const auto moved = [&](const BurnIn& burn_in) {
    Problem<TypeParam> state;
    Rsgd<TypeParam> optimizer(state.space, state.points, {.lr = 0.1, .burn_in = burn_in});
    optimizer.step(g);
    return Problem<TypeParam>::S::distance(state.space, x, state.space.load(state.points, 0));
  };
  EXPECT_NEAR(moved({1, 0.25}) / moved({}), 0.25, 1e5 * Problem<TypeParam>::u);
  // without a gradient, decoupled decay goes lr decay of the way to the origin
  RadamOptions options = radamw_defaults();
  options.lr = 0.5;
  options.weight_decay = 0.2;
  Radam<TypeParam> optimizer(dense.space, dense.points, options);
  const auto length = [&](const auto& p) {
    return std::sqrt(dense.space.squared_norm(p, dense.space.to_origin(p)));
  };
  const double d = length(x);
  optimizer.step(Tensor<typename Problem<TypeParam>::T>(g.shape()));
  EXPECT_NEAR(length(dense.space.load(dense.points, 0)) / d, 0.9, 1000 * Problem<TypeParam>::u);
  // coupled decay is the gradient of decay d^2 / 2
  Problem<TypeParam> state;
  Rsgd<TypeParam> coupled(state.space, state.points, {.lr = 0.5, .weight_decay = 0.2});
  coupled.step(Tensor<typename Problem<TypeParam>::T>(g.shape()));
  EXPECT_NEAR(length(state.space.load(state.points, 0)) / d, 0.9, 1000 * Problem<TypeParam>::u);
}

TYPED_TEST(RiemannianTest, NewCurvatureKeepsWhatItPromises) {
  const double tolerance = 2000 * Problem<TypeParam>::u;
  const TypeParam from = Problem<TypeParam>().space;
  for (const Rescaling how : {Rescaling::rescale_distances, Rescaling::keep_distances}) {
    Problem<TypeParam> state;
    Radam<TypeParam> optimizer(state.space, state.points, {.lr = 0.05});
    for (int i = 0; i < 3; ++i) optimizer.step(state.gradient(state.space, state.points));
    const auto x = from.load(state.points, 0);
    const auto y = from.load(state.points, 1);
    const auto m = optimizer.first_moment(0);
    const double v = optimizer.second_moment(0);
    const auto inner = [](const TypeParam& at, const auto& p, const auto& q, const auto& r) {
      return (at.squared_norm(p, at.sum(1, q, 1, r)) - at.squared_norm(p, at.sum(1, q, -1, r))) / 4;
    };
    // log K <- log K - lr K dL/dK
    EXPECT_TRUE(optimizer.update_curvature(-0.3, 0.8, how));
    const TypeParam to = optimizer.space();
    EXPECT_NEAR(to.radius(), 1.5 * std::exp(0.8 * 1.5 * 0.3), 1e-6);
    const bool scales = how == Rescaling::rescale_distances &&
                        !std::is_same_v<TypeParam, ManifoldRows<Euclidean<double>>>;
    const double factor = scales ? to.radius() / 1.5 : 1;
    const auto p = to.load(state.points, 0);
    const auto q = to.load(state.points, 1);
    const auto r = optimizer.first_moment(0);
    const double before = Problem<TypeParam>::S::distance(from, x, y);
    if (how == Rescaling::rescale_distances) {
      EXPECT_NEAR(Problem<TypeParam>::S::distance(to, p, q) / before, factor, tolerance);
    }
    const auto radial = [&](const TypeParam& at, const auto& point) {
      return std::sqrt(at.squared_norm(point, at.to_origin(point)));
    };
    EXPECT_NEAR(radial(to, p) / radial(from, x), factor, tolerance);
    // the state: length and angle with the way to the origin
    EXPECT_NEAR(to.squared_norm(p, r) / from.squared_norm(x, m), factor * factor, tolerance);
    EXPECT_NEAR(inner(to, p, r, to.to_origin(p)) / (factor * factor),
                inner(from, x, m, from.to_origin(x)), tolerance);
    EXPECT_NEAR(optimizer.second_moment(0) / v, factor * factor, tolerance);
    EXPECT_TRUE(Problem<TypeParam>::S::is_tangent(to, p, r));
    EXPECT_FALSE(optimizer.update_curvature(std::nan(""), 0.8, how));
    EXPECT_EQ(optimizer.space().radius(), to.radius());
    EXPECT_THROW(optimizer.set_radius(-1, how), DomainError);
  }
}

}  // namespace mct::geometry_test
