// Settings that must agree on all ranks before they work together.
#pragma once

#include <map>
#include <string>

#include "mctensor/distributed/communicator.hpp"

namespace mct::distributed {

/// Names and values, as text.
using Settings = std::map<std::string, std::string>;

/// Compares the settings of all ranks; every rank must call it. If they differ, throws the same
/// DomainError on all ranks. Its message names each setting that differs, its values, and a rank
/// whose value differs from the value of rank 0.
void require_agreement(Communicator& ranks, const Settings& settings);

/// The library's version, the byte order and the sizes of number types on this rank. They must
/// agree so that ranks understand each other. Add them to your own settings.
Settings library_settings();

}  // namespace mct::distributed
