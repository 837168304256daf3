// `mct validate`: the precision suite.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "apps/mct/command.hpp"
#include "apps/mct/output_paths.hpp"
#include "apps/mct/version.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/number_in.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/isa.hpp"
#include "output/machine.hpp"
#include "output/progress.hpp"
#include "validation/core/suite.hpp"
#include "validation/geometry/figures.hpp"
#include "validation/peers/peers.hpp"
#include "validation/report/html_report.hpp"
#include "validation/report/json.hpp"
#include "validation/report/table.hpp"

namespace mct::cli {

namespace {

namespace fs = std::filesystem;

struct ValidateArguments {
  validation::Options options;
  std::optional<std::string> cases;
  std::optional<std::string> replay;
  std::string json;
  std::string report;
  bool quick = false;
  bool no_peers = false;
};

constexpr std::uint64_t quick_cases = 2'000'000;
constexpr std::uint64_t most_cases = 1'000'000'000'000;

/// "24000000", "1e8": a positive whole number.
std::uint64_t parse_cases(const std::string& text) {
  const auto value = number_in<double>(text);
  if (!value || !(*value >= 1 && *value <= double(most_cases)) || *value != std::floor(*value))
    throw DomainError(
        fmt::format("--cases: '{}' is not a whole number from 1 to {:g} (1e8 is fine)", text,
                    double(most_cases)));
  return std::uint64_t(*value);
}

int replay(const std::string& line) {
  std::string report;
  const bool good = validation::replay_case(line, report);
  fmt::print("{}", report);
  return good ? 0 : 1;
}

int validate(ValidateArguments& arguments) {
  if (arguments.replay) return replay(*arguments.replay);
  validation::Options& options = arguments.options;
  if (arguments.quick) options.cases = quick_cases;
  if (arguments.cases) options.cases = parse_cases(*arguments.cases);
  active_isa();  // throws here, and not in a thread of the suite, if MCT_ISA names none

  if (!arguments.report.empty())
    check_different({arguments.json, validation::report_path(arguments.report).string()});
  // a place that cannot be written must be found before the work, not after it
  if (!arguments.json.empty()) {
    mct::make_directory(fs::absolute(arguments.json).parent_path());
    mct::check_writable(arguments.json);
  }
  if (!arguments.report.empty()) {
    mct::make_directory(arguments.report);
    mct::check_writable(validation::report_path(arguments.report));
  }

  output::ProgressBar bar("validate", options.cases);
  validation::Results results = validation::run_suite(
      options, [&](std::uint64_t done, std::uint64_t total) { bar.update(done, total); });
  bar.finish();
  results.version = version_text();
  results.compiler = output::compiler_text(validation::suite_has_fma());
  results.cpu = output::processor_name();
  if (!arguments.no_peers) {
    validation::measure_peers(options, arguments.quick, results);
    validation::measure_figures(options, arguments.quick, results);
  }

  fmt::print("{}", validation::format_table(results));
  // the page is written first: if one of the two cannot be written after all, the other is not lost
  if (!arguments.report.empty()) {
    validation::write_html_report(results, arguments.report);
    fmt::print("report: {}\n", fs::absolute(validation::report_path(arguments.report)).string());
  }
  if (!arguments.json.empty()) validation::write_json(results, arguments.json);
  return results.passed() ? 0 : 1;
}

void describe_validate(CLI::App& command, ValidateArguments& arguments) {
  command.description(
      "Check every operation against MPFR and report the largest errors.\n"
      "Exit code: 0 no bound violated, 1 violations, 2 bad usage or a "
      "file that cannot be written.");
  // if an option is given twice, as by `./run validate --json FILE`, the last value counts
  command.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  command.add_option("--seed", arguments.options.seed, "Seed of the random cases");
  command.add_option(
      "--cases", arguments.cases,
      fmt::format("Number of checked operations [{}], 1e8 is fine", arguments.options.cases));
  command.add_option("--filter", arguments.options.filter,
                     "Only operations whose \"type name\" matches this regular expression, "
                     "e.g. 'f64x2 (add|mul)'");
  command.add_option("--threads", arguments.options.threads, "Threads; 0: all")
      ->check(CLI::Range(0, 4096));
  command.add_option("--json", arguments.json, "Write the results to this file");
  command.add_option("--report", arguments.report,
                     "Write a report (index.html, self-contained) into this directory");
  // ./run validate gives it together with --json and --report, which then write nothing
  command.add_option("--replay", arguments.replay,
                     "Repeat one case, as a violation prints it: 'f64x2 add 0x1p+0,0x0p+0 ...'; "
                     "no file is written");
  command.add_flag("--quick", arguments.quick,
                   fmt::format("{} cases instead, and fewer for the peers", quick_cases));
  command.add_flag("--no-peers", arguments.no_peers,
                   "Do not measure MPFR, QD and the others beside ours, nor make the figures");
  command.footer(
      "Everything takes two to three minutes on two cores. Types: f64x2 is the sum of two doubles, "
      "f32x3 of three\nfloats. Errors and bounds are in units of u^N: 2^-106 for f64x2.\n\n"
      "Examples:\n"
      "  mct validate --report report --json results.json\n"
      "  mct validate --quick --no-peers --filter 'f64x2 (add|exp)$'\n"
      "  mct validate --replay 'f64x2 exp 0x1p-53,0x1p-107'");
}

const Command validate_command("validate", describe_validate, validate);

}  // namespace
}  // namespace mct::cli
