// The suite's results as JSON, and back.
#include "validation/report/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/error.hpp"
#include "validation/files/parse_json.hpp"

namespace mct::validation {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "mctensor validation";
constexpr int format_version = 2;

template <class Part, class T>
concept Of = std::same_as<std::remove_const_t<Part>, T>;

// The fields of each part, in the order of the file, for what writes them and what reads them.
// `derived` are values that follow from others, for readers of the file.
#define MCT_FIELD(name) visit.field(#name, part.name);
#define MCT_FIELDS(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(MCT_FIELD, __VA_ARGS__))

void fields(auto& visit, Of<ErrorStatistics> auto& part) {
  MCT_FIELDS(cases, max_error, sum_error)
  visit.derived("mean_error", part.mean());
}

void fields(auto& visit, Of<CategoryResult> auto& part) { MCT_FIELDS(name, errors) }

void fields(auto& visit, Of<ExponentBin> auto& part) { MCT_FIELDS(exponent, width, errors) }

void fields(auto& visit, Of<Violation> auto& part) { MCT_FIELDS(replay, error, what) }

void fields(auto& visit, Of<OperationResult> auto& part) {
  MCT_FIELDS(operation, type, components, precision, bound, bound_text)
  visit.derived("passed", part.passed());
  MCT_FIELDS(errors, categories, by_exponent, worst_replay, violation_count, violations)
}

void fields(auto& visit, Of<PeerResult> auto& part) {
  MCT_FIELDS(operation, type, components, precision, peer, errors, worst_relative_log2)
}

void fields(auto& visit, Of<ComponentPoint> auto& part) {
  MCT_FIELDS(operation, magnitudes, implementation, precision, components, mean_relative_log2,
             worst_relative_log2)
}

void fields(auto& visit, Of<FigurePoint> auto& part) { MCT_FIELDS(x, log10_y) }

void fields(auto& visit, Of<FigureCurve> auto& part) { MCT_FIELDS(name, bound, points) }

void fields(auto& visit, Of<FigureResult> auto& part) {
  MCT_FIELDS(id, title, text, x_label, y_label, curves)
}

void fields(auto& visit, Of<Results> auto& part) {
  visit.derived("passed", part.passed());
  MCT_FIELDS(version, compiler, cpu, seed, requested_cases, checked_cases, threads, seconds, filter,
             operations, peers, components, figures)
}

#undef MCT_FIELDS
#undef MCT_FIELD

/// Adds fields to a JSON object.
struct Writer {
  Json& object;

  void field(const char* key, const auto& value) { object[key] = encode(value); }
  void derived(const char* key, const auto& value) { field(key, value); }

  static Json encode(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
  }
  template <class T>
  static Json encode(const std::vector<T>& items) {
    Json list = Json::array();
    for (const T& item : items) list.push_back(encode(item));
    return list;
  }
  template <class T>
  static Json encode(const T& value) {
    if constexpr (std::is_constructible_v<Json, T>) {
      return value;
    } else {
      Json object = Json::object();
      Writer writer{object};
      fields(writer, value);
      return object;
    }
  }
};

/// A JSON object with its place in the file, so that every complaint names it.
class Reader {
 public:
  Reader(const Json& object, std::string place, const std::string& source)
      : object_(object), place_(std::move(place)), source_(source) {
    if (!object_.is_object()) fail(place_, "an object is expected");
  }

  void field(const char* key, std::string& value) const {
    const Json& item = at(key);
    if (!item.is_string()) fail(name(key), "a string is expected");
    value = item.get<std::string>();
  }
  void field(const char* key, double& value) const {
    const Json& item = at(key);
    if (item.is_number()) {
      value = item.get<double>();
    } else if (item == "inf") {
      value = std::numeric_limits<double>::infinity();
    } else if (item == "-inf") {
      value = -std::numeric_limits<double>::infinity();
    } else if (item == "nan") {
      value = std::numeric_limits<double>::quiet_NaN();
    } else {
      fail(name(key), "a number, \"inf\", \"-inf\" or \"nan\" is expected");
    }
  }
  void field(const char* key, std::uint64_t& value) const {
    const Json& item = at(key);
    if (!item.is_number_unsigned()) fail(name(key), "a non-negative integer is expected");
    value = item.get<std::uint64_t>();
  }
  void field(const char* key, int& value) const {
    const Json& item = at(key);
    if (!item.is_number_integer()) fail(name(key), "an integer is expected");
    constexpr auto limit = std::int64_t(std::numeric_limits<int>::max());
    const bool too_large = item.is_number_unsigned() && item.get<std::uint64_t>() > limit;
    if (too_large || item.get<std::int64_t>() < -limit - 1) fail(name(key), "out of range");
    value = item.get<int>();
  }
  void field(const char* key, bool& value) const {
    const Json& item = at(key);
    if (!item.is_boolean()) fail(name(key), "true or false is expected");
    value = item.get<bool>();
  }
  template <class T>
  void field(const char* key, std::vector<T>& values) const {
    const Json& list = at(key);
    if (!list.is_array()) fail(name(key), "an array is expected");
    values.resize(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Reader reader(list[i], fmt::format("{}[{}]", name(key), i), source_);
      fields(reader, values[i]);
    }
  }
  void field(const char* key, auto& part) const {
    const Reader reader(at(key), name(key), source_);
    fields(reader, part);
  }
  static void derived(const char*, const auto&) {}

  [[noreturn]] void fail(const std::string& place, const std::string& problem) const {
    throw IoError(fmt::format("'{}' is not a result file: {}: {}", source_,
                              place.empty() ? "top level" : place, problem));
  }

 private:
  std::string name(const char* key) const { return place_.empty() ? key : place_ + '.' + key; }
  const Json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) fail(name(key), "missing");
    return *found;
  }

  const Json& object_;
  std::string place_;
  const std::string& source_;
};

}  // namespace

std::string to_json(const Results& results) {
  Json document = {{"format", format_name}, {"format_version", format_version}};
  Writer writer{document};
  fields(writer, results);
  // text from the system (the CPU's name) need not be UTF-8; it must not stop the report
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Results from_json(std::string_view text, const std::string& source) {
  const Json document = parse_json(text, source);
  const Reader reader(document, "", source);
  std::string format;
  int version = 0;
  reader.field("format", format);
  if (format != format_name) reader.fail("format", fmt::format("unknown format '{}'", format));
  reader.field("format_version", version);
  if (version != format_version)
    reader.fail("format_version",
                fmt::format("version {} is unknown, {} is expected", version, format_version));
  Results results;
  fields(reader, results);
  return results;
}

void write_json(const Results& results, const std::filesystem::path& path) {
  write_file_atomically(path, to_json(results));
}

Results read_json(const std::filesystem::path& path) {
  constexpr std::uint64_t most_bytes = std::uint64_t(1) << 30;
  return from_json(InputFile(path).content(most_bytes), path.string());
}

}  // namespace mct::validation
