// `mct embed`.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

#include "apps/mct/command.hpp"
#include "apps/mct/device_option.hpp"
#include "apps/mct/edge_list.hpp"
#include "apps/mct/embed/interrupt.hpp"
#include "apps/mct/embed/processes.hpp"
#include "apps/mct/embed/results.hpp"
#include "apps/mct/embed/run.hpp"
#include "apps/mct/embed/settings.hpp"
#include "apps/mct/ranges.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/device/devices.hpp"
#include "mctensor/embed/device_train.hpp"
#include "mctensor/embed/tune.hpp"
#include "mctensor/embed/usual_options.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/threads.hpp"
#include "output/number_text.hpp"
#include "output/parse_json.hpp"
#include "output/progress.hpp"

namespace mct::cli::embed_command {
namespace {

using embed::Graph;
using embed::TrainOptions;

struct Arguments {
  EdgeList edges;
  EmbedSettings settings;
  std::string config;
  int threads = 0;
  ComputeDevice device = ComputeDevice::cpu;
};

/// A value of a configuration as it is written on the command line.
std::string text_of(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Takes the values of options that the command line does not give from a file such as run.json.
/// Throws IoError for any other file.
void read_config(const CLI::App& command, const std::string& path) {
  const auto config = output::parse_json(InputFile(path).content(), path);
  if (!config.is_object()) throw IoError(path + ": no configuration, which is a JSON object");
  for (const auto& [key, value] : config.items()) {
    const CLI::Option* found = command.get_option_no_throw("--" + key);
    if (found == nullptr || key == "config" || key == "out" || value.is_structured())
      throw IoError(fmt::format("{}: there is no setting '{}' of {}", path, key, value.dump()));
    if (found->count() > 0) continue;
    auto* option = const_cast<CLI::Option*>(found);
    try {
      option->add_result(text_of(value));
      option->run_callback();
    } catch (const CLI::ParseError& error) {
      throw IoError(fmt::format("{}: {}", path, error.what()));
    }
  }
}

/// Throws DomainError with the name of the option if only the CPU can compute it.
void check_device(const EmbedSettings& settings, const distributed::Communicator* ranks) {
  if (ranks != nullptr)
    throw DomainError(fmt::format(
        "--device cuda: one process trains on a GPU, but {} were started together", ranks->size()));
  TrainOptions options;
  options.space = space_of(settings);
  options.dtype = embed::dtype_from(settings.dtype);
  options.negatives = settings.negatives;
  options.radius_lr = settings.radius_lr;
  try {
    cuda::check_device_training(options);
  } catch (const DomainError& error) {
    throw DomainError(fmt::format("--device cuda: {}", error.what()));
  }
}

embed::Trainer make_trainer(std::shared_ptr<const Graph> graph, const TrainOptions& options,
                            ComputeDevice device,
                            const std::shared_ptr<distributed::Communicator>& ranks) {
  if (device == ComputeDevice::cuda) return cuda::device_trainer(std::move(graph), options);
  return {std::move(graph), options, ranks};
}

void print_choice(const Graph& graph, const TrainOptions& options, ComputeDevice device) {
  using output::count_text;
  fmt::print("{} nodes, {} edges\n", count_text(graph.node_count()),
             count_text(graph.edge_count()));
  fmt::print("space     {}{}\n", options.space.text(),
             options.dtype == embed::Dtype::float64 ? "" : ", in float32");
  if (device == ComputeDevice::cuda) fmt::print("device    {}\n", cuda::devices().front().name);
  fmt::print(
      "training  {} epochs, batches of {} edges with {} negatives, {}, learning rate {:.4g} "
      "({:g} times that for {} epochs{}), sharpness {:.4g}, seed {}\n",
      options.epochs, options.batch, options.negatives, name_of(options.optimizer), options.lr,
      options.burn_in_factor, options.burn_in,
      options.lr_peak > 1 ? fmt::format(", rising to {:.4g}, falling in the last {}",
                                        options.lr * options.lr_peak, options.cool_down)
                          : std::string(),
      options.sharpness, options.seed);
}

/// The settings after a comparison on held-out edges, if it was asked for and there is something
/// left to choose: a run that is resumed has its rate and its sharpness. Prints what was tried.
TrainOptions tuned(const std::shared_ptr<const Graph>& graph, const TrainOptions& options,
                   const Arguments& arguments, const distributed::Communicator* ranks) {
  const EmbedSettings& settings = arguments.settings;
  embed::TuneOptions how;
  how.seconds = settings.tune;
  how.sharpness = !settings.sharpness;
  how.rate = !settings.lr;
  if (settings.tune == 0 || (settings.run.resume && !how.sharpness && !how.rate)) return options;
  if (ranks != nullptr)
    throw DomainError(
        fmt::format("--tune: one process compares settings, but {} were started "
                    "together; give --lr and --sharpness",
                    ranks->size()));
  const auto total = std::uint64_t(1000 * how.seconds);
  output::ProgressBar bar("tune", total, "ms");
  how.progress = [&](double seconds) { bar.update(std::uint64_t(1000 * seconds), total); };
  const embed::TuneReport report = embed::tune(graph, options, how);
  bar.finish();
  fmt::print("tuned     on {} held-out edges, {} rounds in about {:g} s, by their MAP:\n",
             output::count_text(report.held_out), report.rounds, how.seconds);
  for (const embed::TuneTrial& trial : report.trials)
    fmt::print("          sharpness {:g}, learning rate {:g}: {}\n", trial.sharpness, trial.lr,
               trial.epochs == 0 ? std::string("no time")
                                 : fmt::format("{:.4f} after {} epochs",
                                               trial.mean_average_precision, trial.epochs));
  return report.options;
}

/// Waits until all processes have called it.
void wait_for_all(distributed::Communicator* ranks) {
  constexpr char here = 0;
  if (ranks != nullptr) ranks->all_gather(std::span<const char>(&here, 1));
}

/// Returns the exit code.
int train(const CLI::App& command, Arguments& arguments,
          const std::shared_ptr<distributed::Communicator>& ranks) {
  if (!arguments.config.empty()) read_config(command, arguments.config);
  if (arguments.threads > 0) set_num_threads(arguments.threads);
  EmbedSettings& settings = arguments.settings;
  // before a long list is read
  static_cast<void>(embed::storage_from(settings.model));
  static_cast<void>(optimizer_of(settings));
  static_cast<void>(embed::dtype_from(settings.dtype));
  if (arguments.device == ComputeDevice::cuda) check_device(settings, ranks.get());
  EmbedFiles files(settings.run.out);
  if (settings.run.resume) files.complete(settings);
  const auto graph =
      std::make_shared<const Graph>(graph_to_embed(settings, load_graph(arguments.edges)));
  const TrainOptions options =
      tuned(graph, train_options(settings, *graph), arguments, ranks.get());
  embed::Trainer trainer = make_trainer(graph, options, arguments.device, ranks);
  const bool first = is_first(ranks.get());
  const nlohmann::ordered_json description = json_of(settings, options);
  if (first) files.open(description, settings.run.resume);
  wait_for_all(ranks.get());
  if (settings.run.resume) files.read();
  if (files.load(0, trainer)) fmt::print("resumed after epoch {}\n", trainer.epochs());
  if (first) files.describe(description);
  print_choice(*graph, options, arguments.device);
  std::fflush(stdout);
  const RunResult result = run_training(trainer, settings, files, ranks.get());
  if (result.end == RunEnd::interrupted) {
    fmt::print("stopped after epoch {} by a signal; --resume goes on\n", trainer.epochs());
    return exit_interrupted;
  }
  if (first) write_results(trainer, files, result, settings.objects);
  return 0;
}

int run(const CLI::App& command, Arguments& arguments) {
  int exit_code = 0;
  run_together("mct embed",
               [&](const auto& ranks) { exit_code = train(command, arguments, ranks); });
  return exit_code;
}

void add_space_options(CLI::App& command, EmbedSettings& settings) {
  command.add_option(
      "--model", settings.model,
      "ball, lorentz, half-space, xmc-half-space, mc-half-space, l-tiling or h-tiling");
  command.add_option("--dim", settings.dimensions, "Dimensions; pictures are drawn of two")
      ->check(CLI::Range(2, 512));
  command
      .add_option(
          "--components", settings.components,
          "Components of every number, 1 to 3 [2 in the multi-component half-spaces, else 1]")
      ->check(CLI::Range(1, 3));
  command.add_option(
      "--dtype", settings.dtype,
      "float64, or float32: training computes in it, and the points are such numbers");
  command
      .add_option("--factors", settings.factors,
                  "Spaces of these dimensions, whose product the points lie in")
      ->check(CLI::Range(1, 64));
}

constexpr TrainingTexts texts{
    .epochs =
        "Passes over the edges, at most [400 for up to 400,000 edges, fewer for more, 100 "
        "at least; 1000 instead of 400 with Radam, and where the table below has no rising rate]",
    .batch = "Edges of a step [32 for up to 20,000 edges, 128 up to 200,000, else 512]",
    .optimizer = "rsgd, Riemannian gradient descent, or radam, Riemannian Adam [rsgd]",
    .lr =
        "Learning rate of the mean loss of a batch [by size and dimensions, see below; of Radam "
        "0.1]",
    .lr_peak =
        "After the burn-in the rate rises to so many times what it was [by size and dimensions, "
        "see "
        "below; of a rate that is given, and of Radam, 1]",
    .eps = "Of Radam, added to the root of the second moment [1 / batch]",
    .sharpness =
        "t of the loss -log softmax(-t distance) of the target [by size and dimensions, "
        "see below; of Radam 0.3]",
    .burn_in =
        "Epochs at the beginning with a hundredth of the rate, and negatives by their "
        "number of edges [20, a fifth of all at most]",
    .cool_down = "Epochs at the end in which a rate that has risen falls again [a fifth]",
    .negatives = "Negatives of an edge",
    .longest_step = "Longer steps are cut to it, in radii [1]"};

void add_search_options(CLI::App& command, EmbedSettings& settings) {
  command
      .add_option("--tune", settings.tune,
                  "For about so many seconds, compare sharpness and rate (those that are not "
                  "given), trained without some of the edges, by the ranks of these, and take the "
                  "best; on the CPU. 0: not")
      ->check(between(0.0, 1e7))
      ->type_name("SECONDS");
  command
      .add_option(
          "--patience", settings.patience,
          "Stop when the loss got no better for so many epochs; 0: never [50; of a rate that rises "
          "0]")
      ->check(not_negative());
}

void add_work_options(CLI::App& command, Arguments& arguments) {
  command
      .add_option("--config", arguments.config,
                  "Settings as JSON, such as the run.json of another run; the command line goes "
                  "before it")
      ->type_name("FILE");
  command.add_flag("--as-given", arguments.settings.as_given,
                   "Embed the edges of the list alone, neither their closure nor both directions");
  command
      .add_option("--evaluate-every", arguments.settings.evaluate_every,
                  "Log MAP and mean rank of 1000 nodes every so many epochs; 0: at the end alone")
      ->check(not_negative());
  command
      .add_option("--objects", arguments.settings.objects,
                  "Rank so many nodes at the end, drawn from those with an edge, among all; 0: all "
                  "[all of up to 100,000 nodes, 10,000 of more]")
      ->check(CLI::Range(std::size_t(0), std::size_t(1) << 31));
  command
      .add_option("--threads", arguments.threads,
                  "Threads; the result does not depend on their number [all]")
      ->check(CLI::Range(1, max_num_threads()));
}

/// Cones need another training with other options; the hint names that command.
void add_cone_hint(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--cone",
          [](const std::string& kind) {
            throw DomainError(fmt::format(
                "it embeds nodes near those that they have edges to. As cones: mct cones EDGES "
                "--cone {} -o DIR",
                kind));
          },
          "Cones are what mct cones trains")
      ->type_name("KIND")
      ->trigger_on_parse();
}

/// Indents each line by two columns.
std::string indented(const std::string& lines) {
  std::string text;
  bool begins = true;
  for (const char c : lines) {
    if (begins) text += "  ";
    text += c;
    begins = c == '\n';
  }
  return text;
}

void describe_embed(CLI::App& command, Arguments& arguments) {
  command.description(
      "Embed a hierarchy in hyperbolic space: every node becomes a point, near to those that it "
      "has an edge to.\nA list of parents is enough: what is above them follows.\nExit code: 0 "
      "done, 2 bad usage, unusable input or a file that cannot be written, 130 stopped by ctrl-C "
      "(with a checkpoint).");
  command.footer(
      "Without options a graph gets a sharpness, a rate, batches and epochs that suit its size and "
      "the dimensions,\nand the run says which:\n" +
      indented(embed::usual_descents_text()) +
      "A rate that rises falls back in the last fifth of the epochs; one that is given stays.\n"
      "--tune asks the graph itself. A list that is no hierarchy (mct data stats says so) is "
      "embedded as it is, in both\ndirections.\n\nA run leaves points (safetensors, NumPy, word "
      "vectors), a picture and a page of "
      "two dimensions, metrics,\na log and a checkpoint in --out.\n\n"
      "Examples:\n"
      "  mct embed taxonomy.csv -o out\n"
      "  mct embed nouns.tsv.gz --dim 10 -o nouns\n"
      "  mct embed edges.tsv --model ball --lr 0.3 --epochs 300 -o ball\n"
      "  mct embed edges.tsv --config out/run.json --seed 2 -o second\n"
      "  mct embed links.csv --dim 5 --tune 60 -o links\n"
      "  mct embed nouns.tsv.gz --device cuda -o nouns");
  add_edge_list(command, "EDGES", arguments.edges);
  add_run_options(command, arguments.settings.run, "The directory of the run",
                  ". With --epochs, for more of them")
      ->required();
  add_work_options(command, arguments);
  add_space_options(command, arguments.settings);
  add_training_options(command, arguments.settings, texts);
  add_search_options(command, arguments.settings);
  add_cone_hint(command);
  add_device_option(command, arguments.device);
}

const Command entry("embed", describe_embed, run);

}  // namespace
}  // namespace mct::cli::embed_command
