// `mct train gpt`.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/device_option.hpp"
#include "apps/mct/embed/processes.hpp"
#include "apps/mct/quick.hpp"
#include "apps/mct/ranges.hpp"
#include "apps/mct/train/gpt_files.hpp"
#include "apps/mct/train/gpt_report.hpp"
#include "apps/mct/train/outputs.hpp"
#include "apps/mct/train/start_options.hpp"
#include "apps/mct/train/strategy_arm.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/distributed/agreement.hpp"
#include "mctensor/error.hpp"
#include "mctensor/linalg/bfloat16_units.hpp"
#include "mctensor/tensor/isa.hpp"
#include "output/progress.hpp"

namespace mct::cli::train::gpt_command {

namespace {

namespace fs = std::filesystem;
using Ranks = std::shared_ptr<distributed::Communicator>;

struct Arguments {
  GptOptions options;
  std::vector<std::string> strategies{"plain", "light", "plus", "master"};
  std::vector<double> beta2{0.999};
  fs::path text;
  fs::path out;
  std::string products = "bfloat16";
  std::string model = "float";
  std::string comparison = "dot-product";
  std::uint64_t seeds = 1;
  bool resume = false;
};

/// A model of 0.1 million parameters instead of 1, and fewer steps.
void make_quick(const Quick& quick, GptOptions& options) {
  quick.set("--context", options.shape.context, 32);
  quick.set("--width", options.shape.width, 64);
  quick.set("--heads", options.shape.heads, 2);
  quick.set("--layers", options.shape.layers, 2);
  quick.set("--steps", options.steps, 300);
  quick.set("--warmup", options.warmup, 30);
}

void check(const Arguments& arguments) {
  const GptOptions& options = arguments.options;
  if (options.shape.width % options.shape.heads != 0)
    throw DomainError(fmt::format("--heads {} does not divide the width {}", options.shape.heads,
                                  options.shape.width));
  if (arguments.resume && arguments.out.empty())
    throw DomainError("--resume needs --out DIR, the directory of the run");
  std::set<std::string> names;
  for (const double beta2 : arguments.beta2)
    if (const std::string name = fmt::format("{:g}", beta2); !names.insert(name).second)
      throw DomainError(
          fmt::format("--beta2: two values have the name {}, which has 6 digits", name));
}

/// Trains every strategy with every beta2 and seed. The loop over seeds is outermost, so that the
/// finished part of a long run always has whole comparisons.
std::vector<GptComparison> train_all(const Corpus& corpus, const std::vector<StrategyArm>& arms,
                                     const Arguments& arguments, const Ranks& ranks) {
  std::vector<GptComparison> runs;
  GptOptions options = arguments.options;
  for (std::uint64_t i = 0; i < arguments.seeds; ++i, ++options.seed)
    for (const double beta2 : arguments.beta2)
      for (const auto& arm : arms) {
        options.beta2 = beta2;
        const auto total = std::uint64_t(options.steps);
        const std::string name = fmt::format("{}-{:g}", arm.name, beta2);
        const std::string seed = fmt::format("seed-{}", options.seed);
        fs::path place;
        if (!arguments.out.empty())
          place = arguments.seeds > 1 ? arguments.out / seed / name : arguments.out / name;
        output::ProgressBar bar(arguments.seeds > 1 ? fmt::format("{} {}", name, seed) : name,
                                total, "steps");
        runs.push_back(
            {arm, beta2, options.seed,
             train_gpt(
                 corpus, arm, options, place, arguments.resume,
                 [&](std::int64_t done) { bar.update(std::uint64_t(done), total); }, ranks)});
      }
  return runs;
}

std::string seeds_text(const Arguments& arguments) {
  const std::uint64_t first = arguments.options.seed;
  return arguments.seeds == 1
             ? fmt::format("seed {}", first)
             : fmt::format("means over the seeds {} to {}", first, first + arguments.seeds - 1);
}

/// Checks what must be the same in all processes, by the names of run.json and of options.
void check_alike(const Ranks& ranks, const Corpus& corpus, const std::vector<StrategyArm>& arms,
                 const Arguments& arguments) {
  distributed::Settings settings = distributed::library_settings();
  settings["instruction set (MCT_ISA)"] = mct::to_string(active_isa());
  const auto description = describe_run(corpus, arms.front(), arguments.options);
  for (const auto& [name, value] : description.items()) settings[name] = value.dump();
  std::string names;
  for (const auto& arm : arms) names += " " + arm.name;
  settings["strategies"] = names;
  std::string betas;
  for (const double beta2 : arguments.beta2) betas += fmt::format(" {}", beta2);
  settings["values of beta2"] = betas;
  settings["seeds"] = std::to_string(arguments.seeds);
  settings["resume"] = arguments.resume ? "given" : "not given";
  settings["out"] = arguments.out.string();
  distributed::require_agreement(*ranks, settings);
}

/// Without --micro-batch, runs of mpirun use micro-batches of 1, for any number of processes.
void choose_micro_batch(const CLI::App& command, GptOptions& options, const Ranks& ranks) {
  const bool is_given = command.count("--micro-batch") > 0;
  if (!is_given && is_started_by_mpirun()) options.micro_batch = 1;
  if (options.micro_batch > options.batch)
    throw DomainError(fmt::format("--micro-batch {} is larger than the batch of {} sequences",
                                  options.micro_batch, options.batch));
  if (ranks) options.processes = ranks->size();
}

void train(const CLI::App& command, Arguments& arguments, const Ranks& ranks) {
  GptOptions& options = arguments.options;
  make_quick(Quick(command), options);
  options.warmup = std::min(options.warmup, options.steps / 10);
  options.shape.bfloat16_products = arguments.products == "bfloat16";
  options.bfloat16_model = arguments.model == "bfloat16";
  options.shape.comparison = attention::comparison_from(arguments.comparison);
  if (options.bfloat16_units && use_bfloat16_unit(Bfloat16Unit::vector) == Bfloat16Unit::none)
    throw DomainError("--bfloat16-units: this processor, or the instruction set in use, has none");
  check(arguments);
  choose_micro_batch(command, options, ranks);
  const auto arms = strategy_arms(arguments.strategies);
  const Corpus corpus = load_corpus(arguments.text, options.shape.context);
  if (ranks) check_alike(ranks, corpus, arms, arguments);
  const bool writes = !arguments.out.empty() && (!ranks || ranks->rank() == 0);
  if (writes) {
    prepare_directory(arguments.out);
    for (const auto& name : comparison_files({arguments.beta2.begin(), arguments.beta2.end()}))
      remove_abandoned_files(arguments.out / name);
  }

  const auto runs = train_all(corpus, arms, arguments, ranks);
  fmt::print(
      "{} parameters, {} attention, {} steps of {} x {} characters of {} ({} different), "
      "{}\n\n{}{}",
      runs[0].result.parameters, arguments.comparison, options.steps, options.batch,
      options.shape.context, corpus.source, corpus.vocabulary, seeds_text(arguments),
      format_comparison(runs), format_bytes(runs));
  fmt::print("{}", format_warnings(runs));
  if (writes) write_comparison(arguments.out, runs);
}

void run(const CLI::App& command, Arguments& arguments) {
  run_together("mct train gpt", [&](const Ranks& ranks) { train(command, arguments, ranks); });
}

void add_model_options(CLI::App& command, GptOptions& options) {
  const auto number = [&](const char* name, std::int64_t& value, const char* help) {
    command.add_option(name, value, help)->check(CLI::Range(1, 1'000'000'000));
  };
  number("--steps", options.steps, "Steps of each run");
  number("--warmup", options.warmup, "Steps of warm-up, a tenth of all at most");
  number("--batch", options.batch, "Sequences of a step");
  number("--context", options.shape.context, "Characters of a sequence");
  number("--width", options.shape.width, "Width of the model");
  number("--heads", options.shape.heads, "Heads of attention");
  number("--layers", options.shape.layers, "Blocks");
  command.add_option("--lr", options.lr, "Highest learning rate")->check(not_negative());
  command.add_option("--weight-decay", options.weight_decay, "Weight decay")->check(not_negative());
  command.add_option("--seed", options.seed, "Seed of weights, data order, stochastic rounding");
}

void add_shared_options(CLI::App& command, GptOptions& options) {
  command
      .add_option("--micro-batch", options.micro_batch,
                  "The gradient of a step is the exact sum of those of parts of so many sequences, "
                  "the same for any number of processes of mpirun [under mpirun 1, else the batch "
                  "at once]")
      ->check(CLI::Range(1, 1'000'000'000));
  command.add_flag("--compress-gradients", options.compressed_gradients,
                   "Of micro-batches: send gradients as two bfloat16 with error feedback, half of "
                   "the bytes; results depend on the number of processes");
}

void describe_gpt(CLI::App& command, Arguments& arguments) {
  command.description(
      "A character-level GPT of about a million bfloat16 parameters, trained with AdamW in each\n"
      "precision strategy: perplexity, lost updates, effective descent quality (EDQ).");
  add_strategy_options(command, arguments.strategies, arguments.beta2);
  command
      .add_option("--seeds", arguments.seeds,
                  "Runs of each strategy, with this many seeds from --seed on: the table has mean "
                  "differences to master with their standard errors")
      ->check(CLI::Range(1, 1000));
  command
      .add_option("--products", arguments.products,
                  "Type of factors and results of matrix products, whose sums are in float")
      ->check(CLI::IsMember({"bfloat16", "float"}));
  command
      .add_option("--model", arguments.model,
                  "Type that the model computes in; the variables of a bfloat16 model are the "
                  "weights themselves")
      ->check(CLI::IsMember({"bfloat16", "float"}));
  command.add_option("--attention", arguments.comparison,
                     "How queries and keys are compared: " + attention::comparison_names.list() +
                         "; but for the dot product in float, its products too");
  add_start_options(command, arguments.options.shape.start);
  command.add_flag("--bfloat16-units", arguments.options.bfloat16_units,
                   "Products of bfloat16 by the processor's units for them (AVX512-BF16): about "
                   "twice as fast, numbers below 2^-126 count as zero");
  command.add_flag("--release", arguments.options.release,
                   "Update parameters in the backward pass and free their gradients: no clipping");
  command.add_option("--text", arguments.text,
                     "A text file; a tenth of it is for validation [the licences in "
                     "/usr/share/common-licenses]");
  command.add_option("--out", arguments.out,
                     "Write metrics, checkpoints, weights and plots into this directory [none]");
  command.add_flag("--resume", arguments.resume,
                   "Continue the runs that --out holds: the weights will be those of runs that "
                   "were never stopped");
  add_quick(command, "A model of 0.1 million parameters, context 32, 300 steps");
  add_model_options(command, arguments.options);
  add_shared_options(command, arguments.options);
  add_device_option(command, models_are_on_the_cpu);
}

const Command command("train gpt", describe_gpt, run);

}  // namespace
}  // namespace mct::cli::train::gpt_command
