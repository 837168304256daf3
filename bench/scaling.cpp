// The time of a matrix product of f64x2 from n = 128 to 2048: it should grow as n^3.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "bench/registry.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/interop/xsimd.hpp"
#include "mctensor/mctensor.hpp"
#include "output/svg_plot.hpp"

namespace mct::bench {
namespace {

/// The best of several runs, in nanoseconds.
template <class F>
double best_time(int runs, const F& f) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double, std::nano> elapsed =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count());
  }
  return best;
}

#if MCT_WITH_XSIMD
/// Fused multiply-adds of doubles in a nanosecond when nothing else is done.
double fma_rate() {
  using V = xsimd::batch<double>;
  constexpr int chains = 12;
  constexpr int steps = 1000000;
  V x[chains];
  for (V& v : x) v = V(1.0);
  const V factor(0.999999);
  const double time = best_time(5, [&] {
    for (int i = 0; i < steps; ++i) {
#pragma GCC unroll 16
      for (V& v : x) v = FusedMultiplyAdd<V>::apply(v, factor, factor);
    }
  });
  V sum = x[0];
  for (const V& v : x) sum = sum + v;
  benchmark::DoNotOptimize(sum.get(0));
  return double(chains) * double(steps) * double(V::size) / time;
}
#endif

}  // namespace

void plot_scaling(const std::string& path) {
  set_num_threads(1);
  output::PlotSeries measured;
  measured.name = "measured";
  measured.markers = true;
  fmt::print("{:>6} {:>12} {:>22}\n", "n", "ms", "ns per multiply-add");
  for (const std::int64_t n : {128, 192, 256, 384, 512, 768, 1024, 1536, 2048}) {
    const auto a = randn<double, 2>({n, n}, 1);
    const auto b = randn<double, 2>({n, n}, 2);
    const double time =
        best_time(n > 1000 ? 3 : 9, [&] { benchmark::DoNotOptimize(mm(a, b).data()); });
    const double cubed = double(n) * double(n) * double(n);
    measured.points.push_back({std::log2(double(n)), time / cubed});
    fmt::print("{:>6} {:>12.2f} {:>22.4f}\n", n, time * 1e-6, time / cubed);
  }
  output::LinePlot plot;
  plot.title = "Matrix product of f64x2, one thread";
  plot.x_label = "log2 n";
  plot.y_label = "ns per multiply-add";
  plot.y_from_zero = true;
#if MCT_WITH_XSIMD
  // 12 operations a product, and a carry of 6 for every 4 of them
  constexpr double operations = 12 + 6.0 / Accumulator<double, 2>::period;
  const double limit = operations / fma_rate();
  plot.bounds.push_back({limit, fmt::format("limit: {:g} operations", operations)});
  fmt::print("{} operations a multiply-add at {:.1f} a nanosecond: limit {:.4f} ns\n", operations,
             fma_rate(), limit);
#endif
  plot.series.push_back(measured);
  mct::write_file_atomically(path, output::svg_text(plot));
}

}  // namespace mct::bench
