// A step of the Riemannian optimizers, a time a row: a million rows of two coordinates on one
// thread, beside geoopt's formulas for the half-plane written as one loop over doubles, which keeps
// neither far points nor what overflows.
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/registry.hpp"
#include "mctensor/geometry/optim/all.hpp"
#include "mctensor/tensor/threads.hpp"

namespace mct::bench {
namespace {

using namespace geometry;

constexpr std::int64_t rows = 1'000'000;

/// Points of the half-plane up to 2 from the origin, or of the disk: coordinate c of row i.
double coordinate(bool height, std::int64_t i) {
  const double angle = 0.37 * double(i);
  return height ? std::exp(std::sin(1.7 * angle)) : std::cos(angle) / 2;
}
template <class Rows>
typename Rows::Points points_of(const Rows& space, bool ball) {
  const typename Rows::Points points({rows, 2});
  for (std::int64_t i = 0; i < rows; ++i) {
    space.plane_of(points, 0)[2 * i] = typename Rows::Component(coordinate(false, i));
    space.plane_of(points, 0)[2 * i + 1] =
        typename Rows::Component(ball ? std::sin(0.37 * double(i)) / 2 : coordinate(true, i));
  }
  return points;
}
template <class T>
Tensor<T> gradients() {
  const Tensor<T> g({rows, 2});
  for (std::int64_t i = 0; i < 2 * rows; ++i) g.data()[i] = T(std::sin(0.11 * double(i)));
  return g;
}

void enter(std::vector<Case>& cases, const std::string& work, const std::string& implementation,
           std::function<void(benchmark::State&)> run) {
  enter_items(cases, "riemannian/" + work, "rows of 2", implementation, double(rows),
              std::move(run));
}

/// Optimizer steps; every second one with the opposite sign, so that points stay where they are.
template <class Optimizer, class Rows, class Options>
void enter_steps(std::vector<Case>& cases, const std::string& work,
                 const std::string& implementation, const Rows& space, bool ball,
                 const Options& options) {
  enter(cases, work, implementation, [=](benchmark::State& state) {
    const int threads = num_threads();
    set_num_threads(1);
    Optimizer optimizer(space, points_of(space, ball), options);
    const auto g = gradients<typename Rows::Component>();
    const auto back = g * typename Rows::Component(-1);
    bool forth = false;
    for (auto _ : state) {
      forth = !forth;
      optimizer.step(forth ? g : back);
    }
    set_num_threads(threads);
  });
}
template <class Rows>
void enter_rows(std::vector<Case>& cases, const std::string& name, const Rows& space, bool ball) {
  enter_steps<Rsgd<Rows>>(cases, "rsgd", name, space, ball, RsgdOptions{.lr = 1e-3});
  enter_steps<Rsgd<Rows>>(cases, "rsgd, momentum", name, space, ball,
                          RsgdOptions{.lr = 1e-3, .momentum = 0.5});
  enter_steps<Radam<Rows>>(cases, "radam", name, space, ball, RadamOptions{.lr = 1e-3});
}

/// egrad2rgrad and expmap of the half-plane as they are printed, one loop.
void enter_textbook(std::vector<Case>& cases) {
  enter(cases, "rsgd", "printed formulas, a loop over doubles", [](benchmark::State& state) {
    const auto points = points_of(ManifoldRows<HalfSpace<double>>(1), false);
    const auto g = gradients<double>();
    double lr = 1e-3;
    for (auto _ : state) {
      lr = -lr;
      double* p = points.data();
      const double* d = g.data();
      for (std::int64_t i = 0; i < rows; ++i, p += 2, d += 2) {
        const double h = p[1];
        const double across = lr * h * d[0], up = lr * h * d[1];  // in units of the height
        const double s = std::sqrt(across * across + up * up);
        const double denominator = std::cosh(s) - (s > 0 ? up / s : 0) * std::sinh(s);
        p[0] += h * (s > 0 ? across / s : 0) * std::sinh(s) / denominator;
        p[1] = h / denominator;
      }
      benchmark::ClobberMemory();
    }
  });
}

}  // namespace

void add_riemannian(std::vector<Case>& cases) {
  enter_rows(cases, "ours HalfSpace double", ManifoldRows<HalfSpace<double>>(1), false);
  enter_rows(cases, "ours PoincareBall double", ManifoldRows<PoincareBall<double>>(1), true);
  enter_rows(cases, "ours XmcHalfSpace 2", HalfSpaceRows<XmcHalfSpace<double, 2>, double, 2, 2>(1),
             false);
  enter_rows(cases, "ours HalfSpace f64x2", ManifoldRows<HalfSpace<f64x2>>(1), false);
  enter_textbook(cases);
}

}  // namespace mct::bench
