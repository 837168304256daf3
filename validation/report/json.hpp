// The suite's results as JSON, and back.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "validation/results.hpp"

namespace mct::validation {

/// Everything in `results`; doubles with the digits that restore them exactly, and "inf", "-inf",
/// "nan" as strings. Derived values (mean errors, verdicts) are added for readers of the file.
std::string to_json(const Results& results);

/// The inverse of to_json. Throws IoError with `source` (the name of the file) and the problem:
/// the place of a syntax error, or the field that is missing or has the wrong type.
Results from_json(std::string_view text, const std::string& source);

/// to_json into a file, as a whole or not at all. Throws IoError.
void write_json(const Results& results, const std::filesystem::path& path);

/// from_json of a file. Throws IoError.
Results read_json(const std::filesystem::path& path);

}  // namespace mct::validation
