// What all ranks must have alike before they work together.
#pragma once

#include <map>
#include <string>

#include "mctensor/distributed/communicator.hpp"

namespace mct::distributed {

/// Names and values, as text.
using Settings = std::map<std::string, std::string>;

/// Collective. Compares the settings of all ranks. Throws DomainError, the same on all of them,
/// that names each setting that differs, its values, and a rank that has another one than rank 0.
void require_agreement(Communicator& ranks, const Settings& settings);

/// The library's version, the byte order and the sizes of number types here: what ranks need alike
/// to understand each other, to be put beside their own settings.
Settings library_settings();

}  // namespace mct::distributed
