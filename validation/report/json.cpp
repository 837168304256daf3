// The suite's results as JSON, and back.
#include "validation/report/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/error.hpp"
#include "validation/files/parse_json.hpp"
#include "validation/files/text_file.hpp"

namespace mct::validation {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "mctensor validation";
constexpr int format_version = 2;

Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

// declared first: the template for lists calls them
Json encode(const OperationResult& operation);
Json encode(const PeerResult& peer);
Json encode(const ComponentPoint& point);
Json encode(const FigurePoint& point);
Json encode(const FigureCurve& curve);
Json encode(const FigureResult& figure);

Json encode(const ErrorStatistics& errors) {
  return {{"cases", errors.cases},
          {"max_error", number(errors.max_error)},
          {"sum_error", number(errors.sum_error)},
          {"mean_error", number(errors.mean())}};
}

Json encode(const CategoryResult& category) {
  return {{"name", category.name}, {"errors", encode(category.errors)}};
}

Json encode(const ExponentBin& bin) {
  return {{"exponent", bin.exponent}, {"width", bin.width}, {"errors", encode(bin.errors)}};
}

Json encode(const Violation& violation) {
  return {
      {"replay", violation.replay}, {"error", number(violation.error)}, {"what", violation.what}};
}

template <class T>
Json encode(const std::vector<T>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(encode(item));
  return list;
}

Json encode(const OperationResult& operation) {
  return {{"operation", operation.operation},
          {"type", operation.type},
          {"components", operation.components},
          {"precision", operation.precision},
          {"bound", number(operation.bound)},
          {"bound_text", operation.bound_text},
          {"passed", operation.passed()},
          {"errors", encode(operation.errors)},
          {"categories", encode(operation.categories)},
          {"by_exponent", encode(operation.by_exponent)},
          {"worst_replay", operation.worst_replay},
          {"violation_count", operation.violation_count},
          {"violations", encode(operation.violations)}};
}

Json encode(const PeerResult& peer) {
  return {{"operation", peer.operation},
          {"type", peer.type},
          {"components", peer.components},
          {"precision", peer.precision},
          {"peer", peer.peer},
          {"errors", encode(peer.errors)},
          {"worst_relative_log2", number(peer.worst_relative_log2)}};
}

Json encode(const ComponentPoint& point) {
  return {{"operation", point.operation},
          {"magnitudes", point.magnitudes},
          {"implementation", point.implementation},
          {"precision", point.precision},
          {"components", point.components},
          {"mean_relative_log2", number(point.mean_relative_log2)},
          {"worst_relative_log2", number(point.worst_relative_log2)}};
}

Json encode(const FigurePoint& point) {
  return {{"x", number(point.x)}, {"log10_y", number(point.log10_y)}};
}

Json encode(const FigureCurve& curve) {
  return {{"name", curve.name}, {"bound", curve.bound}, {"points", encode(curve.points)}};
}

Json encode(const FigureResult& figure) {
  return {{"id", figure.id},           {"title", figure.title},
          {"text", figure.text},       {"x_label", figure.x_label},
          {"y_label", figure.y_label}, {"curves", encode(figure.curves)}};
}

/// A JSON object with its place in the file, so that every complaint names it.
class Reader {
 public:
  Reader(const Json& object, std::string place, const std::string& source)
      : object_(object), place_(std::move(place)), source_(source) {
    if (!object_.is_object()) fail(place_, "an object is expected");
  }

  void get(const char* key, std::string& value) const {
    const Json& item = at(key);
    if (!item.is_string()) fail(name(key), "a string is expected");
    value = item.get<std::string>();
  }
  void get(const char* key, double& value) const {
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
  void get(const char* key, std::uint64_t& value) const {
    const Json& item = at(key);
    if (!item.is_number_unsigned()) fail(name(key), "a non-negative integer is expected");
    value = item.get<std::uint64_t>();
  }
  void get(const char* key, int& value) const {
    const Json& item = at(key);
    if (!item.is_number_integer()) fail(name(key), "an integer is expected");
    constexpr auto limit = std::int64_t(std::numeric_limits<int>::max());
    const bool too_large = item.is_number_unsigned() && item.get<std::uint64_t>() > limit;
    if (too_large || item.get<std::int64_t>() < -limit - 1) fail(name(key), "out of range");
    value = item.get<int>();
  }
  void get(const char* key, bool& value) const {
    const Json& item = at(key);
    if (!item.is_boolean()) fail(name(key), "true or false is expected");
    value = item.get<bool>();
  }
  template <class T>
  void get(const char* key, std::vector<T>& values) const {
    const Json& list = at(key);
    if (!list.is_array()) fail(name(key), "an array is expected");
    values.resize(list.size());
    for (std::size_t i = 0; i < list.size(); ++i)
      decode(Reader(list[i], fmt::format("{}[{}]", name(key), i), source_), values[i]);
  }
  void get(const char* key, ErrorStatistics& errors) const {
    const Reader reader(at(key), name(key), source_);
    reader.get("cases", errors.cases);
    reader.get("max_error", errors.max_error);
    reader.get("sum_error", errors.sum_error);
  }

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

  static void decode(const Reader& reader, CategoryResult& category) {
    reader.get("name", category.name);
    reader.get("errors", category.errors);
  }
  static void decode(const Reader& reader, ExponentBin& bin) {
    reader.get("exponent", bin.exponent);
    reader.get("width", bin.width);
    reader.get("errors", bin.errors);
  }
  static void decode(const Reader& reader, Violation& violation) {
    reader.get("replay", violation.replay);
    reader.get("error", violation.error);
    reader.get("what", violation.what);
  }
  static void decode(const Reader& reader, OperationResult& operation) {
    reader.get("operation", operation.operation);
    reader.get("type", operation.type);
    reader.get("components", operation.components);
    reader.get("precision", operation.precision);
    reader.get("bound", operation.bound);
    reader.get("bound_text", operation.bound_text);
    reader.get("errors", operation.errors);
    reader.get("categories", operation.categories);
    reader.get("by_exponent", operation.by_exponent);
    reader.get("worst_replay", operation.worst_replay);
    reader.get("violation_count", operation.violation_count);
    reader.get("violations", operation.violations);
  }
  static void decode(const Reader& reader, PeerResult& peer) {
    reader.get("operation", peer.operation);
    reader.get("type", peer.type);
    reader.get("components", peer.components);
    reader.get("precision", peer.precision);
    reader.get("peer", peer.peer);
    reader.get("errors", peer.errors);
    reader.get("worst_relative_log2", peer.worst_relative_log2);
  }
  static void decode(const Reader& reader, ComponentPoint& point) {
    reader.get("operation", point.operation);
    reader.get("magnitudes", point.magnitudes);
    reader.get("implementation", point.implementation);
    reader.get("precision", point.precision);
    reader.get("components", point.components);
    reader.get("mean_relative_log2", point.mean_relative_log2);
    reader.get("worst_relative_log2", point.worst_relative_log2);
  }
  static void decode(const Reader& reader, FigurePoint& point) {
    reader.get("x", point.x);
    reader.get("log10_y", point.log10_y);
  }
  static void decode(const Reader& reader, FigureCurve& curve) {
    reader.get("name", curve.name);
    reader.get("bound", curve.bound);
    reader.get("points", curve.points);
  }
  static void decode(const Reader& reader, FigureResult& figure) {
    reader.get("id", figure.id);
    reader.get("title", figure.title);
    reader.get("text", figure.text);
    reader.get("x_label", figure.x_label);
    reader.get("y_label", figure.y_label);
    reader.get("curves", figure.curves);
  }

  const Json& object_;
  std::string place_;
  const std::string& source_;
};

}  // namespace

std::string to_json(const Results& results) {
  const Json document = {{"format", format_name},
                         {"format_version", format_version},
                         {"passed", results.passed()},
                         {"version", results.version},
                         {"compiler", results.compiler},
                         {"cpu", results.cpu},
                         {"seed", results.seed},
                         {"requested_cases", results.requested_cases},
                         {"checked_cases", results.checked_cases},
                         {"threads", results.threads},
                         {"seconds", number(results.seconds)},
                         {"filter", results.filter},
                         {"operations", encode(results.operations)},
                         {"peers", encode(results.peers)},
                         {"components", encode(results.components)},
                         {"figures", encode(results.figures)}};
  // text from the system (the CPU's name) need not be UTF-8; it must not stop the report
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Results from_json(std::string_view text, const std::string& source) {
  const Json document = parse_json(text, source);
  const Reader reader(document, "", source);
  std::string format;
  int version = 0;
  reader.get("format", format);
  if (format != format_name) reader.fail("format", fmt::format("unknown format '{}'", format));
  reader.get("format_version", version);
  if (version != format_version)
    reader.fail("format_version",
                fmt::format("version {} is unknown, {} is expected", version, format_version));
  Results results;
  reader.get("version", results.version);
  reader.get("compiler", results.compiler);
  reader.get("cpu", results.cpu);
  reader.get("seed", results.seed);
  reader.get("requested_cases", results.requested_cases);
  reader.get("checked_cases", results.checked_cases);
  reader.get("threads", results.threads);
  reader.get("seconds", results.seconds);
  reader.get("filter", results.filter);
  reader.get("operations", results.operations);
  reader.get("peers", results.peers);
  reader.get("components", results.components);
  reader.get("figures", results.figures);
  return results;
}

void write_json(const Results& results, const std::filesystem::path& path) {
  write_file_atomically(path, to_json(results));
}

Results read_json(const std::filesystem::path& path) {
  constexpr std::uint64_t most_bytes = std::uint64_t(1) << 30;
  return from_json(read_text_file(path, most_bytes), path.string());
}

}  // namespace mct::validation
