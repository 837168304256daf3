// Riemannian optimizers where numbers end: rows that must not move, radii, files, transport.
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <memory>

#include "tests/files.hpp"
#include "tests/geometry/riemannian_spaces.hpp"

namespace mct::geometry_test {
namespace {

using Ball = ManifoldRows<PoincareBall<double>>;
using Xmc = HalfSpaceRows<XmcHalfSpace<double, 2>, double, 2, 2>;

template <class T>
Tensor<T> filled(const Shape& shape, T value) {
  Tensor<T> x(shape);
  x.fill_(value);
  return x;
}
template <class Rows>
void expect_sound(const Rows& space, const Tensor<double>& points) {
  EXPECT_TRUE(space.is_point(space.load(points, 0)));
}

TEST(RiemannianLimits, AStepOutOfTheNumbersLeavesTheRow) {
  const Ball space(1);
  const auto points = Tensor<double>::from_values({0.3, 0.1}, {1, 2});
  RadamOptions options = radamw_defaults();
  options.lr = 60;
  Radam<Ball> adam(space, points, options);
  for (int i = 0; i < 20; ++i) {
    const auto before = points.values();
    const auto m = adam.first_moment(0);
    const auto outcome = adam.step(Tensor<double>::from_values({-1, 0.2}, {1, 2}));
    EXPECT_EQ(outcome.updated + outcome.nonfinite, 1);
    if (outcome.nonfinite == 1) {
      EXPECT_EQ(points.values(), before);
      EXPECT_EQ(adam.first_moment(0)[0], m[0]);
    }
    expect_sound(space, points);
    EXPECT_TRUE(space.is_finite(adam.first_moment(0)));
  }
}

TEST(RiemannianLimits, LargeStepsStayOnTheManifold) {
  const Ball ball(1);
  const auto x = Tensor<double>::from_values({0.3, 0.1}, {1, 2});
  Rsgd<Ball> descent(ball, x, {.lr = 100});
  using Hyperboloid = ManifoldRows<Lorentz<double>>;
  const Hyperboloid lorentz(1);
  const auto y = Tensor<double>::from_values({1, 0, 0}, {1, 3});
  Rsgd<Hyperboloid> momentum(lorentz, y, {.lr = 800, .momentum = 0.9});
  for (int i = 0; i < 10; ++i) {
    descent.step(Tensor<double>::from_values({-1, 0.2}, {1, 2}));
    expect_sound(ball, x);
    const auto before = y.values();
    const auto outcome = momentum.step(Tensor<double>::from_values({0, 1, 0}, {1, 3}));
    expect_sound(lorentz, y);
    EXPECT_TRUE(lorentz.is_finite(momentum.momentum(0)));
    if (outcome.nonfinite == 1) {
      EXPECT_EQ(y.values(), before);
    }
  }
  // and the row goes on from there
  momentum.set_lr(0.1);
  EXPECT_EQ(momentum.step(Tensor<double>::from_values({0, 1, 0}, {1, 3})).updated, 1);
}

TEST(RiemannianLimits, HalfSpaceRowsRefuseVectorsThatAreNotFinite) {
  const Xmc space(1);
  Tensor<double, 2> points({1, 2});
  space.store(points, 0, XmcHalfSpace<double, 2>::origin<2>());
  Rsgd<Xmc> optimizer(space, points, {.lr = 1e300});
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(optimizer.step(Tensor<double>::from_values({0, most}, {1, 2})).nonfinite, 1);
  EXPECT_EQ(points.plane(0).at({0, 1}), 1);
  auto bad = XmcHalfSpace<double, 2>::origin<2>();
  EXPECT_TRUE(space.is_point(bad));
  for (const double height : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    bad.height = height;
    EXPECT_FALSE(space.is_point(bad)) << height;
  }
}

TEST(RiemannianLimits, RadiiAreNumbersOfTheType) {
  using Single = ManifoldRows<PoincareBall<float>>;
  EXPECT_THROW(Single(1e-60), DomainError);
  EXPECT_THROW(Single(1e60), DomainError);
  EXPECT_THROW(Ball(0), DomainError);
  EXPECT_THROW(Ball(std::nan("")), DomainError);
  const Tensor<float> points({1, 2});
  Rsgd<Single> optimizer(Single(1), points, {});
  EXPECT_FALSE(optimizer.update_curvature(200, 1, Rescaling::rescale_distances));
  EXPECT_FALSE(optimizer.update_curvature(1e6, 1, Rescaling::rescale_distances));
  EXPECT_FALSE(optimizer.update_curvature(-200, 1, Rescaling::rescale_distances));
  EXPECT_FALSE(optimizer.update_curvature(1, std::nan(""), Rescaling::rescale_distances));
  EXPECT_EQ(optimizer.space().radius(), 1);
  EXPECT_THROW(optimizer.set_radius(1e-60, Rescaling::rescale_distances), DomainError);
  optimizer.set_radius(5, Rescaling::rescale_distances);
  EXPECT_EQ(optimizer.space().radius(), 5);
}

TEST(RiemannianLimits, UnusableOptionsAreNamed) {
  const Ball space(1);
  const Tensor<double> points({1, 2});
  const double inf = HUGE_VAL;
  const double nan = std::nan("");
  const auto rejected = [](const std::string& name, const auto& make) {
    try {
      make();
      ADD_FAILURE() << name;
    } catch (const DomainError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  };
  for (const double bad : {inf, nan}) {
    rejected("momentum", [&] { Rsgd<Ball>(space, points, {.momentum = bad}); });
    rejected("dampening", [&] { Rsgd<Ball>(space, points, {.dampening = bad}); });
    rejected("weight_decay", [&] { Rsgd<Ball>(space, points, {.weight_decay = bad}); });
    rejected("burn_in.factor", [&] { Rsgd<Ball>(space, points, {.burn_in = {1, bad}}); });
    rejected("eps", [&] { Radam<Ball>(space, points, {.eps = bad}); });
    rejected("weight_decay", [&] { Radam<Ball>(space, points, {.weight_decay = bad}); });
    rejected("weight", [&] { Product(ProductPart{space.manifold(), 2, bad}); });
  }
  EXPECT_THROW(Product(ProductPart{space.manifold(), 0}), ShapeError);
}

TEST(RiemannianLimits, KeptDistancesKeepFarPointsOrRefuse) {
  using Rows = HalfSpaceRows<XmcHalfSpace<double, 4>, double, 4, 2>;
  using Space4 = XmcHalfSpace<double, 4>;
  const Rows space(1);
  const Tensor<double, 4> points({3, 2});
  auto p = space.expmap(Space4::origin<2>(), {60, -10});
  p = space.expmap(p, {20, -20});
  const auto q = space.expmap(p, {0.3, 0.4});
  space.store(points, 0, p);
  space.store(points, 1, q);
  space.store(points, 2, Space4::origin<2>());
  Rsgd<Rows> optimizer(space, points, {.momentum = 0.5});
  const double d = space.space().dist<2>(p, Space4::origin<2>());
  EXPECT_GT(d, 60);
  optimizer.set_radius(2, Rescaling::keep_distances);
  EXPECT_NEAR(
      optimizer.space().space().dist<2>(optimizer.space().load(points, 0), Space4::origin<2>()), d,
      1e-12 * d);
  EXPECT_EQ(points.plane(0).at({2, 1}), 1);
  // there and back: two near points far out are still apart as they were
  optimizer.set_radius(1, Rescaling::keep_distances);
  EXPECT_LE(space.space().dist<2>(space.load(points, 0), p), 1e-10);
  EXPECT_NEAR(space.space().dist<2>(space.load(points, 0), space.load(points, 1)), 0.5, 1e-10);
  const auto before = points.clone();
  EXPECT_THROW(optimizer.set_radius(0.01, Rescaling::keep_distances), DomainError);
  EXPECT_EQ(optimizer.space().radius(), 1);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(points.plane(k).values(), before.plane(k).values());
}

TEST(RiemannianLimits, ASmallSphereHasNoFarPoints) {
  using Rows = ManifoldRows<Sphere<double>>;
  const Rows space(1);
  const auto far = space.expmap(space.manifold().origin(3), [&] {
    auto u = space.manifold().origin(3) * 0.0;
    u[1] = 2;
    return space.manifold().proju(space.manifold().origin(3), u);
  }());
  Tensor<double> points({1, 3});
  space.store(points, 0, far);
  Rsgd<Rows> optimizer(space, points, {});
  const auto before = points.values();
  EXPECT_THROW(optimizer.set_radius(0.25, Rescaling::keep_distances), DomainError);
  EXPECT_EQ(points.values(), before);
  EXPECT_EQ(optimizer.space().radius(), 1);
  optimizer.set_radius(3, Rescaling::keep_distances);
  EXPECT_TRUE(optimizer.space().is_point(optimizer.space().load(points, 0)));
}

/// The second moment of a product after a new radius is what its parts' own optimizers have.
TEST(RiemannianLimits, EveryPartOfAProductFollowsANewRadiusInItsOwnWay) {
  using Flat = ManifoldRows<Euclidean<double>>;
  const ManifoldRows space(Product(ProductPart{PoincareBall<double>(1.5), 2, 2},
                                   ProductPart{Euclidean<double>(), 3, 0.5}));
  using Both = std::remove_const_t<decltype(space)>;
  const auto start = Tensor<double>::from_values({0.3, -0.4, 1, 2, 3}, {1, 5});
  for (const Rescaling how : {Rescaling::rescale_distances, Rescaling::keep_distances}) {
    const Tensor<double> all = start.clone();
    const Tensor<double> curved = start.narrow(1, 0, 2).clone();
    const Tensor<double> flat = start.narrow(1, 2, 3).clone();
    // points stay, so that every optimizer sees the same gradients
    const RadamOptions options{.lr = 0, .amsgrad = true};
    Radam<Both> product(space, all, options);
    Radam<Ball> first(Ball(1.5), curved, options);
    Radam<Flat> second(Flat(1), flat, options);
    const auto step = [&](double size) {
      const auto g = Tensor<double>::from_values(
          {0.2 * size, 0.7 * size, -size, 0.1 * size, 0.3 * size}, {1, 5});
      product.step(g);
      first.step(g.narrow(1, 0, 2));
      second.step(g.narrow(1, 2, 3));
    };
    const auto expect_shares = [&](double curved_share, double flat_share) {
      const double expected =
          curved_share * first.second_moment(0) + flat_share * second.second_moment(0);
      EXPECT_NEAR(product.second_moment(0) / expected, 1, 1e-14);
    };
    const auto shares = [&] {
      // what one step says about the weights
      const auto x = space.load(all, 0);
      const std::vector<double> unit = {1, 1, 1, 1, 1};
      const auto g = space.egrad2rgrad(x, unit.data());
      const auto both = space.squared_norms(x, g);
      const auto ball = Ball(1.5);
      const auto p = ball.load(curved, 0);
      const auto line = Flat(1);
      const auto q = line.load(flat, 0);
      return std::pair(both[0] / ball.squared_norms(p, ball.egrad2rgrad(p, unit.data()))[0],
                       both[1] / line.squared_norms(q, line.egrad2rgrad(q, unit.data()))[0]);
    };
    const auto [w, z] = shares();
    for (const double size : {3.0, 1.0, 0.5}) step(size);
    expect_shares(w, z);
    product.set_radius(3, how);
    first.set_radius(3, how);
    expect_shares(w, z);
    EXPECT_EQ(first.space().radius(), 3);
    const double before = first.second_moment(0);
    step(1);
    expect_shares(w, z);
    EXPECT_NE(first.second_moment(0), before);
  }
}

TEST(RiemannianLimits, AProductOfOnePartIsThePart) {
  const ManifoldRows space(Product(ProductPart{PoincareBall<double>(1.5), 2}));
  using One = std::remove_const_t<decltype(space)>;
  const auto x = Tensor<double>::from_values({0.3, -0.4}, {1, 2});
  const auto y = x.clone();
  const RadamOptions options{.lr = 0.1, .amsgrad = true};
  Radam<One> product(space, x, options);
  Radam<Ball> ball(Ball(1.5), y, options);
  for (int i = 0; i < 6; ++i) {
    const auto g = Tensor<double>::from_values({1.0 / (i + 1), -0.5}, {1, 2});
    product.step(g);
    ball.step(g);
    if (i == 2) product.set_radius(4, Rescaling::rescale_distances);
    if (i == 2) ball.set_radius(4, Rescaling::rescale_distances);
  }
  EXPECT_EQ(x.values(), y.values());
  EXPECT_EQ(product.second_moment(0), ball.second_moment(0));
}

/// A run of ten steps with changes of the radius equals one that stops and starts again.
template <class Rows, class Make>
void check_resumed(const Rows& space, const Make& make) {
  using T = typename Rows::Component;
  using S = Space<Rows>;
  const testing::TemporaryDirectory folder;
  const auto path = folder.path() / "state";
  const auto change = [](auto& optimizer, int step) {
    const Tensor<T> gradient = filled<T>({1, S::columns}, T(0.1 * (step + 1)));
    EXPECT_EQ(optimizer.step(gradient).updated, 1);
    EXPECT_TRUE(optimizer.update_curvature(-0.01 * step, 0.3, Rescaling::rescale_distances));
    if (step == 3) optimizer.set_radius(5, Rescaling::keep_distances);
    if (step == 4) optimizer.set_radius(0.7, Rescaling::rescale_distances);
  };
  const auto run = [&](int stop) {
    Tensor<T, Rows::components> points({1, S::columns});
    space.store(points, 0, S::random(space, 1));
    auto optimizer = make(space, points);
    for (int i = 0; i < 10; ++i) {
      if (i == stop) {
        optimizer->save(path);
        optimizer = make(space, points);
        optimizer->load(path);
      }
      change(*optimizer, i);
    }
    std::vector<double> all = optimizer->space().radii();
    for (int k = 0; k < Rows::components; ++k)
      for (std::int64_t c = 0; c < S::columns; ++c) all.push_back(points.plane(k).at({0, c}));
    return all;
  };
  const auto whole = run(-1);
  for (const int stop : {1, 4, 5, 9}) EXPECT_EQ(whole, run(stop)) << stop;
}

TEST(RiemannianLimits, ResumesBitForBitAcrossCurvatures) {
  const auto check = [](const auto& space) {
    using Rows = std::decay_t<decltype(space)>;
    check_resumed(space, [](const Rows& rows, const auto& points) {
      return std::make_unique<Rsgd<Rows>>(rows, points, RsgdOptions{.lr = 0.1, .momentum = 0.9});
    });
    check_resumed(space, [](const Rows& rows, const auto& points) {
      RadamOptions options = radamw_defaults();
      options.amsgrad = true;
      return std::make_unique<Radam<Rows>>(rows, points, options);
    });
  };
  check(Ball(1.5));
  check(ManifoldRows<PoincareBall<float>>(1.3));
  check(HalfSpaceRows<XmcHalfSpace<double, 2>, double, 2, 3>(1.7));
  check(Space<PlaneAndSphere>::make(3));
}

TEST(RiemannianLimits, ForeignFilesChangeNothing) {
  const testing::TemporaryDirectory folder;
  const auto path = folder.path() / "state";
  const Tensor<double> points({2, 3});
  const auto gradient = filled<double>({2, 3}, 0.1);
  Rsgd<Ball> optimizer(Ball(1), points, {.lr = 0.1, .momentum = 0.9});
  optimizer.step(gradient);
  const auto refused = [&] {
    const double b = optimizer.momentum(1)[0];
    EXPECT_THROW(optimizer.load(path), IoError);
    EXPECT_EQ(optimizer.momentum(1)[0], b);
    EXPECT_EQ(optimizer.steps(), 1);
    EXPECT_EQ(optimizer.space().radius(), 1);
  };
  // another model, type, set of states, number of rows
  Rsgd<ManifoldRows<Klein<double>>>(ManifoldRows<Klein<double>>(1), points, {.momentum = 0.9})
      .save(path);
  refused();
  Rsgd<ManifoldRows<PoincareBall<Expansion<double, 2>>>>(
      ManifoldRows<PoincareBall<Expansion<double, 2>>>(1), Tensor<double, 2>({2, 3}),
      {.momentum = 0.9})
      .save(path);
  refused();
  Rsgd<Ball>(Ball(1), points, {}).save(path);
  refused();
  Rsgd<Ball>(Ball(1), Tensor<double>({3, 3}), {.momentum = 0.9}).save(path);
  refused();
  // and what no optimizer writes
  const auto write = [&](std::int64_t updates, double log_radius, double radius, double momentum) {
    SafetensorsWriter writer;
    writer.set_metadata("mctensor.optimizer", "Rsgd");
    writer.set_metadata("mctensor.space", Ball().name());
    writer.set_metadata("mctensor.states", "momentum ");
    writer.add("counts", Tensor<std::int64_t>::from_values({4, 0}));
    writer.add("updates", Tensor<std::int64_t>::from_values({1, updates}));
    writer.add("log_radius", Tensor<double>::from_values({log_radius}));
    writer.add("radii", Tensor<double>::from_values({radius}));
    writer.add("vector.momentum", filled<double>({2, 3}, momentum));
    writer.save(path);
  };
  write(-1, std::log(2), 2, 0.5);
  refused();
  write(1, std::nan(""), 2, 0.5);
  refused();
  write(1, std::log(2), 3, 0.5);
  refused();
  write(1, -HUGE_VAL, 0, 0.5);
  refused();
  write(1, std::log(2), 2, std::nan(""));
  refused();
  write(1, std::log(2), 2, 0.5);
  optimizer.load(path);
  EXPECT_EQ(optimizer.steps(), 4);
  EXPECT_EQ(optimizer.space().radius(), 2);
  EXPECT_EQ(optimizer.momentum(1)[0], 0.5);
}

/// The state after one step from a gradient: as long as the step's vector, and further along the
/// same geodesic.
template <class Rows>
void check_momentum() {
  using S = Space<Rows>;
  const Rows space = S::make(1.5);
  for (std::uint64_t i = 0; i < 10; ++i) {
    Tensor<double, Rows::components> points({1, S::columns});
    const auto x = S::random(space, i);
    space.store(points, 0, x);
    const auto partial = S::gradient(space, x, S::random(space, 50 + i));
    const auto g = space.egrad2rgrad(x, partial.data());
    Rsgd<Rows> optimizer(space, points, {.lr = 0.7, .momentum = 0.9});
    EXPECT_EQ(optimizer.step(Tensor<double>::from_values(partial, {1, S::columns})).updated, 1);
    const auto y = space.load(points, 0);
    const auto b = optimizer.momentum(0);
    const double length = std::sqrt(space.squared_norm(x, g));
    EXPECT_GT(length, 0.05);
    EXPECT_NEAR(std::sqrt(space.squared_norm(y, b)) / length, 1, 1e-12);
    // exp_y(-0.7 b) = exp_x(-1.4 g)
    const auto on = space.expmap(y, space.scaled(-0.7, b));
    const auto straight = space.expmap(x, space.scaled(-1.4, g));
    EXPECT_LE(S::distance(space, on, straight), 1e-11);
    EXPECT_GT(S::distance(space, on, x), 1.3 * length);
  }
}

TEST(RiemannianLimits, MomentumIsTransportedAlongTheGeodesic) {
  check_momentum<Ball>();
  check_momentum<ManifoldRows<HalfSpace<double>>>();
  check_momentum<ManifoldRows<Lorentz<double>>>();
  check_momentum<HalfSpaceRows<XmcHalfSpace<double, 2>, double, 2, 3>>();
  check_momentum<HalfSpaceRows<McHalfSpace<double, 3>, double, 3, 3>>();
  check_momentum<HalfSpaceRows<LogHalfSpace<double, 2>, double, 2, 3>>();
}

}  // namespace
}  // namespace mct::geometry_test
