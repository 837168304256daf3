// Nodes as users name them.
#pragma once

#include <cstdint>
#include <string>

#include "mctensor/embed/embedding.hpp"

namespace mct::cli {

/// The number of the node with this name, or of the only node whose name continues after it with a
/// point ("dog" for "dog.n.01"). Throws DomainError with the most similar names.
std::int32_t node_named(const embed::Embedding& embedding, const std::string& name);

}  // namespace mct::cli
