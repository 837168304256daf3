// `mct train gat`.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/device_option.hpp"
#include "apps/mct/quick.hpp"
#include "apps/mct/ranges.hpp"
#include "apps/mct/train/deviation.hpp"
#include "apps/mct/train/finished_runs.hpp"
#include "apps/mct/train/gat_model.hpp"
#include "apps/mct/train/node_graph.hpp"
#include "apps/mct/train/outputs.hpp"
#include "apps/mct/train/sir_tree.hpp"
#include "apps/mct/train/start_options.hpp"
#include "mctensor/error.hpp"
#include "output/progress.hpp"

namespace mct::cli::train::gat_command {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  GatOptions options;
  std::vector<std::string> comparisons{"dot-product", "laplacian",  "umbral",
                                       "penumbral",   "entailment", "half-space"};
  int seeds = 5;
  fs::path graph;
  SirTreeOptions tree;
  fs::path out;
  bool resume = false;
};

void run(const CLI::App& command, Arguments& arguments) {
  const Quick quick(command);
  GatOptions& options = arguments.options;
  quick.set("--seeds", arguments.seeds, 1);
  quick.set("--comparisons", arguments.comparisons, {"penumbral"});
  quick.set("--epochs", options.epochs, 5);
  quick.set(arguments.tree.nodes, 200);
  quick.set(arguments.tree.columns, 50);
  for (const std::string& name : arguments.comparisons) attention::comparison_from(name);
  if (!arguments.out.empty()) prepare_directory(arguments.out);  // errors come before the work
  const NodeGraph graph = arguments.graph.empty() ? graph_of(make_sir_tree(arguments.tree))
                                                  : read_node_graph(arguments.graph);
  if (graph.features.columns == 0) throw DomainError(graph.name + " has no features");
  FinishedRuns finished(arguments.out, "gat.jsonl",
                        {{"graph", graph.name},
                         {"nodes", graph.nodes()},
                         {"heads", options.heads},
                         {"width", options.width},
                         {"dropout", options.dropout},
                         {"lr", options.lr},
                         {"weight_decay", options.weight_decay},
                         {"epochs", options.epochs},
                         {"patience", options.patience},
                         {"start_gamma", options.start.gamma},
                         {"start_radius", options.start.radius}},
                        arguments.resume);
  const auto total = std::uint64_t(arguments.seeds) * arguments.comparisons.size();
  output::ProgressBar bar("gat", total, "runs");
  std::uint64_t done = 0;
  std::vector<std::vector<std::string>> rows;
  for (const std::string& name : arguments.comparisons) {
    options.comparison = attention::comparison_from(name);
    std::vector<double> validations;
    std::vector<double> tests;
    std::vector<double> seconds;
    for (int seed = 1; seed <= arguments.seeds; ++seed) {
      options.seed = std::uint64_t(seed);
      const auto line = finished.get({{"comparison", name}, {"seed", seed}}, [&] {
        const auto start = std::chrono::steady_clock::now();
        const Accuracy accuracy =
            train_gat(task_of(graph, options.seed), graph.features, graph.edges, options);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        return nlohmann::json{{"validation", accuracy.validation},
                              {"test", accuracy.test},
                              {"seconds", time.count()}};
      });
      validations.push_back(number_from(line.at("validation")));
      tests.push_back(number_from(line.at("test")));
      seconds.push_back(number_from(line.at("seconds")));
      bar.update(++done, total);
    }
    const double mean = mean_of(tests);
    rows.push_back(
        {name, fmt::format("{:.1f}", mean), fmt::format("{:.1f}", sample_deviation(tests, mean)),
         fmt::format("{:.1f}", mean_of(validations)), fmt::format("{:.1f}", mean_of(seconds)),
         fmt::format("{}", parameters_of_gat(task_of(graph, 1), graph.features, options))});
  }
  bar.finish();
  fmt::print(
      "{}: {} nodes, {} edges, {} features, {} classes, seeds 1 to {}\n\n{}", graph.name,
      graph.nodes(), graph.edges.size(), graph.features.columns, graph.classes, arguments.seeds,
      table_text(
          {"comparison", "test accuracy %", "deviation", "validation", "seconds", "parameters"},
          rows));
}

void describe_gat(CLI::App& command, Arguments& arguments) {
  command.description(
      "Graph attention networks (Velickovic et al. 2018) whose weights come from dot products, "
      "cones\n"
      "or distances (Tseng et al. 2023, table 1): two layers along the edges of a graph, which "
      "class\n"
      "a node has. Without --graph: who is infected in a tree along which a disease spreads.");
  GatOptions& options = arguments.options;
  command.add_option("--graph", arguments.graph, "A graph, in the forms of `mct train hyla`");
  command.add_option("--comparisons", arguments.comparisons, "Ways to compare")->delimiter(',');
  command.add_option("--heads", options.heads, "Heads of the first layer")
      ->check(CLI::Range(1, 1000));
  command.add_option("--width", options.width, "Numbers of one of its heads")
      ->check(CLI::Range(2, 1000));
  command
      .add_option("--dropout", options.dropout,
                  "Part of the features and of the weights that a step leaves out")
      ->check(between(0.0, 0.99));
  command.add_option("--lr", options.lr, "Rate of Adam")->check(positive());
  command
      .add_option("--weight-decay", options.weight_decay, "Of all parameters, in their gradient")
      ->check(not_negative());
  command.add_option("--epochs", options.epochs, "Steps, at most")->check(CLI::Range(1, 100'000));
  command
      .add_option("--patience", options.patience, "Steps without anything better before it ends")
      ->check(CLI::Range(1, 100'000));
  add_start_options(command, options.start);
  command.add_option("--seeds", arguments.seeds, "Runs with seeds 1, 2, ...")
      ->check(CLI::Range(1, 1000));
  add_run_options(command, "gat.jsonl", arguments.out, arguments.resume);
  add_quick(command, "1 seed, penumbral cones, 5 steps, 200 nodes, 50 columns");
  add_device_option(command, models_are_on_the_cpu);
}

const Command command("train gat", describe_gat, run);

}  // namespace
}  // namespace mct::cli::train::gat_command
