// The version of this program.
#pragma once

#include <string>

namespace mct::cli {

std::string version_text();

}  // namespace mct::cli
