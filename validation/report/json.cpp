#include "validation/report/json.hpp"

#include "mctensor/base/atomic_file.hpp"
#include "output/json_numbers.hpp"

namespace mct::validation {

using Json = nlohmann::ordered_json;

// What the JSON library calls for each part of the results, the fields in the order of the file.
// Means and verdicts, which follow from others, are there for readers of the file.
#define MCT_FIELD(name) json[#name] = part.name;
#define MCT_FIELDS(...) NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(MCT_FIELD, __VA_ARGS__))

static void to_json(Json& json, const ErrorStatistics& part) {
  MCT_FIELDS(cases, max_error, sum_error)
  json["mean_error"] = part.mean();
}

static void to_json(Json& json, const CategoryResult& part) { MCT_FIELDS(name, errors) }

static void to_json(Json& json, const ExponentBin& part) { MCT_FIELDS(exponent, width, errors) }

static void to_json(Json& json, const Violation& part) { MCT_FIELDS(replay, error, what) }

static void to_json(Json& json, const OperationResult& part) {
  MCT_FIELDS(operation, type, components, precision, bound, bound_text)
  json["passed"] = part.passed();
  MCT_FIELDS(errors, categories, by_exponent, worst_replay, violation_count, violations)
}

static void to_json(Json& json, const PeerResult& part) {
  MCT_FIELDS(operation, type, components, precision, peer, errors, worst_relative_log2)
}

static void to_json(Json& json, const ComponentPoint& part) {
  MCT_FIELDS(operation, magnitudes, implementation, precision, components, mean_relative_log2,
             worst_relative_log2)
}

static void to_json(Json& json, const FigurePoint& part) { MCT_FIELDS(x, log10_y) }

static void to_json(Json& json, const FigureCurve& part) { MCT_FIELDS(name, bound, points) }

static void to_json(Json& json,
                    const FigureResult& part){MCT_FIELDS(id, title, text, x_label, y_label, curves)}

std::string to_json(const Results& part) {
  Json json = {{"format", "mctensor validation"}, {"format_version", 2}};
  json["passed"] = part.passed();
  MCT_FIELDS(version, compiler, cpu, seed, requested_cases, checked_cases, threads, seconds, filter,
             operations, peers, components, figures)
  output::name_nonfinite(json);
  // text from the system (the CPU's name) need not be UTF-8; it must not stop the report
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

#undef MCT_FIELDS
#undef MCT_FIELD

void write_json(const Results& results, const std::filesystem::path& path) {
  write_file_atomically(path, to_json(results));
}

}  // namespace mct::validation
