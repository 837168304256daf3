// Half-space points per second: distance, exponential map and logarithm in each representation, one
// point at a time and in SIMD lanes, beside MPFR with the bits of the suite's truth and geoopt's
// formulas.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "bench/registry.hpp"
#include "mctensor/geometry/storage/halfspace/all.hpp"
#include "mctensor/geometry/storage/halfspace/batch.hpp"
#include "mctensor/tensor/threads.hpp"
#include "validation/geometry/halfspace_truth.hpp"
#include "validation/geometry/models.hpp"

namespace mct::bench {
namespace {

constexpr std::size_t points = 1024;

/// Points of the plane about 20 from the origin, and vectors of length 1/2.
struct Data {
  std::vector<validation::ExactPoint> at;
  std::vector<validation::PlaneVector> vectors;

  Data() {
    for (std::size_t i = 0; i < points; ++i) {
      const double angle = 0.1 * double(i);
      at.push_back(
          {validation::Big(1 + std::sin(angle)), exp(validation::Big(-20 - 0.01 * double(i)))});
      vectors.push_back({0.5 * std::cos(angle), 0.5 * std::sin(angle)});
    }
  }
  static const Data& get() {
    static const Data data;
    return data;
  }
};

void enter(std::vector<Case>& cases, const std::string& work, const std::string& implementation,
           std::function<void(benchmark::State&)> run) {
  enter_items(cases, "geometry/half " + work, "points", implementation, double(points),
              std::move(run));
}

template <class Model>
std::vector<typename Model::Point> stored_points() {
  std::vector<typename Model::Point> p;
  for (const auto& x : Data::get().at) p.push_back(Model::store(x));
  return p;
}

/// One point at a time.
template <class Model>
void enter_dist(std::vector<Case>& cases, const std::string& name) {
  enter(cases, "dist", name, [](benchmark::State& state) {
    const auto p = stored_points<Model>();
    for (auto _ : state) {
      double sum = 0;
      for (std::size_t i = 0; i < points; ++i) sum += Model::dist(p[i], p[(i + 1) % points]);
      benchmark::DoNotOptimize(sum);
    }
  });
}
template <class Model>
void enter_model(std::vector<Case>& cases, const std::string& name) {
  enter_dist<Model>(cases, name);
  enter(cases, "expmap", name, [](benchmark::State& state) {
    const auto p = stored_points<Model>();
    auto q = p;
    for (auto _ : state) {
      for (std::size_t i = 0; i < points; ++i) q[i] = Model::step(p[i], Data::get().vectors[i]);
      benchmark::ClobberMemory();
    }
  });
}

template <class Space>
void enter_logmap(std::vector<Case>& cases, const std::string& name) {
  enter(cases, "logmap", name, [](benchmark::State& state) {
    const Space space;
    std::vector<decltype(validation::stored<2>(space, Data::get().at[0]))> p;
    for (const auto& x : Data::get().at) p.push_back(validation::stored<2>(space, x));
    for (auto _ : state)
      for (std::size_t i = 0; i < points; ++i)
        benchmark::DoNotOptimize(space.template logmap<2>(p[i], p[(i + 1) % points]));
  });
}

/// Rows of a tensor, on one thread.
template <int M>
void enter_rows(std::vector<Case>& cases, geometry::PointStorage storage, const std::string& name) {
  using Space = geometry::McHalfSpace<double, M>;
  const auto number = [](const Expansion<double, M>& x) {
    if constexpr (M == 1) {
      return x.limb[0];
    } else {
      return x;
    }
  };
  // from point number `first` on, then those before it
  const auto make = [=](std::size_t first) {
    Tensor<double, M> rows({std::int64_t(points), 2});
    for (std::size_t i = 0; i < points; ++i) {
      const auto p = validation::stored<2>(Space(), Data::get().at[(first + i) % points]);
      rows.set({std::int64_t(i), 0}, number(p.x[0]));
      rows.set({std::int64_t(i), 1}, number(p.height));
    }
    return rows;
  };
  enter(cases, "dist", name, [=](benchmark::State& state) {
    const int threads = num_threads();
    set_num_threads(1);
    const auto p = make(0);
    const auto q = make(1);
    for (auto _ : state) benchmark::DoNotOptimize(geometry::half_space_dist(p, q).data());
    set_num_threads(threads);
  });
  enter(cases, "expmap", name, [=](benchmark::State& state) {
    const int threads = num_threads();
    set_num_threads(1);
    const auto p = make(0);
    // a little upwards: heights saturate rather than leave the range
    Tensor<double> there({std::int64_t(points), 2});
    for (std::size_t i = 0; i < points; ++i) there.set({std::int64_t(i), 1}, 1e-3);
    for (auto _ : state) geometry::half_space_expmap_(storage, p, there);
    set_num_threads(threads);
  });
}

/// MPFR with the bits of the suite's truth.
void enter_mpfr(std::vector<Case>& cases) {
  enter(cases, "dist", "MPFR 3072", [](benchmark::State& state) {
    const auto& p = Data::get().at;
    for (auto _ : state)
      for (std::size_t i = 0; i < points; ++i)
        benchmark::DoNotOptimize(validation::exact_distance(p[i], p[(i + 1) % points]).get());
  });
  enter(cases, "expmap", "MPFR 3072", [](benchmark::State& state) {
    const auto& data = Data::get();
    for (auto _ : state)
      for (std::size_t i = 0; i < points; ++i) {
        const validation::ExactPoint v = {validation::Big(data.vectors[i][0]),
                                          validation::Big(data.vectors[i][1])};
        benchmark::DoNotOptimize(validation::exact_step(data.at[i], v).data());
      }
  });
}

}  // namespace

void add_halfspace(std::vector<Case>& cases) {
  using namespace geometry;
  using validation::HalfSpaceModel;
  enter_model<HalfSpaceModel<XmcHalfSpace<double, 1>>>(cases, "ours double");
  enter_model<HalfSpaceModel<XmcHalfSpace<double, 2>>>(cases, "ours XmcHalfSpace 2");
  enter_model<HalfSpaceModel<XmcHalfSpace<double, 20>>>(cases, "ours XmcHalfSpace 20");
  enter_model<HalfSpaceModel<McHalfSpace<double, 2>>>(cases, "ours McHalfSpace 2");
  enter_model<HalfSpaceModel<McHalfSpace<double, 3>>>(cases, "ours McHalfSpace 3");
  enter_model<HalfSpaceModel<McHalfSpace<double, 4>>>(cases, "ours McHalfSpace 4");
  enter_model<HalfSpaceModel<LogHalfSpace<double, 20>>>(cases, "ours LogHalfSpace 20");
  enter_logmap<XmcHalfSpace<double, 1>>(cases, "ours double");
  enter_logmap<XmcHalfSpace<double, 2>>(cases, "ours XmcHalfSpace 2");
  enter_logmap<XmcHalfSpace<double, 20>>(cases, "ours XmcHalfSpace 20");
  enter_logmap<McHalfSpace<double, 4>>(cases, "ours McHalfSpace 4");
  enter_rows<1>(cases, PointStorage::xmc_half_space, "ours double, rows");
  enter_rows<2>(cases, PointStorage::xmc_half_space, "ours XmcHalfSpace 2, rows");
  enter_rows<2>(cases, PointStorage::mc_half_space, "ours McHalfSpace 2, rows");
  enter_rows<4>(cases, PointStorage::mc_half_space, "ours McHalfSpace 4, rows");
  enter_dist<validation::GeooptPoincare>(cases, "geoopt's Poincare in double");
  enter_dist<validation::GeooptLorentz>(cases, "geoopt's Lorentz in double");
  enter_mpfr(cases);
}

}  // namespace mct::bench
