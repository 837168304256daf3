// `mct features`: what features cost and lose.
#include <CLI/App.hpp>

#include "apps/mct/command.hpp"

namespace mct::cli::features_command {
namespace {

void add_features(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand(
      "features",
      "Measure features of positions and points: how exact they are in narrow numbers, how fast\n"
      "they approach their kernel. Exit code: 0 done, 2 bad usage or a file that cannot be "
      "written.");
  command->require_subcommand(1);
}

const Command command("features", add_features);

}  // namespace
}  // namespace mct::cli::features_command
