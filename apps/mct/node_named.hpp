// Nodes as users name them.
#pragma once

#include <cstdint>
#include <string>

#include "mctensor/embed/embedding.hpp"

namespace mct::cli {

/// The number of a node. Throws DomainError with the names that are spelled most like it.
std::int32_t node_named(const embed::Embedding& embedding, const std::string& name);

}  // namespace mct::cli
