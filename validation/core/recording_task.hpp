// The common part of all tasks of the suite: streams of its own, records of errors, lines to repeat
// a case.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validation/core/check.hpp"
#include "validation/core/philox.hpp"
#include "validation/core/task.hpp"

namespace mct::validation {

/// FNV-1a of a text in 32 or 64 bits.
std::uint32_t hash32(std::string_view text);
std::uint64_t hash64(std::string_view text);

/// A task with a name: the operation of a type.
class RecordingTask : public Task {
 public:
  RecordingTask(std::string type, std::string name)
      : type_(std::move(type)), name_(std::move(name)) {}

 protected:
  const std::string& type() const { return type_; }
  const std::string& name() const { return name_; }

  /// The task without measurements.
  OperationResult described(int components, int precision, double bound,
                            std::string bound_text) const;

  /// The stream of random numbers of a block: those of different operations do not overlap, and do
  /// not depend on what else runs.
  std::uint64_t stream_of(std::uint64_t block) const;

  /// Records the outcome of a case of a category; with a width, also in a bin of exponents of it.
  /// `line` makes the line that repeats the case, and is called for those that are kept.
  template <class Line>
  static void record(const Outcome& outcome, std::size_t category, int bin_width, const Line& line,
                     BlockResult& result) {
    const Kept kept = count(outcome, category, bin_width, result);
    if (kept.as_worst) result.worst_replay = line();
    if (kept.as_violation) result.violations.push_back({line(), outcome.error, outcome.problem});
  }

 private:
  struct Kept {
    bool as_worst, as_violation;
  };
  static Kept count(const Outcome& outcome, std::size_t category, int bin_width,
                    BlockResult& result);

  std::string type_;
  std::string name_;
};

/// A task whose cases are made from seed, block and number, and are repeated by these. A case may
/// have several results. Errors are in units of the bound.
class NumberedTask : public RecordingTask {
 public:
  using RecordingTask::RecordingTask;

  BlockResult run(std::uint64_t seed, std::uint64_t block, std::uint64_t cases) const override;
  BlockResult run_specials() const override { return {}; }
  bool replay(const std::vector<std::string>& operands, std::string& report) const override;

 protected:
  struct Case {
    std::uint64_t seed, block, number;
  };

  /// One for each result of the case, or of `count` cases from this one on.
  virtual std::vector<Outcome> check(const Case& c, std::uint64_t count) const = 0;
  /// So many cases with one result each are computed at a time, from a multiple of this number on.
  virtual std::uint64_t cases_together() const { return 1; }
  /// The category of the report that a case belongs to.
  virtual std::size_t category_of(const Case&) const { return 0; }
  /// Of the bins of exponents; 0: there are none.
  virtual int width_of_bins() const { return 0; }
  /// Lines about the operands of a case, for a replay.
  virtual std::string operands_of(const Case&) const { return ""; }

  /// A result with this error in units of its bound.
  static Outcome within_bound(double error);

  /// A number of the case, of a task with this hash.
  static std::uint64_t hash_of(std::uint64_t task, const Case& c) {
    return task ^ ((c.seed * 0x9E3779B97F4A7C15u + c.block) * 0xD1B54A32D192ED03u + c.number);
  }
  /// The random numbers of one case.
  Random random_of(const Case& c) const {
    return Random(c.seed ^ (c.number + 1) * 0x9E3779B97F4A7C15u, stream_of(c.block));
  }
};

/// A task whose cases are an error each, in units of the bound, of something random.
class ErrorTask final : public NumberedTask {
 public:
  struct Facts {
    int components, precision;
    std::string bound_text;
    double weight;
    std::uint64_t most_cases;
  };
  using Error = std::function<double(Random&)>;

  ErrorTask(std::string type, std::string name, Facts facts, Error error)
      : NumberedTask(std::move(type), std::move(name)),
        facts_(std::move(facts)),
        error_(std::move(error)) {}

  OperationResult describe() const override {
    return described(facts_.components, facts_.precision, 1, facts_.bound_text);
  }
  double weight() const override { return facts_.weight; }
  std::uint64_t most_cases() const override { return facts_.most_cases; }

 protected:
  std::vector<Outcome> check(const Case& c, std::uint64_t) const override {
    Random random = random_of(c);
    return {within_bound(error_(random))};
  }

 private:
  const Facts facts_;
  const Error error_;
};

}  // namespace mct::validation
