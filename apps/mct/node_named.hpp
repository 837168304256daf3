// Nodes as users name them.
#pragma once

#include <cstdint>
#include <string>

#include "mctensor/embed/embedding.hpp"

namespace mct::cli {

/// The number of a node: that of the name, or of the only one that goes on behind it with a point
/// ("dog" for "dog.n.01"). Throws DomainError with the names that are spelled most like it.
std::int32_t node_named(const embed::Embedding& embedding, const std::string& name);

}  // namespace mct::cli
