// `mct train`: experiments with optimizers and arithmetics of parameters.
#include <CLI/CLI.hpp>

#include "src/cli/commands.hpp"
#include "src/cli/train/commands.hpp"

namespace mct::cli {

void add_train(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "train",
      "Train small models in many arithmetics and compare them (docs/experiments.md).\n"
      "Exit code: 0 done, 2 bad usage, unusable input or a file that cannot be written.");
  command->require_subcommand(1);
  train::add_regression(*command, exit_code);
  train::add_markov(*command, exit_code);
  train::add_gpt(*command, exit_code);
}

}  // namespace mct::cli
