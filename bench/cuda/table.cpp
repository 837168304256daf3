#include "bench/cuda/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bench/cuda/clock.hpp"

namespace mct::bench {

Timing time_of(const cuda::Stream& stream, const std::function<void()>& start) {
  const auto seconds_of = [&](int runs) {
    const cuda::Event begin(stream);
    for (int i = 0; i < runs; ++i) start();
    const cuda::Event end(stream);
    end.synchronize();
    return end.seconds_since(begin) / runs;
  };
  seconds_of(1);  // compiles, allocates
  const double first = seconds_of(1);
  constexpr int rounds = 5;
  const int runs = std::clamp(int(0.05 / first), 1, 1000);
  Timing best{first, 0};
  for (int round = 0; round < rounds; ++round) {
    const double seconds = seconds_of(runs);
    best.seconds = std::min(best.seconds, seconds);
    best.megahertz =
        std::max(best.megahertz, clock_now());  // it does not fall within a millisecond
  }
  return best;
}

Table::Table(const cuda::Device& device, double copied) : device_(device), copied_(copied) {
  fmt::print(
      "| work | size | time (ms) | achieved | clock (MHz) | computed limit (ms) | limit / time |\n"
      "|---|---|---|---|---|---|---|\n");
}

void Table::measure(const cuda::Stream& stream, const Work& work,
                    const std::function<void()>& start) {
  const Timing timing = time_of(stream, start);
  const double hertz = timing.megahertz > 0 ? 1e6 * timing.megahertz : device_.clock;
  const bool is_known = device_.major == 9 && device_.minor == 0;
  double least = work.bytes / copied_;
  if (is_known) least = std::max(least, work.cycles / hertz);
  const bool has_limit = least > 0 && (is_known || work.cycles == 0);
  fmt::print("| {} | {} | {:.4g} | {:.4g} {} | {:.0f} | {} | {} |\n", work.name, work.size,
             1e3 * timing.seconds, 1e-12 * work.amount / timing.seconds, work.unit, 1e-6 * hertz,
             has_limit ? fmt::format("{:.4g}", 1e3 * least) : "-",
             has_limit ? fmt::format("{:.2f}", least / timing.seconds) : "-");
  std::fflush(stdout);
}

}  // namespace mct::bench
