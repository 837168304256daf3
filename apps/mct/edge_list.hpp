// Edge lists on the command line.
#pragma once

#include <string>

#include "mctensor/embed/graph.hpp"
#include "mctensor/embed/read_graph.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace mct::cli {

/// An edge list that is read, and how.
struct Input {
  std::string file;
  embed::EdgeListOptions options;
};

/// Adds the list, as the argument "FILE" or an option such as "--edges", and what says how it is
/// read. Returns the former.
CLI::Option* add_input(CLI::App& command, Input& input, const std::string& name = "FILE");

/// Reads the list, and says what was found in it.
embed::Graph load(const Input& input);

}  // namespace mct::cli
