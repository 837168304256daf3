// Times our types and the peers in one process and prints the table of ratios.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <map>
#include <string>

#include "bench/ratio_table.hpp"
#include "bench/registry.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/device/devices.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/isa.hpp"
#include "mctensor/tensor/threads.hpp"
#include "output/machine.hpp"
#include "validation/core/name_filter.hpp"

namespace {

constexpr const char* help =
    "usage: mct_bench [--filter REGEX] [--repetitions N] [--markdown FILE] [--json FILE]\n"
    "                 [--scaling FILE] [--device DEVICE] [--benchmark_...]\n"
    "  --filter REGEX     only what matches in \"dot/f64x2/ours\"\n"
    "  --repetitions N    the best of N runs counts (default 5)\n"
    "  --markdown FILE    write the table as Markdown, too, with hardware and date\n"
    "  --json FILE        write the times as JSON, too: bench/results holds those of the "
    "documentation\n"
    "  --scaling FILE     only time matrix products of growing size and plot them (SVG)\n"
    "  --device DEVICE    cpu (default) or cuda\n"
    "  --benchmark_*      options of Google Benchmark\n"
    "Cases of arithmetic/ have today's MultiFloats, Boost.Multiprecision and FLINT beside ours "
    "where\n"
    "CMake finds clones of them in the folder MCT_PEERS (docs/performance.md).\n";

struct Arguments {
  std::string filter;
  int repetitions = 5;
  std::string markdown;
  std::string json;
  std::string scaling;
  std::string device = "cpu";
};

/// Whether the benchmarks run there; says why not.
bool check_device(const std::string& device) {
  if (device == "cpu") return true;
  std::string problem = "'" + device + "' is neither cpu nor cuda";
  if (device == "cuda") try {
      mct::cuda::require_device();
      problem =
          "cuda: the benchmarks of a GPU are a program of their own: ./run bench --device cuda, "
          "which is bench/cuda_report.sh, builds and runs it";
    } catch (const mct::DeviceError& error) {
      problem = std::string("cuda: ") + error.what();
    }
  fmt::print(stderr, "mct_bench: --device: {}\n", problem);
  return false;
}

/// Takes our options off the command line; returns 0 to go on, else the exit code plus one.
int parse(int& argc, char** argv, Arguments& arguments) {
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--help" || option == "-h") {
      fmt::print("{}", help);
      return 1;
    }
    if (option.rfind("--benchmark_", 0) == 0) {
      argv[kept++] = argv[i];
      continue;
    }
    const bool known = option == "--filter" || option == "--repetitions" ||
                       option == "--markdown" || option == "--json" || option == "--scaling" ||
                       option == "--device";
    if (!known || i + 1 == argc) {
      fmt::print(stderr, "mct_bench: {} '{}'\n{}", known ? "no value after" : "unknown option",
                 option, help);
      return 3;
    }
    const std::string value = argv[++i];
    if (option == "--filter") arguments.filter = value;
    if (option == "--markdown") arguments.markdown = value;
    if (option == "--json") arguments.json = value;
    if (option == "--scaling") arguments.scaling = value;
    if (option == "--device") arguments.device = value;
    if (option == "--repetitions") {
      arguments.repetitions = std::atoi(value.c_str());
      if (arguments.repetitions < 1 || arguments.repetitions > 1000) {
        fmt::print(stderr, "mct_bench: --repetitions: '{}' is not from 1 to 1000\n", value);
        return 3;
      }
    }
  }
  argc = kept;
  return 0;
}

/// Keeps the best time of each benchmark.
class BestOf : public benchmark::ConsoleReporter {
 public:
  BestOf() : ConsoleReporter(OO_Tabular) {}
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const std::string& name = run.run_name.function_name;
      const auto c = by_name.find(name);
      if (c == by_name.end()) continue;
      const double ns =
          (c->second.real_time ? run.GetAdjustedRealTime() : run.GetAdjustedCPUTime()) /
          c->second.items;
      const auto [at, fresh] = best.try_emplace(name, ns);
      if (!fresh && ns < at->second) at->second = ns;
    }
  }
  std::map<std::string, mct::bench::Case> by_name;
  std::map<std::string, double> best;
};

std::string name_of(const mct::bench::Case& c) {
  return c.work + '/' + c.type + '/' + c.implementation;
}

std::ptrdiff_t place(const std::vector<std::string>& order, const mct::bench::Case& c) {
  return std::find(order.begin(), order.end(), c.work + '/' + c.type) - order.begin();
}

/// Every dot product must be right before it is timed.
bool check(const mct::bench::Case& c) {
  if (!c.error_log2) return true;
  const double error = c.error_log2();
  if (error <= c.error_allowed_log2) return true;
  fmt::print(stderr, "mct_bench: {} is wrong: error 2^{:.0f}, allowed 2^{:.0f}\n", name_of(c),
             error, c.error_allowed_log2);
  return false;
}

/// The date of Greenwich, as 2026-11-21.
std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

/// The versions of today's peers, if they are among what was timed.
std::string peers_of(const std::vector<mct::bench::Timing>& timings) {
#if MCT_WITH_TODAY
  for (const auto& t : timings)
    if (t.work.rfind("arithmetic/", 0) == 0) return mct::bench::today_versions();
#endif
  static_cast<void>(timings);
  return "";
}

int write_scaling(const std::string& path) {
  try {
    mct::check_writable(path);
    mct::bench::plot_scaling(path);
  } catch (const mct::Error& error) {
    fmt::print(stderr, "mct_bench: {}\n", error.what());
    return 2;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (const int code = parse(argc, argv, arguments); code != 0) return code - 1;
  if (!check_device(arguments.device)) return 2;
  try {
    mct::active_isa();
  } catch (const mct::DomainError& error) {
    fmt::print(stderr, "mct_bench: {}\n", error.what());
    return 2;
  }
  if (!arguments.scaling.empty()) return write_scaling(arguments.scaling);
  std::vector<mct::bench::Case> cases;
  mct::bench::add_ours(cases);
  mct::bench::add_value_peers(cases);
  mct::bench::add_mpfr(cases);
  mct::bench::add_arb(cases);
  mct::bench::add_arithmetic(cases);
#if MCT_WITH_TODAY
  mct::bench::add_today(cases);
#endif
  mct::bench::add_certified(cases);
  mct::bench::add_math(cases);
  mct::bench::add_tensors(cases);
  mct::bench::add_eigen(cases);
  mct::bench::add_linalg(cases);
  mct::bench::add_optim(cases);
  mct::bench::add_functions(cases);
  mct::bench::add_geometry(cases);
  mct::bench::add_halfspace(cases);
  mct::bench::add_riemannian(cases);
  mct::bench::add_tilings(cases);
  mct::bench::add_attention(cases);
  mct::bench::add_embedding(cases);
  mct::bench::add_embedding_training(cases);
  mct::bench::add_busy(cases);
  try {
    const mct::validation::NameFilter pattern(arguments.filter);
    std::erase_if(cases, [&](const auto& c) { return !pattern.passes(name_of(c)); });
  } catch (const mct::DomainError& error) {
    fmt::print(stderr, "mct_bench: {}\n", error.what());
    return 2;
  }
  if (cases.empty()) {
    fmt::print(stderr, "mct_bench: --filter '{}' matches nothing\n", arguments.filter);
    return 2;
  }
  for (const auto& c : cases) {
    if (!check(c)) return 1;
    auto* registered =
        benchmark::RegisterBenchmark(name_of(c).c_str(), c.run)->Repetitions(arguments.repetitions);
    if (c.real_time) registered->UseRealTime();
  }
  benchmark::Initialize(&argc, argv);
  fmt::print("{}, {}; vectors of {}, best of {}\n", mct::output::processor_name(),
             mct::output::compiler_text(MCT_HAS_FMA != 0), mct::bench::length,
             arguments.repetitions);
  std::vector<std::string> order;
  order.reserve(cases.size());
  for (const auto& c : cases) order.push_back(c.work + '/' + c.type);
  BestOf reporter;
  for (const auto& c : cases) reporter.by_name.emplace(name_of(c), c);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  std::vector<mct::bench::Timing> timings;
  // what stands beside one another goes together, in the order of first mention
  std::stable_sort(cases.begin(), cases.end(),
                   [&](const auto& a, const auto& b) { return place(order, a) < place(order, b); });
  for (const auto& c : cases)
    if (reporter.best.contains(name_of(c)))
      timings.push_back({c.work, c.type, c.implementation, reporter.best[name_of(c)],
                         c.error_units ? c.error_units() : -1});
  fmt::print("{}", mct::bench::format_ratios(timings, false));
  try {
    const int threads = mct::num_threads();
    const mct::bench::Circumstances made{
        fmt::format("{}, {} thread{}", mct::output::processor_name(), threads,
                    threads == 1 ? "" : "s"),
        mct::output::compiler_text(MCT_HAS_FMA != 0),
        today(),
        arguments.filter,
        arguments.repetitions,
        peers_of(timings)};
    if (!arguments.markdown.empty())
      mct::write_file_atomically(arguments.markdown, mct::bench::format_circumstances(made) +
                                                         mct::bench::format_ratios(timings, true));
    if (!arguments.json.empty())
      mct::write_file_atomically(arguments.json, mct::bench::format_json(made, timings));
  } catch (const mct::Error& error) {
    fmt::print(stderr, "mct_bench: {}\n", error.what());
    return 2;
  }
  return 0;
}
