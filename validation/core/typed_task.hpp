// Task for an Operation<T, N>.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "mctensor/error.hpp"
#include "mctensor/expansion/io.hpp"
#include "validation/core/cases.hpp"
#include "validation/core/operation.hpp"
#include "validation/core/operations_arithmetic.hpp"
#include "validation/core/operations_c.hpp"
#include "validation/core/operations_convert.hpp"
#include "validation/core/operations_eft.hpp"
#include "validation/core/operations_exact.hpp"
#include "validation/core/operations_text.hpp"
#include "validation/core/recording_task.hpp"

namespace mct::validation {

template <class T, int N>
class TypedTask final : public RecordingTask {
  using X = Expansion<T, N>;
  using Operands = std::array<X, 3>;

 public:
  TypedTask(Operation<T, N> operation, const std::string& type)
      : RecordingTask(type, operation.name), operation_(std::move(operation)) {}

  OperationResult describe() const override {
    return described(operation_.result_components, operation_.result_precision,
                     operation_.promise.bound, operation_.bound_text);
  }

  double weight() const override { return operation_.weight; }

  BlockResult run(std::uint64_t seed, std::uint64_t block, std::uint64_t cases) const override {
    Random random(seed, stream_of(block));
    CaseMaker<T, N> maker(random);
    Workspace workspace;
    BlockResult result;
    const int width = operation_.result_precision == FloatTraits<double>::p ? bin_width<double>
                                                                            : bin_width<float>;
    Operands x;
    const int categories = operation_.make_exact ? category_count : common_category_count;
    for (std::uint64_t i = 0; i < cases; ++i) {
      const int category = int(i % std::uint64_t(categories));
      if (Category(category) == Category::exact_results) {
        operation_.make_exact(random, x);
      } else {
        maker.make(Category(category), x);
        if (operation_.prepare) operation_.prepare(operation_, x);
      }
      if (!all_finite(x)) continue;
      const Outcome outcome = check_case(operation_, workspace, x);
      if (outcome.skipped) continue;
      record(
          outcome, std::size_t(category), width, [&] { return replay_line(x); }, result);
    }
    return result;
  }

  BlockResult run_specials() const override {
    BlockResult result;
    if (!operation_.ieee || !operation_.apply) return result;
    const auto values = special_values();
    const std::size_t count = values.size();
    std::size_t combinations = 1;
    for (int i = 0; i < operation_.arity; ++i) combinations *= count;
    for (std::size_t c = 0; c < combinations; ++c) {
      std::array<T, 3> leads = {values[c % count], values[c / count % count],
                                values[c / count / count % count]};
      Operands x;
      for (std::size_t i = 0; i < 3; ++i) x[i] = X(leads[i]);
      Outcome outcome;
      outcome.problem = compare_special(operation_.apply(x), operation_.ieee(leads));
      record(
          outcome, category_count, 0, [&] { return replay_line(x); }, result);
    }
    return result;
  }

  bool replay(const std::vector<std::string>& operands, std::string& report) const override {
    if (operands.size() != std::size_t(operation_.arity))
      throw DomainError(fmt::format("replay: {} takes {} operands, got {}", name(),
                                    operation_.arity, operands.size()));
    Operands x;
    for (std::size_t i = 0; i < operands.size(); ++i) x[i] = operand_from(operands[i], i + 1);
    Outcome outcome;
    if (operation_.apply) {
      report += fmt::format("result    {}\n", to_hex_string(operation_.apply(x)));
    }
    Workspace workspace;
    if (all_finite(x)) {
      outcome = check_case(operation_, workspace, x);
      if (outcome.problem == nullptr && has_single_limbs(x) && operation_.ieee && operation_.apply)
        outcome.problem = compare_special(
            operation_.apply(x), operation_.ieee({x[0].limb[0], x[1].limb[0], x[2].limb[0]}));
    } else if (operation_.ieee && operation_.apply) {
      outcome.problem = compare_special(
          operation_.apply(x), operation_.ieee({x[0].limb[0], x[1].limb[0], x[2].limb[0]}));
    }
    report += fmt::format("error     {:.6g} {}\nbound     {}\n", outcome.error,
                          unit_text(operation_.result_components, operation_.bound_text),
                          operation_.bound_text);
    report += fmt::format("verdict   {}\n", outcome.skipped   ? "outside the domain"
                                            : outcome.problem ? outcome.problem
                                                              : "within the bound");
    return outcome.problem == nullptr;
  }

 private:
  static X operand_from(const std::string& text, std::size_t number) {
    try {
      return from_string<X>(text);
    } catch (const DomainError&) {
      throw DomainError(fmt::format(
          "replay: operand {}, '{}', is not a number of {} limbs (as '0x1p+0,0x1p-60' is of 2)",
          number, text, N));
    }
  }

  bool all_finite(const Operands& x) const {
    for (int i = 0; i < operation_.arity; ++i)
      if (!isfinite(x[std::size_t(i)])) return false;
    return true;
  }

  /// As the table of special values has them.
  bool has_single_limbs(const Operands& x) const {
    for (int i = 0; i < operation_.arity; ++i)
      for (int k = 1; k < N; ++k)
        if (x[std::size_t(i)].limb[k] != 0) return false;
    return true;
  }

  static std::vector<T> special_values() {
    using Traits = FloatTraits<T>;
    std::vector<T> values;
    for (const T v : {T(0), Traits::eta, T(1), T(1.5), T(3), Traits::max, Traits::infinity}) {
      values.push_back(v);
      values.push_back(-v);
    }
    values.push_back(Traits::nan);
    return values;
  }

  /// Special results must be those of IEEE 754 on the leading limbs, with zero limbs after them.
  static const char* compare_special(const X& result, T expected) {
    const T lead = result.limb[0];
    if (isnan(expected) != isnan(lead)) return "NaN expected, or not expected";
    if (isinf(expected) && lead != expected) return "infinity expected";
    // next to the largest float, a result may round to infinity
    if (isfinite(expected) && isinf(lead) &&
        std::fabs(double(expected)) <
            double(FloatTraits<T>::max) * (1 - 16 * double(FloatTraits<T>::u)))
      return "finite result expected";
    if (expected == 0 && lead != 0) return "zero expected";
    if (expected == 0 && lead == 0 && signbit(expected) != signbit(lead))
      return "wrong sign of zero";
    if (lead == 0 || !isfinite(lead))
      for (int i = 1; i < N; ++i)
        if (result.limb[i] != 0) return "limbs after a special value are not zero";
    return nullptr;
  }

  std::string replay_line(const Operands& x) const {
    std::string line = type() + ' ' + name();
    for (int i = 0; i < operation_.arity; ++i) line += ' ' + to_hex_string(x[std::size_t(i)]);
    return line;
  }

  Operation<T, N> operation_;
};

/// Wraps a list of operations into tasks.
template <class T, int N>
void add_tasks(TaskList& list, std::vector<Operation<T, N>> operations, const std::string& type) {
  for (auto& operation : operations)
    list.push_back(std::make_unique<TypedTask<T, N>>(std::move(operation), type));
}

/// Everything on Expansion<T, N>.
template <class T, int N>
void add_expansion_tasks(TaskList& list) {
  const std::string type = type_name<T, N>();
  add_tasks(list, arithmetic_operations<T, N>(), type);
  add_tasks(list, mul_add_operations<T, N>(), type);
  add_tasks(list, exact_operations<T, N>(), type);
  add_tasks(list, c_operations<T, N>(), type);
  add_tasks(list, conversion_operations<T, N>(), type);
  add_tasks(list, text_operations<T, N>(), type);
}

/// Every task on one component type.
template <class T>
void add_component_tasks(TaskList& list) {
  add_tasks(list, eft_operations<T>(), component_name<T>());
  add_expansion_tasks<T, 1>(list);
  add_expansion_tasks<T, 2>(list);
  add_expansion_tasks<T, 3>(list);
  if constexpr (!is_short_float_v<T>) add_expansion_tasks<T, 4>(list);
}

}  // namespace mct::validation
