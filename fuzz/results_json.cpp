// The precision suite's results as JSON.
#include <fstream>
#include <limits>
#include <string>

#include "fuzz/target.hpp"
#include "mctensor/error.hpp"
#include "validation/report/json.hpp"

namespace mct::fuzz {
namespace {

using namespace mct::validation;  // NOLINT(google-build-using-namespace)

Results one_of_each() {
  Results results;
  results.seed = 1;
  results.cpu = "a processor \xff";
  OperationResult operation;
  operation.operation = "add";
  operation.errors.add(0.5);
  operation.categories = {{"random", operation.errors}};
  operation.by_exponent = {{-3, 2, operation.errors}};
  operation.violation_count = 1;
  operation.violations = {{"f64x2 add 1 2", std::numeric_limits<double>::infinity(), "bound"}};
  results.operations = {operation};
  results.peers.resize(1);
  results.components.resize(1);
  FigureCurve curve;
  curve.points = {{1, -std::numeric_limits<double>::infinity()}};
  results.figures.resize(1);
  results.figures[0].curves = {curve};
  return results;
}

}  // namespace

void write_seeds(const std::filesystem::path& directory) {
  std::ofstream(directory / "none", std::ios::binary) << to_json(Results());
  std::ofstream(directory / "one_of_each", std::ios::binary) << to_json(one_of_each());
}

}  // namespace mct::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mct;  // NOLINT(google-build-using-namespace)
  try {
    const auto results = validation::from_json(fuzz::as_text(data, size), "input");
    const std::string text = validation::to_json(results);
    fuzz::require(validation::to_json(validation::from_json(text, "again")) == text,
                  "results survive being written and read");
  } catch (const IoError&) {
    return 0;
  }
  return 0;
}
