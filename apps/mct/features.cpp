// `mct features`: the costs and errors of features.
#include <CLI/App.hpp>

#include "apps/mct/command.hpp"

namespace mct::cli::features_command {
namespace {

void describe_features(CLI::App& command) {
  command.description(
      "Measure features of positions and points: how exact they are in narrow numbers, how fast\n"
      "they approach their kernel. Exit code: 0 done, 2 bad usage or a file that cannot be "
      "written.");
}

const Command command("features", describe_features);

}  // namespace
}  // namespace mct::cli::features_command
