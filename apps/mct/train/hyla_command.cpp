// `mct train hyla`.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <bit>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/device_option.hpp"
#include "apps/mct/quick.hpp"
#include "apps/mct/train/deviation.hpp"
#include "apps/mct/train/finished_runs.hpp"
#include "apps/mct/train/hyla_model.hpp"
#include "apps/mct/train/node_graph.hpp"
#include "apps/mct/train/outputs.hpp"
#include "apps/mct/train/sir_tree.hpp"
#include "mctensor/tensor/create.hpp"
#include "validation/report/progress.hpp"

namespace mct::cli::train::hyla_command {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  FeatureOptions options;
  std::optional<int> hops;  // 5 on the tree, 2 on other graphs
  int seeds = 5;
  fs::path graph;
  SirTreeOptions tree;
  fs::path out;
  bool resume = false;
};

struct Arm {
  const char* name;
  FeatureKind kind;
  bool of_nodes;  // points are those of nodes, without their features; else of feature columns
};
constexpr Arm arms[] = {{"SGC", FeatureKind::plain, false},
                        {"RFF-SGC, columns", FeatureKind::fourier, false},
                        {"HyLa-SGC, columns", FeatureKind::hyla, false},
                        {"RFF-SGC, nodes", FeatureKind::fourier, true},
                        {"HyLa-SGC, nodes", FeatureKind::hyla, true}};

double mean_of(const std::vector<double>& values) {
  double total = 0;
  for (const double x : values) total += x;
  return total / double(values.size());
}

/// More nodes have no arms of nodes: their inputs are a dense matrix, nodes by nodes.
constexpr std::int64_t most_nodes = 5000;

GraphTask task_of(const NodeGraph& graph, const Tensor<double>& inputs, std::uint64_t seed,
                  bool is_tree) {
  GraphTask task{inputs, graph.labels, graph.train, graph.validation, graph.test, graph.classes};
  if (task.train.numel() > 0) return task;
  if (is_tree) {
    split_nodes(task, seed);
  } else {
    split_citations(task, seed);
  }
  return task;
}

std::string describe(const Arguments& arguments, const NodeGraph& graph, int hops) {
  std::string what;
  if (arguments.graph.empty()) {
    double infected = 0;
    for (const std::int64_t label : graph.labels.values()) infected += double(label);
    what = fmt::format("{} nodes, {:.1f} % infected", graph.nodes(),
                       100 * infected / double(graph.nodes()));
  } else {
    what = fmt::format("{}: {} nodes, {} edges ({} left out), {} features, {} classes, {} split",
                       arguments.graph.string(), graph.nodes(), graph.edges.size(), graph.left_out,
                       graph.features.size(1), graph.classes,
                       graph.train.numel() > 0 ? "published" : "random");
  }
  return fmt::format("{}, {} hops, {} epochs, seeds 1 to {}", what, hops, arguments.options.epochs,
                     arguments.seeds);
}

/// All on which a run depends but for its model and seed; of the graph a hash (Fowler, Noll, Vo).
nlohmann::json settings_of(const FeatureOptions& options, const NodeGraph& graph, int hops) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&](std::uint64_t bits) { hash = (hash ^ bits) * 0x100000001b3; };
  for (const auto& [a, b] : graph.edges) {
    mix(std::uint64_t(a));
    mix(std::uint64_t(b));
  }
  for (const std::int64_t label : graph.labels.values()) mix(std::uint64_t(label));
  for (const double x : graph.features.values()) mix(std::bit_cast<std::uint64_t>(x));
  return {{"graph", fmt::format("{:016x}", hash)},
          {"hops", hops},
          {"dimensions", options.dimensions},
          {"features", options.waves},
          {"deviation", options.deviation},
          {"point_lr", options.point_lr},
          {"weight_lr", options.weight_lr},
          {"weight_decay", options.weight_decay},
          {"epochs", options.epochs}};
}

void run(const CLI::App& command, Arguments& arguments) {
  const Quick quick(command);
  quick.set("--seeds", arguments.seeds, 1);
  quick.set("--nodes", arguments.tree.nodes, 200);
  quick.set(arguments.tree.columns, 50);
  quick.set("--features", arguments.options.waves, 20);
  quick.set("--epochs", arguments.options.epochs, 20);
  if (!arguments.out.empty()) prepare_directory(arguments.out);  // before the work
  const bool is_tree = arguments.graph.empty();
  const NodeGraph graph =
      is_tree ? graph_of(make_sir_tree(arguments.tree)) : read_node_graph(arguments.graph);
  const int hops = arguments.hops.value_or(is_tree ? 5 : 2);
  const std::size_t count = graph.nodes() > most_nodes ? std::size(arms) - 2 : std::size(arms);
  FinishedRuns finished(arguments.out, "hyla.jsonl", settings_of(arguments.options, graph, hops),
                        arguments.resume);
  const auto total = std::uint64_t(arguments.seeds) * count;
  validation::ProgressBar bar("hyla", total, "runs");
  std::vector<std::vector<double>> tests(count);
  const auto of_columns = propagate(graph.edges, graph.nodes(), graph.features, hops);
  Tensor<double> of_nodes;
  if (count == std::size(arms))
    of_nodes = propagate(graph.edges, graph.nodes(), eye<double>(graph.nodes()), hops);
  for (int seed = 1; seed <= arguments.seeds; ++seed) {
    arguments.options.seed = std::uint64_t(seed);
    for (std::size_t i = 0; i < count; ++i) {
      const auto line = finished.get({{"model", arms[i].name}, {"seed", seed}}, [&] {
        const GraphTask task =
            task_of(graph, arms[i].of_nodes ? of_nodes : of_columns, std::uint64_t(seed), is_tree);
        arguments.options.kind = arms[i].kind;
        const Accuracy accuracy = train_features(task, arguments.options);
        return nlohmann::json{{"validation", accuracy.validation}, {"test", accuracy.test}};
      });
      tests[i].push_back(number_from(line.at("test")));
      bar.update(std::uint64_t(seed - 1) * count + i + 1, total);
    }
  }
  bar.finish();
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const double mean = mean_of(tests[i]);
    rows.push_back({arms[i].name, fmt::format("{:.1f}", mean),
                    fmt::format("{:.1f}", sample_deviation(tests[i], mean))});
  }
  fmt::print("{}\n\n{}", describe(arguments, graph, hops),
             table_text({"model", "test accuracy %", "deviation"}, rows));
}

void describe_hyla(CLI::App& command, Arguments& arguments) {
  command.description(
      "Who is infected in a tree along which a disease spreads: simplified graph convolutions\n"
      "(SGC) of plain, random Fourier and hyperbolic Laplacian features with learned points\n"
      "(Yu 2024, section 2.3). With --graph the same for the nodes of a citation graph.");
  FeatureOptions& options = arguments.options;
  command
      .add_option("--seeds", arguments.seeds, "Splits, features and starts with seeds 1, 2, ...")
      ->check(CLI::Range(1, 1000));
  command.add_option("--graph", arguments.graph,
                     "A folder with a citation graph: ind.NAME.x ... of Planetoid, or NAME.content "
                     "and NAME.cites [the tree]");
  command.add_option("--nodes", arguments.tree.nodes, "Nodes of the tree")
      ->check(CLI::Range(10, 20000));
  command.add_option("--tree", arguments.tree.seed, "Seed of the tree");
  command
      .add_option("--susceptible", arguments.tree.least_susceptible,
                  "Least probability of the infection of an infected node's child")
      ->check(CLI::Range(0.0, 0.99));
  command
      .add_option("--hops", arguments.hops,
                  "How far graph convolutions see [5 on the tree, 2 on a graph]")
      ->check(CLI::Range(0, 100));
  command.add_option("--dim", options.dimensions, "Dimension of the points")
      ->check(CLI::Range(2, 1000));
  command.add_option("--features", options.waves, "HyLa or random Fourier features")
      ->check(CLI::Range(1, 100'000));
  command.add_option("--deviation", options.deviation, "Standard deviation of their frequencies")
      ->check(CLI::PositiveNumber);
  command.add_option("--point-lr", options.point_lr, "Learning rate of the points")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--weight-lr", options.weight_lr, "Learning rate of Adam for the weights")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--weight-decay", options.weight_decay, "Of the weights, in their gradient")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--epochs", options.epochs, "Steps, of which the best in validation counts")
      ->check(CLI::Range(1, 100'000));
  add_run_options(command, "hyla.jsonl", arguments.out, arguments.resume);
  add_quick(command, "1 seed, 200 nodes, 50 columns, 20 features, 20 epochs");
  add_device_option(command, models_are_on_the_cpu);
}

const Command command("train hyla", describe_hyla, run);

}  // namespace
}  // namespace mct::cli::train::hyla_command
