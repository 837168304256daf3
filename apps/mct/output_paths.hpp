// Checks of the files that commands are given, before the work.
#pragma once

#include <string>
#include <vector>

namespace mct::cli {

/// Throws DomainError if two of these paths name one file, even if it does not exist yet: outputs
/// must not replace one another or an input. Empty paths do not count.
void check_different(const std::vector<std::string>& paths);

}  // namespace mct::cli
