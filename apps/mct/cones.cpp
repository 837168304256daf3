// `mct cones`: hierarchies as shadow and entailment cones.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/mct/ball_or_half_space.hpp"
#include "apps/mct/command.hpp"
#include "apps/mct/cone_runs.hpp"
#include "apps/mct/edge_list.hpp"
#include "apps/mct/embed/interrupt.hpp"
#include "apps/mct/embed/training_options.hpp"
#include "apps/mct/one_of.hpp"
#include "mctensor/base/number_in.hpp"
#include "mctensor/embed/usual_options.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/graph/split.hpp"

namespace mct::cli::cones_command {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  EdgeList edges;
  std::vector<std::string> relations;  // files of further ones
  std::vector<std::string> lights;     // of all in turn; none: the usual ones
  bool without_roots = false, split_files = false;
  bool all_splits = false;
  double percent = 50;
  std::optional<double> size, gamma_1;  // default: depends on the kind and the model
  std::optional<bool> fresh_negatives;
  TrainingSettings training;
  ConeRuns runs;

  Arguments() {
    const embed::ConeTrainingOptions usual;
    training.negatives = usual.negatives;
    training.init = usual.init;
  }
};

/// The given options, and suitable values for options that are not given.
embed::ConeTrainingOptions chosen(const Arguments& arguments, bool only_basic) {
  embed::ConeTrainingOptions given = arguments.runs.training;
  given.cones.radius = arguments.training.radius;
  embed::ConeTrainingOptions options = embed::usual_options(given.cones, arguments.size, only_basic,
                                                            given_optimizer(arguments.training));
  options.loss = given.loss;
  options.gamma_1 = arguments.gamma_1.value_or(options.gamma_1);
  options.gamma_2 = given.gamma_2;
  options.gamma_3 = given.gamma_3;
  options.fresh_negatives = arguments.fresh_negatives.value_or(options.fresh_negatives);
  options.check_every = given.check_every;
  if (!given.sizes.empty()) options.sizes = given.sizes;
  put_given(arguments.training, options);
  if (!arguments.training.burn_in) options.burn_in = std::min<std::int64_t>(20, options.epochs / 5);
  return options;
}

/// The place of a light from "up", "middle" or coordinates such as "0.5,-1".
std::vector<double> light_from(const std::string& text, embed::PointStorage storage) {
  const bool in_ball = storage == embed::PointStorage::ball;
  if (text == (in_ball ? "middle" : "up")) return {};
  std::vector<double> place;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::optional<double> x = number_in<double>(part);
    if (!x)
      throw DomainError(fmt::format(
          "--light {}: '{}' is not a number, expected {} or {}", text, part,
          in_ball ? "middle" : "up",
          in_ball ? "coordinates of a point of the ball" : "coordinates of a point of the ground"));
    place.push_back(*x);
    begin = end + 1;
  }
  return place;
}

/// A light for each relation: the given ones, or the usual ones.
std::vector<std::vector<double>> lights_of(const Arguments& arguments) {
  const embed::ConeSystem& cones = arguments.runs.training.cones;  // as chosen() has made it
  const std::size_t count = arguments.relations.size() + 1;
  if (arguments.lights.empty()) return embed::usual_lights(cones, count);
  if (arguments.lights.size() != count)
    throw DomainError(fmt::format("--light: {} lights for {} relations, expected one for each",
                                  arguments.lights.size(), count));
  std::vector<std::vector<double>> lights;
  for (const std::string& text : arguments.lights) {
    embed::ConeSystem lit = cones;
    lit.light = light_from(text, cones.storage);
    try {
      lit.check();
    } catch (const DomainError& error) {
      throw DomainError(fmt::format("--light {}: {}", text, error.what()));
    }
    lights.push_back(lit.light);
  }
  return lights;
}

/// What a relation is called: its file's name without the last ending, and without .gz.
std::string relation_name(const std::string& file) {
  fs::path name = fs::path(file).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

/// The same nodes for all, in the order in which the lists have them.
void unite_nodes(std::vector<embed::Graph>& graphs) {
  if (graphs.size() == 1) return;
  const auto names = std::make_shared<embed::NameTable>();
  for (const embed::Graph& graph : graphs)
    for (std::int32_t node = 0; node < std::int32_t(graph.node_count()); ++node)
      names->enter(graph.name(node));
  for (embed::Graph& graph : graphs) graph = renumbered(graph, names);
}

std::vector<ConeHierarchy> load_hierarchies(Arguments& arguments) {
  const std::vector<std::vector<double>> lights = lights_of(arguments);
  std::vector<std::string> names{arguments.runs.name};
  if (!arguments.relations.empty()) names[0] = relation_name(arguments.edges.file);
  for (const std::string& file : arguments.relations) {
    names.push_back(relation_name(file));
    arguments.runs.name += ", " + fs::path(file).filename().string();
    if (std::count(names.begin(), names.end(), names.back()) > 1)
      throw DomainError(
          fmt::format("--relation {}: another relation is called '{}', too", file, names.back()));
  }
  std::vector<embed::Graph> graphs;
  if (arguments.split_files) {
    arguments.runs.split_files = arguments.edges.file;
    graphs.push_back(embed::read_split_closure(arguments.edges.file));
  } else {
    EdgeList list = arguments.edges;
    graphs.push_back(load_graph(list));
    for (const std::string& file : arguments.relations) {
      list.file = file;
      graphs.push_back(load_graph(list));
    }
    if (arguments.without_roots)
      for (embed::Graph& graph : graphs) graph = without_roots(graph);
    unite_nodes(graphs);
    for (embed::Graph& graph : graphs) graph = transitive_closure(graph);
  }
  std::vector<ConeHierarchy> hierarchies;
  for (std::size_t i = 0; i < graphs.size(); ++i)
    hierarchies.push_back({names[i], std::move(graphs[i]), lights[i]});
  return hierarchies;
}

/// Returns the exit code.
int cones_command(Arguments& arguments) {
  ConeRuns& runs = arguments.runs;
  runs.of_basic = chosen(arguments, true);
  runs.training = chosen(arguments, false);
  runs.name = fs::path(arguments.edges.file).filename().string();
  runs.percents = {arguments.percent};
  if (arguments.all_splits) runs.percents = {0, 10, 25, 50, 90};
  if (runs.run.resume && runs.run.out.empty())
    throw DomainError("--resume needs -o DIR, the directory of the runs");
  if (run_cones(load_hierarchies(arguments), runs)) return 0;
  fmt::print("stopped by a signal; --resume goes on\n");
  return exit_interrupted;
}

void add_data_options(CLI::App& command, Arguments& arguments) {
  add_edge_list(command, "FILE", arguments.edges);
  CLI::Option* const without_roots =
      command.add_flag("--without-roots", arguments.without_roots,
                       "Leave out nodes that nothing is above: that all others are below them says "
                       "nothing");
  CLI::Option* const split_files = command.add_flag(
      "--split-files", arguments.split_files,
      "FILE is the beginning of the names of the files FILE.train_0percent, ... "
      "FILE.valid, FILE.test of Ganea et al. 2018 and Yu 2024, which have ancestor and "
      "descendant in a line");
  split_files->excludes(without_roots);
  CLI::Option* const percent =
      command.add_option("--percent", arguments.percent,
                         "Per cent of the edges that are not basic to train with all basic ones");
  command.add_flag("--all-splits", arguments.all_splits, "0, 10, 25, 50 and 90 per cent")
      ->excludes(percent);
  command
      .add_option("--held-out", arguments.runs.held_out,
                  "Per cent of these for validation, and as many for the test")
      ->excludes(split_files);
  command
      .add_option("--classes", arguments.runs.classes,
                  "Nodes, with commas: classify leaves by the nearest axis of these")
      ->delimiter(',');
}

void add_relation_options(CLI::App& command, Arguments& arguments) {
  CLI::Option* const relation =
      command
          .add_option("--relation", arguments.relations,
                      "The list of another relation among the same nodes, such as is-part-of, with "
                      "a light of its own; may be given again")
          ->type_name("FILE")
          ->allow_extra_args(false);
  CLI::Option* const light =
      command
          .add_option("--light", arguments.lights,
                      "Where the light of a relation is; give it once for each, FILE's first. "
                      "Half-space: up, or a point of the ground as numbers with commas, one less "
                      "than dimensions. Ball: middle, or a point. [up or middle; of several "
                      "relations up, then 1 along each axis of the ground, then its origin, then "
                      "-1; in the ball 1/2 and -1/2 of the radius along each axis]")
          ->type_name("PLACE")
          ->allow_extra_args(false);
  for (CLI::Option* const option : {relation, light})
    option->excludes(command.get_option("--split-files"))
        ->excludes(command.get_option("--classes"));
}

void add_cone_options(CLI::App& command, Arguments& arguments) {
  embed::ConeTrainingOptions& training = arguments.runs.training;
  command.add_option("--cone", training.cones.kind, "umbral, penumbral or entailment [umbral]")
      ->transform(one_of(embed::cone_kind_names));
  command.add_option("--model", training.cones.storage, "half-space or ball [half-space]")
      ->transform(one_of(ball_or_half_space));
  command.add_option("--dim", training.cones.dimensions, "Dimensions");
  command.add_option("--size", arguments.size,
                     "Radius of the balls around points (umbral); height (half-space) or radius of "
                     "the light (penumbral); constant of entailment cones [0.05; 20 or 0.1; 0.1]");
  command
      .add_option("--sizes", training.sizes,
                  "Sizes to choose from by validation, with commas [those of Yu 2024 and some "
                  "between]")
      ->delimiter(',');
}

constexpr TrainingTexts texts{
    .epochs = "Passes over the edges [400]",
    .batch = "Edges of a step [16]",
    .optimizer =
        "rsgd, Riemannian gradient descent, or radam, Riemannian Adam [rsgd; radam in a ball of "
        "two "
        "dimensions, and in the half-space where basic edges alone are trained]",
    .lr =
        "Learning rate of the mean loss of a batch, of both directions together [0.005; of Radam "
        "0.003; in the ball 0.05 and 0.01, 0.1 where basic edges alone are trained]",
    .lr_peak = "After the burn-in the rate rises to so many times what it was [1]",
    .eps = "Of Radam, added to the root of the second moment [1e-8]",
    .sharpness = "What distances from cones are multiplied by in the loss [1]",
    .burn_in =
        "Epochs at the beginning with a hundredth of the rate [20, a fifth of all at "
        "most]",
    .cool_down = "Epochs at the end in which a rate that has risen falls again [0]",
    .negatives = "Others of each edge and direction",
    .longest_step =
        "Longer steps are cut to it, in radii [none; descent in the ball "
        "0.01]"};

void add_loss_options(CLI::App& command, Arguments& arguments) {
  embed::ConeTrainingOptions& options = arguments.runs.training;
  command.add_option("--loss", options.loss, "shadow or max-margin [shadow]")
      ->transform(one_of(embed::cone_loss_names));
  command.add_option("--gamma-1", arguments.gamma_1,
                     "How far others are pushed out of cones [0.01; 0.001 where basic edges alone "
                     "are trained]");
  command.add_option("--gamma-2", options.gamma_2, "How deep descendants are drawn into cones");
  command.add_option("--gamma-3", options.gamma_3, "How far beyond the apex those above it are");
  command.add_flag("--fresh-negatives,!--kept-negatives", arguments.fresh_negatives,
                   "Draw others anew in every epoch, or keep the first ones for ever [fresh; kept "
                   "where basic edges alone are trained]");
  command
      .add_option("--from", arguments.runs.start,
                  "An embedding of the same nodes, of mct embed for example, where points begin")
      ->type_name("FILE");
  command.add_option("--check-every", options.check_every, "Epochs between validations");
}

void describe_cones(CLI::App& command, Arguments& arguments) {
  command.description(
      "Embed a hierarchy as cones (Yu 2024, section 2.2): the descendants of a node lie in its "
      "cone.\nTrains on all basic edges and some of those that follow from them, and predicts "
      "others of these. Several relations among the same nodes have a light each: the cones of "
      "one point in each light are its descendants by that relation.\n"
      "Exit code: 0 done, 2 bad usage, unusable input or a file that cannot be written, 130 "
      "stopped by ctrl-C (with -o: with checkpoints).");
  command.footer(
      "The points kept are the best of the validations, the size of the cones is then chosen by "
      "validation, too.\n\n"
      "Example:\n"
      "  mct cones data/wordnet_mammals.tsv --without-roots --dim 5 --all-splits --seeds 3 "
      "-o runs\n"
      "  mct cones kinds.tsv --relation parts.tsv --dim 5 -o both");
  add_data_options(command, arguments);
  add_relation_options(command, arguments);
  add_cone_options(command, arguments);
  add_training_options(command, arguments.training, texts);
  add_loss_options(command, arguments);
  command.add_option("--seeds", arguments.runs.seeds, "How many, 10000 at most");
  add_run_options(
      command, arguments.runs.run,
      "Write embeddings (PERCENT-SEED.safetensors), cones.jsonl and what --resume needs "
      "into this directory [none]");
}

const Command cones_entry("cones", describe_cones, cones_command);

}  // namespace
}  // namespace mct::cli::cones_command
