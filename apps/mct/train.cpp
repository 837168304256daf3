// `mct train`: experiments with optimizers and with arithmetics of parameters.
#include <CLI/App.hpp>

#include "apps/mct/command.hpp"
#include "apps/mct/device_option.hpp"

namespace mct::cli::train_command {
namespace {

void describe_train(CLI::App& command) {
  command.description(
      "Train small models in many arithmetics and compare them (docs/experiments.md).\n"
      "Exit code: 0 done, 2 bad usage, unusable input or a file that cannot be written.");
  add_device_option(command, models_are_on_the_cpu);
}

const Command command("train", describe_train);

}  // namespace
}  // namespace mct::cli::train_command
