// The suite's results as JSON.
#pragma once

#include <filesystem>
#include <string>

#include "validation/results.hpp"

namespace mct::validation {

/// Everything in `results`; doubles with the digits that restore them exactly, and "inf", "-inf",
/// "nan" as strings. Derived values (mean errors, verdicts) are added for readers of the file.
std::string to_json(const Results& results);

/// to_json into a file, as a whole or not at all. Throws IoError.
void write_json(const Results& results, const std::filesystem::path& path);

}  // namespace mct::validation
