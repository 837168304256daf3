#include "output/parse_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "mctensor/error.hpp"

namespace mct::output {

// "[json.exception.parse_error.101] parse error at line 1 ..."
std::string words_of(const std::exception& json_error) {
  const std::string text = json_error.what();
  const auto end = text.find("] ");
  return text.starts_with('[') && end != std::string::npos ? text.substr(end + 2) : text;
}

nlohmann::ordered_json parse_json(std::string_view text, const std::string& source) {
  using Json = nlohmann::ordered_json;
  const auto shallow = [&](int depth, Json::parse_event_t event, const Json&) {
    if (depth >= deepest_json &&
        (event == Json::parse_event_t::array_start || event == Json::parse_event_t::object_start))
      throw IoError(fmt::format("'{}': arrays and objects are nested more than {} deep", source,
                                deepest_json));
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), shallow);
  } catch (const Json::exception& error) {
    throw IoError(fmt::format("'{}' is not valid JSON: {}", source, words_of(error)));
  }
}

}  // namespace mct::output
