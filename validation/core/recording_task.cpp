// The common part of all tasks of the suite.
#include "validation/core/recording_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "mctensor/base/number_in.hpp"
#include "mctensor/error.hpp"

namespace mct::validation {
namespace {

constexpr std::size_t violations_kept = 5;

template <class UInt>
UInt fnv_1a(std::string_view text, UInt h, UInt prime) {
  for (const char c : text) h = (h ^ std::uint8_t(c)) * prime;
  return h;
}

/// A seed, block or case. Throws DomainError naming the word unless it is such a number.
std::uint64_t number_from(const std::string& word) {
  const std::optional<std::uint64_t> number = number_in<std::uint64_t>(word);
  if (!number) throw DomainError("replay: '" + word + "' is not a number of a case");
  return *number;
}

}  // namespace

std::uint32_t hash32(std::string_view text) { return fnv_1a(text, 2166136261u, 16777619u); }
std::uint64_t hash64(std::string_view text) {
  return fnv_1a(text, std::uint64_t(14695981039346656037u), std::uint64_t(1099511628211u));
}

OperationResult RecordingTask::described(int components, int precision, double bound,
                                         std::string bound_text) const {
  OperationResult result;
  result.operation = name_;
  result.type = type_;
  result.components = components;
  result.precision = precision;
  result.bound = bound;
  result.bound_text = std::move(bound_text);
  return result;
}

std::uint64_t RecordingTask::stream_of(std::uint64_t block) const {
  return std::uint64_t(hash32(type_ + ' ' + name_)) << 32 | block;
}

RecordingTask::Kept RecordingTask::count(const Outcome& outcome, std::size_t category,
                                         int bin_width, BlockResult& result) {
  // NaN is worse than any number
  const bool worst = !(outcome.error <= result.errors.max_error);
  result.errors.add(outcome.error);
  result.by_category[category].add(outcome.error);
  if (bin_width > 0) {
    const int exponent = int(outcome.exponent);
    const int bin = exponent >= 0 ? exponent / bin_width : -((-exponent - 1) / bin_width) - 1;
    result.by_exponent[bin * bin_width].add(outcome.error);
  }
  if (outcome.problem == nullptr) return {worst, false};
  ++result.violation_count;
  return {worst, result.violations.size() < violations_kept};
}

BlockResult NumberedTask::run(std::uint64_t seed, std::uint64_t block, std::uint64_t cases) const {
  BlockResult result;
  const std::uint64_t together = cases_together();
  for (Case c{seed, block, 0}; result.errors.cases < cases;) {
    const std::uint64_t count = std::min(together, cases - result.errors.cases);
    const auto line = [&] {
      return fmt::format("{} {} {} {} {}", type(), name(), seed, block, c.number);
    };
    for (const Outcome& outcome : check(c, count)) {
      record(outcome, category_of(c), width_of_bins(), line, result);
      if (together > 1) ++c.number;
    }
    if (together == 1) ++c.number;
  }
  return result;
}

Outcome NumberedTask::within_bound(double error) {
  Outcome outcome;
  outcome.error = error;
  if (!(error <= 1)) outcome.problem = "bound exceeded";
  return outcome;
}

bool NumberedTask::replay(const std::vector<std::string>& operands, std::string& report) const {
  if (operands.size() != 3)
    throw DomainError(fmt::format("replay: {} takes seed, block and number, got {} words", name(),
                                  operands.size()));
  const Case c{number_from(operands[0]), number_from(operands[1]), number_from(operands[2])};
  report += operands_of(c);
  const std::uint64_t place = c.number % cases_together();
  auto outcomes = check({c.seed, c.block, c.number - place}, place + 1);
  outcomes.erase(outcomes.begin(), outcomes.begin() + std::ptrdiff_t(place));
  bool good = true;
  for (const Outcome& outcome : outcomes) {
    report += fmt::format("error     {:.6g} of the bound: {}\n", outcome.error,
                          outcome.problem ? outcome.problem : "within it");
    good = good && outcome.problem == nullptr;
  }
  return good;
}

}  // namespace mct::validation
