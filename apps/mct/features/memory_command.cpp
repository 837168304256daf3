// `mct features attention-memory`: the memory that streaming attention needs.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/process_memory.hpp"
#include "apps/mct/quick.hpp"
#include "apps/mct/train/outputs.hpp"
#include "mctensor/attention/softmax_attention.hpp"
#include "output/progress.hpp"

namespace mct::cli::features::memory_command {

namespace {

namespace fs = std::filesystem;
using Matrix = Variable<float>;

constexpr int shortest_power = 10;
constexpr int quick_power = 11;
constexpr std::int64_t dimension = 64;

struct Arguments {
  int longest_power = 16;
  fs::path out;
};

struct Arm {
  const char* name;
  Matrix (*attend)(const Matrix& q, const Matrix& k, const Matrix& v);
};
constexpr Arm arms[] = {
    {"dot product", [](const Matrix& q, const Matrix& k,
                       const Matrix& v) { return attention::dot_product_attention(q, k, v); }},
    {"hyperbolic distance", [](const Matrix& q, const Matrix& k, const Matrix& v) {
       return attention::distance_attention(attention::of_ball(q), attention::of_ball(k), v,
                                            Matrix(Tensor<float>::scalar(1)));
     }}};

/// How much memory the process gains in a forward and backward pass of one head, without the
/// operands and their gradients.
std::int64_t growth(const Arm& arm, std::int64_t length) {
  const auto points = [&](std::uint64_t seed) {
    return Matrix(randn<float>({1, length, dimension}, seed) * 0.05F, true);
  };
  const Matrix q = points(1);
  const Matrix k = points(2);
  const Matrix v = points(3);
  for (const Matrix& x : {q, k, v}) x.set_grad(zeros<float>(x.shape()));
  // a small pass first, so that the threads' stacks and the allocator's first pages do not count
  const auto few = [](const Matrix& x) { return Matrix(x.value().narrow(1, 0, 64).clone()); };
  arm.attend(few(q), few(k), few(v));
  const std::int64_t before = process_bytes("VmRSS");
  sum(arm.attend(q, k, v)).backward();
  return process_bytes("VmHWM") - before;
}

/// Runs `growth` in a process of its own, so that the largest size is that of this work alone.
/// Throws DomainError if the process fails.
std::int64_t growth_apart(const Arm& arm, std::int64_t length) {
  int ends[2];
  if (::pipe(ends) != 0) throw DomainError("attention-memory: the system cannot make a pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    std::int64_t bytes = -1;
    try {
      bytes = growth(arm, length);
    } catch (const std::exception&) {  // the parent reports it
    }
    const bool sent = ::write(ends[1], &bytes, sizeof(bytes)) == sizeof(bytes);
    ::_exit(sent ? 0 : 1);
  }
  ::close(ends[1]);
  std::int64_t bytes = -1;
  const bool received = child > 0 && ::read(ends[0], &bytes, sizeof(bytes)) == sizeof(bytes);
  ::close(ends[0]);
  if (child > 0) ::waitpid(child, nullptr, 0);
  if (!received || bytes < 0)
    throw DomainError(fmt::format(
        "attention-memory: the process that measures length {} gave no result", length));
  return bytes;
}

void run(const CLI::App& command, Arguments& arguments) {
  const Quick quick(command);
  if (process_bytes("VmHWM") == 0)
    throw DomainError("attention-memory: this system has no /proc/self/status to read sizes from");
  quick.set("--longest", arguments.longest_power, quick_power);
  const int longest = arguments.longest_power;
  if (!arguments.out.empty()) train::prepare_directory(arguments.out);
  std::vector<std::vector<std::string>> rows;
  std::vector<nlohmann::json> lines;
  output::LinePlot plot;
  plot.title = "Streaming attention: memory against the length";
  plot.description =
      "Growth of the process by a forward and backward pass of one head of 64 floats, and the "
      "bytes of a matrix of all weights";
  plot.x_label = "log2 of the length";
  plot.y_label = "log2 of bytes";
  plot.whole_x = true;
  plot.series.resize(std::size(arms) + 1);
  plot.series.back().name = "all weights";
  plot.series.back().dashed = true;
  plot.series.back().colour = int(std::size(arms));
  const auto total = std::uint64_t(longest) - std::uint64_t(shortest_power) + 1;
  output::ProgressBar bar("memory", total, "lengths");
  for (int power = shortest_power; power <= longest; ++power) {
    const std::int64_t length = std::int64_t(1) << power;
    rows.push_back({fmt::format("{}", length)});
    for (std::size_t i = 0; i < std::size(arms); ++i) {
      const std::int64_t bytes = growth_apart(arms[i], length);
      rows.back().push_back(fmt::format("{:.1f}", double(bytes) * 1e-6));
      lines.push_back({{"length", length}, {"attention", arms[i].name}, {"bytes", bytes}});
      plot.series[i].name = arms[i].name;
      plot.series[i].colour = int(i);
      plot.series[i].markers = true;
      plot.series[i].points.push_back(
          {double(power), std::log2(double(std::max<std::int64_t>(bytes, 1)))});
    }
    const double weights = 4 * double(length) * double(length);
    rows.back().push_back(fmt::format("{:.1f}", weights * 1e-6));
    plot.series.back().points.push_back({double(power), std::log2(weights)});
    bar.update(std::uint64_t(power) - std::uint64_t(shortest_power) + 1, total);
  }
  bar.finish();
  fmt::print("one head of {} floats, forward and backward, MB beside the operands\n\n{}", dimension,
             train::table_text({"n", arms[0].name, arms[1].name, "all weights"}, rows));
  if (arguments.out.empty()) return;
  train::write_plot(arguments.out / "attention-memory.svg", plot);
  train::write_lines(arguments.out / "attention-memory.jsonl", lines);
}

void describe_memory(CLI::App& command, Arguments& arguments) {
  command.description(
      "What streaming attention (docs/attention.md) takes of memory against the length: the growth "
      "of a\nprocess by one forward and backward pass. Linux alone.");
  command.add_option("--longest", arguments.longest_power, "Lengths up to 2 to the power of this")
      ->check(CLI::Range(shortest_power, 20));
  command.add_option("--out", arguments.out,
                     "Write attention-memory.svg and .jsonl into this directory [none]");
  add_quick(command, fmt::format("Lengths up to 2^{}", quick_power));
}

const Command command("features attention-memory", describe_memory, run);

}  // namespace
}  // namespace mct::cli::features::memory_command
