// JSON from files that somebody else may have written.
#pragma once

#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace mct::output {

/// Levels of arrays and objects in a document: what works on a document calls itself for each.
constexpr int deepest_json = 64;

/// Throws IoError, with `source` and the place, for text that is not JSON or is nested deeper than
/// deepest_json.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& source);

/// What the parser's exception says, "parse error at line 1 ...", without the number that it gives
/// its errors.
std::string words_of(const std::exception& json_error);

}  // namespace mct::output
