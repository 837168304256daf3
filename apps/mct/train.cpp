// `mct train`: experiments with optimizers and arithmetics of parameters.
#include <CLI/App.hpp>

#include "apps/mct/command.hpp"
#include "apps/mct/device_option.hpp"

namespace mct::cli::train_command {
namespace {

void add_train(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand(
      "train",
      "Train small models in many arithmetics and compare them (docs/experiments.md).\n"
      "Exit code: 0 done, 2 bad usage, unusable input or a file that cannot be written.");
  command->require_subcommand(1);
  add_device_option(*command, models_are_on_the_cpu);
}

const Command command("train", add_train);

}  // namespace
}  // namespace mct::cli::train_command
