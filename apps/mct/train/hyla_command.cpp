// `mct train hyla`.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <bit>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/device_option.hpp"
#include "apps/mct/one_of.hpp"
#include "apps/mct/quick.hpp"
#include "apps/mct/ranges.hpp"
#include "apps/mct/train/deviation.hpp"
#include "apps/mct/train/finished_runs.hpp"
#include "apps/mct/train/hyla_settings.hpp"
#include "apps/mct/train/node_graph.hpp"
#include "apps/mct/train/outputs.hpp"
#include "apps/mct/train/sir_tree.hpp"
#include "mctensor/base/names.hpp"
#include "mctensor/error.hpp"
#include "output/progress.hpp"

namespace mct::cli::train::hyla_command {

namespace {

namespace fs = std::filesystem;

enum class RowForm { raw, divided };
constexpr Names<RowForm, 2> row_form_names{{{RowForm::raw, "raw"}, {RowForm::divided, "sums"}}};

/// The options that the user gives; all others are chosen.
struct Given {
  std::optional<int> hops;
  std::optional<RowForm> rows;
  std::optional<std::int64_t> dimensions, waves;
  std::optional<double> deviation, point_lr, weight_lr, weight_decay;
  std::optional<int> epochs;

  HylaSetting instead_of(HylaSetting setting) const {
    const auto set = [](const auto& given, auto& value) {
      if (given) value = *given;
    };
    set(hops, setting.hops);
    if (rows) setting.divided = *rows == RowForm::divided;
    FeatureOptions& options = setting.options;
    set(dimensions, options.dimensions);
    set(waves, options.waves);
    set(deviation, options.deviation);
    set(point_lr, options.point_lr);
    set(weight_lr, options.weight_lr);
    set(weight_decay, options.weight_decay);
    set(epochs, options.epochs);
    return setting;
  }
};

struct Arguments {
  Given given;
  bool tune = false;
  int seeds = 5;
  std::vector<std::string> models;
  fs::path graph;
  SirTreeOptions tree;
  fs::path out;
  bool resume = false;
};

struct Arm {
  const char* id;
  const char* name;
  FeatureKind kind;
  bool of_nodes;  // each point belongs to a node, without its features; else to a feature column
};
constexpr Arm all_arms[] = {{"sgc", "SGC", FeatureKind::plain, false},
                            {"rff", "RFF-SGC, columns", FeatureKind::fourier, false},
                            {"hyla", "HyLa-SGC, columns", FeatureKind::hyla, false},
                            {"rff-nodes", "RFF-SGC, nodes", FeatureKind::fourier, true},
                            {"hyla-nodes", "HyLa-SGC, nodes", FeatureKind::hyla, true}};

std::string form_of_split(const NodeGraph& graph) {
  if (graph.train.numel() > 0) return "published split";
  if (graph.drawn.test == 0) return "splits of 20 nodes a class, 500 and 1000";
  return fmt::format("splits of {:g} and {:g} % for validation and the test",
                     100 * graph.drawn.validation, 100 * graph.drawn.test);
}

std::string describe(const NodeGraph& graph, int seeds) {
  return fmt::format(
      "{}: {} nodes, {} edges ({} left out), {} features, {} classes, {}, seeds 1 to {}",
      graph.name, graph.nodes(), graph.edges.size(), graph.left_out, graph.features.columns,
      graph.classes, form_of_split(graph), seeds);
}

/// The part of a setting that a model uses.
nlohmann::json json_of(const HylaSetting& setting) {
  const FeatureOptions& options = setting.options;
  nlohmann::json json{{"hops", setting.hops},
                      {"rows", setting.divided ? "sums" : "raw"},
                      {"weight_lr", options.weight_lr},
                      {"weight_decay", options.weight_decay},
                      {"epochs", options.epochs}};
  if (options.kind != FeatureKind::plain)
    json.update({{"dimensions", options.dimensions},
                 {"features", options.waves},
                 {"deviation", options.deviation},
                 {"point_lr", options.point_lr}});
  return json;
}

/// The graph's edges, labels, features and split as a number (Fowler, Noll, Vo).
std::string hash_of(const NodeGraph& graph) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&](std::uint64_t bits) { hash = (hash ^ bits) * 0x100000001b3; };
  for (const auto& [a, b] : graph.edges) {
    mix(std::uint64_t(a));
    mix(std::uint64_t(b));
  }
  for (const std::int64_t label : graph.labels.values()) mix(std::uint64_t(label));
  mix(std::uint64_t(graph.features.columns));
  for (const auto start : graph.features.starts) mix(std::uint64_t(start));
  for (const std::int64_t place : graph.features.places) mix(std::uint64_t(place));
  for (const double x : graph.features.values) mix(std::bit_cast<std::uint64_t>(x));
  return fmt::format("{:016x}", hash);
}

/// The models that the graph and the user allow.
std::vector<Arm> arms_of(const Arguments& arguments, const NodeGraph& graph) {
  std::string ids;
  for (const Arm& arm : all_arms) ids += (ids.empty() ? "" : ", ") + std::string(arm.id);
  for (const std::string& model : arguments.models)
    if (std::none_of(std::begin(all_arms), std::end(all_arms),
                     [&](const Arm& arm) { return model == arm.id; }))
      throw DomainError(fmt::format("no model '{}': there are {}", model, ids));
  std::vector<Arm> arms;
  for (const Arm& arm : all_arms) {
    const bool has_points = arm.of_nodes
                                ? !graph.edges.empty()
                                : arm.kind == FeatureKind::plain || graph.features.columns > 0;
    const auto& wanted = arguments.models;
    if (has_points && (wanted.empty() || std::count(wanted.begin(), wanted.end(), arm.id) > 0))
      arms.push_back(arm);
  }
  if (arms.empty())
    throw DomainError(graph.name + " has no " +
                      (graph.edges.empty() ? "neighbours: no models of nodes"
                                           : "features: no models of columns"));
  return arms;
}

/// Trains on a graph with one setting after the other.
class Trainer {
 public:
  explicit Trainer(const NodeGraph& graph)
      : graph_(graph), adjacency_(normalized_adjacency(graph.edges, graph.nodes())) {}

  nlohmann::json train(const Arm& arm, const HylaSetting& setting, int seed) {
    GraphTask task = task_of(graph_, std::uint64_t(seed));
    task.inputs = inputs(arm.of_nodes || graph_.features.columns == 0, setting);
    FeatureOptions options = setting.options;
    options.seed = std::uint64_t(seed);
    const auto start = std::chrono::steady_clock::now();
    const Accuracy accuracy = train_features(task, options);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    return {
        {"validation", accuracy.validation}, {"test", accuracy.test}, {"seconds", seconds.count()}};
  }

 private:
  /// Inputs are only computed if other ones are wanted, because features of columns are large.
  std::shared_ptr<const Propagation> inputs(bool of_nodes, const HylaSetting& setting) {
    const Key key{of_nodes, setting.hops, !of_nodes && setting.divided};
    if (inputs_ == nullptr || key != key_) {
      key_ = key;
      inputs_ = of_nodes
                    ? std::make_shared<const Propagation>(adjacency_, setting.hops)
                    : std::make_shared<const Propagation>(
                          adjacency_, setting.hops,
                          setting.divided ? divided_by_sums(graph_.features) : graph_.features);
    }
    return inputs_;
  }

  using Key = std::tuple<bool, int, bool>;
  const NodeGraph& graph_;
  SparseMatrix adjacency_;
  Key key_;
  std::shared_ptr<const Propagation> inputs_;
};

/// The settings of a model with the user's options; each setting only once.
std::vector<HylaSetting> candidates_of(const Arguments& arguments, const NodeGraph& graph,
                                       const Arm& arm) {
  std::vector<HylaSetting> result;
  std::vector<nlohmann::json> seen;
  for (const HylaSetting& known :
       hyla_settings(graph.name, arm.kind, arm.of_nodes, arguments.tune)) {
    HylaSetting setting = arguments.given.instead_of(known);
    if (graph.edges.empty()) setting.hops = 0;  // S is the identity
    if (arm.of_nodes) setting.divided = false;
    if (const auto json = json_of(setting); std::count(seen.begin(), seen.end(), json) == 0) {
      seen.push_back(json);
      result.push_back(setting);
    }
  }
  return result;
}

void run(const CLI::App& command, Arguments& arguments) {
  const Quick quick(command);
  quick.set("--seeds", arguments.seeds, 1);
  quick.set("--nodes", arguments.tree.nodes, 200);
  quick.set(arguments.tree.columns, 50);
  quick.set("--features", arguments.given.waves, 20);
  quick.set("--epochs", arguments.given.epochs, 20);
  if (!arguments.out.empty()) prepare_directory(arguments.out);  // errors come before the work
  const NodeGraph graph = arguments.graph.empty() ? graph_of(make_sir_tree(arguments.tree))
                                                  : read_node_graph(arguments.graph);
  const std::vector<Arm> arms = arms_of(arguments, graph);
  std::vector<std::vector<HylaSetting>> candidates;
  nlohmann::json described = nlohmann::json::object();
  std::uint64_t total = std::uint64_t(arguments.seeds) * arms.size();
  for (const Arm& arm : arms) {
    candidates.push_back(candidates_of(arguments, graph, arm));
    for (const HylaSetting& setting : candidates.back())
      described[arm.id].push_back(json_of(setting));
    if (candidates.back().size() > 1) total += candidates.back().size();
  }
  FinishedRuns finished(arguments.out, "hyla.jsonl",
                        {{"graph", hash_of(graph)}, {"candidates", described}}, arguments.resume);
  output::ProgressBar bar("hyla", total, "runs");
  std::uint64_t done = 0;
  Trainer trainer(graph);
  const auto train = [&](const Arm& arm, const HylaSetting& setting, int seed) {
    auto line = finished.get({{"model", arm.name}, {"seed", seed}, {"setting", json_of(setting)}},
                             [&] { return trainer.train(arm, setting, seed); });
    bar.update(++done, total);
    return line;
  };
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    HylaSetting chosen = candidates[i].front();
    double best = -1;
    for (const HylaSetting& setting : candidates[i]) {
      if (candidates[i].size() == 1) break;
      const double validation = number_from(train(arms[i], setting, 0).at("validation"));
      if (validation > best) {
        best = validation;
        chosen = setting;
      }
    }
    std::vector<double> tests;
    std::vector<double> seconds;
    for (int seed = 1; seed <= arguments.seeds; ++seed) {
      const auto line = train(arms[i], chosen, seed);
      tests.push_back(number_from(line.at("test")));
      seconds.push_back(number_from(line.at("seconds")));
    }
    const double mean = mean_of(tests);
    rows.push_back(
        {arms[i].name, fmt::format("{:.1f}", mean),
         fmt::format("{:.1f}", sample_deviation(tests, mean)),
         fmt::format("{:.1f}", mean_of(seconds)),
         fmt::format("{}{}", candidates[i].size(), candidates[i].size() > 1 ? " tried" : ""),
         json_of(chosen).dump()});
  }
  bar.finish();
  fmt::print(
      "{}\n\n{}", describe(graph, arguments.seeds),
      table_text({"model", "test accuracy %", "deviation", "seconds", "settings", "chosen"}, rows));
}

void describe_hyla(CLI::App& command, Arguments& arguments) {
  command.description(
      "Who is infected in a tree along which a disease spreads: simplified graph convolutions\n"
      "(SGC) of plain, random Fourier and hyperbolic Laplacian features with learned points\n"
      "(Yu 2024, section 2.3). With --graph the same for the nodes of a graph, or for texts. "
      "Settings\n"
      "that are not given are those that are known to be the best for the graph's name, or are "
      "chosen\n"
      "by accuracy in validation, with seed 0.");
  Given& given = arguments.given;
  command
      .add_option("--seeds", arguments.seeds, "Splits, features and starts with seeds 1, 2, ...")
      ->check(CLI::Range(1, 1000));
  command.add_option("--graph", arguments.graph,
                     "A folder with one graph, or a file of one: ind.NAME.graph ... of Planetoid, "
                     "NAME.content and "
                     "NAME.cites, NAME.edges.csv, NAME.labels.npy and NAME.feats.npz, NAME.p of "
                     "networkx; or a table "
                     "of texts, NAME.csv with columns label, text and perhaps split [the tree]");
  command
      .add_option("--models", arguments.models,
                  "Only these, with commas: sgc, rff, hyla, rff-nodes, hyla-nodes [all]")
      ->delimiter(',');
  command.add_flag("--tune", arguments.tune,
                   "Choose by validation even where the best settings are known");
  command.add_option("--nodes", arguments.tree.nodes, "Nodes of the tree")
      ->check(CLI::Range(10, 20000));
  command.add_option("--tree", arguments.tree.seed, "Seed of the tree");
  command
      .add_option("--susceptible", arguments.tree.least_susceptible,
                  "Least probability of the infection of an infected node's child")
      ->check(between(0.0, 0.99));
  command.add_option("--hops", given.hops, "How far graph convolutions see")
      ->check(CLI::Range(0, 100));
  command
      .add_option("--rows", given.rows,
                  "Rows of features: as they stand in the files (raw), or divided by their sums")
      ->transform(one_of(row_form_names));
  command.add_option("--dim", given.dimensions, "Dimension of the points")
      ->check(CLI::Range(2, 1000));
  command.add_option("--features", given.waves, "HyLa or random Fourier features")
      ->check(CLI::Range(1, 100'000));
  command.add_option("--deviation", given.deviation, "Standard deviation of their frequencies")
      ->check(positive());
  command.add_option("--point-lr", given.point_lr, "Learning rate of the points")
      ->check(not_negative());
  command.add_option("--weight-lr", given.weight_lr, "Learning rate of Adam for the weights")
      ->check(not_negative());
  command.add_option("--weight-decay", given.weight_decay, "Of the weights, in their gradient")
      ->check(not_negative());
  command.add_option("--epochs", given.epochs, "Steps, of which the best in validation counts")
      ->check(CLI::Range(1, 100'000));
  add_run_options(command, "hyla.jsonl", arguments.out, arguments.resume);
  add_quick(command, "1 seed, 200 nodes, 50 columns, 20 features, 20 epochs");
  add_device_option(command, models_are_on_the_cpu);
}

const Command command("train hyla", describe_hyla, run);

}  // namespace
}  // namespace mct::cli::train::hyla_command
