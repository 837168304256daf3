// Trees from files, whose faults are named with the file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/graph/tree.hpp"

namespace mct::embed {

/// Tree::from_parents with an IoError that names the file, which stands in quotes already.
inline Tree checked_tree(const std::string& file,
                         const std::vector<std::pair<std::string, std::string>>& nodes) {
  try {
    return Tree::from_parents(nodes);
  } catch (const DomainError& error) {
    throw IoError(file + ": the edges are not a tree: " + error.what());
  }
}

}  // namespace mct::embed
