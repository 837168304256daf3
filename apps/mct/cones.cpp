// `mct cones`: hierarchies as shadow and entailment cones.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <filesystem>
#include <optional>

#include "apps/mct/command.hpp"
#include "apps/mct/cone_runs.hpp"
#include "apps/mct/edge_list.hpp"
#include "apps/mct/embed/interrupt.hpp"
#include "apps/mct/one_of.hpp"
#include "mctensor/embed/usual_options.hpp"
#include "mctensor/error.hpp"

namespace mct::cli::cones_command {
namespace {

namespace fs = std::filesystem;
using embed::Model;

struct Arguments {
  EdgeList edges;
  bool without_roots = false;
  bool all_splits = false;
  double percent = 50;
  std::optional<double> size, gamma_1, lr, clip;  // those of the kind and the model
  ConeRuns runs;
};

constexpr Names<Model, 2> cone_model_names{
    {{Model::half_space, "half-space"}, {Model::poincare, "ball"}}};

/// What nobody has said.
void choose_settings(Arguments& arguments) {
  embed::ConeTrainingOptions& training = arguments.runs.training;
  const auto usual = embed::usual_options(training.cones, arguments.size);
  training.cones = usual.cones;
  training.gamma_1 = arguments.gamma_1.value_or(usual.gamma_1);
  training.lr = arguments.lr.value_or(usual.lr);
  training.clip = arguments.clip.value_or(usual.clip);
  if (training.sizes.empty()) training.sizes = usual.sizes;
}

/// Returns the exit code.
int cones_command(Arguments& arguments) {
  choose_settings(arguments);
  ConeRuns& runs = arguments.runs;
  runs.name = fs::path(arguments.edges.file).filename().string();
  runs.percents = {arguments.percent};
  if (arguments.all_splits) runs.percents = {0, 10, 25, 50, 90};
  if (runs.resume && runs.out.empty())
    throw DomainError("--resume goes on with the runs in a directory: -o DIR says which");
  const embed::Graph graph = load_graph(arguments.edges);
  if (run_cones(arguments.without_roots ? without_roots(graph) : graph, runs)) return 0;
  fmt::print("stopped by a signal; --resume goes on\n");
  return exit_interrupted;
}

void add_data_options(CLI::App& command, Arguments& arguments) {
  add_edge_list(command, "FILE", arguments.edges);
  command.add_flag("--without-roots", arguments.without_roots,
                   "Leave out nodes that nothing is above: that all others are below them says "
                   "nothing");
  CLI::Option* const percent =
      command.add_option("--percent", arguments.percent,
                         "Per cent of the edges that are not basic to train with all basic ones");
  command.add_flag("--all-splits", arguments.all_splits, "0, 10, 25, 50 and 90 per cent")
      ->excludes(percent);
  command.add_option("--held-out", arguments.runs.held_out,
                     "Per cent of these for validation, and as many for the test");
  command
      .add_option("--classes", arguments.runs.classes,
                  "Nodes, with commas: classify leaves by the nearest axis of these")
      ->delimiter(',');
}

void add_cone_options(CLI::App& command, Arguments& arguments) {
  embed::ConeTrainingOptions& training = arguments.runs.training;
  command.add_option("--cone", training.cones.kind, "umbral, penumbral or entailment [umbral]")
      ->transform(one_of(embed::cone_kind_names));
  command.add_option("--model", training.cones.model, "half-space or ball [half-space]")
      ->transform(one_of(cone_model_names));
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

void add_training_options(CLI::App& command, Arguments& arguments) {
  embed::ConeTrainingOptions& training = arguments.runs.training;
  command.add_option("--gamma-1", arguments.gamma_1,
                     "How far others are pushed out of cones [0.001; penumbral 0.0001]");
  command.add_option("--loss", training.loss, "shadow or max-margin [shadow]")
      ->transform(one_of(embed::cone_loss_names));
  command.add_option("--epochs", training.epochs, "Epochs");
  command.add_option("--batch", training.batch, "Edges of a step");
  command.add_option("--lr", arguments.lr, "Learning rate [0.01; ball 0.1]");
  command.add_option("--burn-in", training.burn_in_epochs, "First epochs, with a smaller rate");
  command.add_option("--burn-in-factor", training.burn_in_factor, "By this factor");
  command.add_option("--negatives", training.negatives, "Others of each edge and direction");
  command.add_option("--gamma-2", training.gamma_2, "How deep descendants are drawn into cones");
  command.add_option("--gamma-3", training.gamma_3, "How far beyond the apex those above it are");
  command.add_option("--clip", arguments.clip,
                     "Longest gradient of a node in a step [none; ball 0.1]");
  command.add_option("--start", training.start, "How far from the origin points begin");
  command.add_option("--check-every", training.check_every, "Epochs between validations");
  command.add_option("--seed", training.seed, "The first seed");
}

void add_output_options(CLI::App& command, ConeRuns& runs) {
  command
      .add_option(
          "-o,--out", runs.out,
          "Write embeddings (PERCENT-SEED.safetensors), cones.jsonl and what --resume needs "
          "into this directory [none]")
      ->type_name("DIR");
  command.add_flag("--resume", runs.resume,
                   "Go on with the runs in --out: the results have the same bits as without the "
                   "stop");
  command
      .add_option("--checkpoint-every", runs.checkpoint_every,
                  "Seconds between two checkpoints of a run")
      ->check(CLI::NonNegativeNumber);
}

void describe_cones(CLI::App& command, Arguments& arguments) {
  command.description(
      "Embed a hierarchy as cones (Yu 2024, section 2.2): the descendants of a node lie in its "
      "cone.\nTrains on all basic edges and some of those that follow from them, and predicts "
      "others of these.\n"
      "Exit code: 0 done, 2 bad usage, unusable input or a file that cannot be written, 130 "
      "stopped by ctrl-C (with -o: with checkpoints).");
  command.footer(
      "The points kept are the best of the validations, the size of the cones is then chosen by "
      "validation, too.\n\n"
      "Example:\n"
      "  mct cones data/wordnet_mammals.tsv --without-roots --dim 5 --all-splits --seeds 3 "
      "-o runs");
  add_data_options(command, arguments);
  add_cone_options(command, arguments);
  add_training_options(command, arguments);
  command.add_option("--seeds", arguments.runs.seeds, "How many, 10000 at most");
  add_output_options(command, arguments.runs);
}

const Command cones_entry("cones", describe_cones, cones_command);

}  // namespace
}  // namespace mct::cli::cones_command
