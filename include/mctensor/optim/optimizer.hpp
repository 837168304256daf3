// The base class of optimizers of variables. It has parameter groups, skips steps with bad
// gradients, and writes states to files.
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/base/number_text.hpp"
#include "mctensor/optim/distinct_parameters.hpp"
#include "mctensor/optim/gradients.hpp"
#include "mctensor/optim/state_file.hpp"
#include "mctensor/optim/step_report.hpp"
#include "mctensor/tensor/elementwise.hpp"

namespace mct::optim {

/// Parameters with their own learning rate and weight decay.
template <class T, int N = 1>
struct ParameterGroup {
  std::vector<Variable<T, N>> parameters;
  double lr;
  double weight_decay;
};

/// A kind of state of a parameter: its shape, and the values that its elements may have.
struct StateKind {
  StateValues values;
  Shape shape;
};

/// A function that gets the name and the value of an option and may change the value.
using OptionVisitor = std::function<void(const char* name, double& value)>;
/// Calls visit for an option that is a flag, a choice or a count in 0 ... choices - 1. Throws
/// DomainError if visit sets another value.
template <class Option>
void visit_choice(const OptionVisitor& visit, const char* name, Option& option, int choices) {
  auto value = double(option);
  visit(name, value);
  if (!(value >= 0 && value < choices && value == std::floor(value)))
    throw DomainError(std::string(name) + " " + number_text(value) + " is not one of 0 to " +
                      std::to_string(choices - 1));
  option = Option(int(value));
}

/// Throws DomainError, which names the option and its value, if one is negative, infinite or NaN.
void validate_group(double lr, double weight_decay);
template <class T, int N>
void validate(const ParameterGroup<T, N>& group) {
  validate_group(group.lr, group.weight_decay);
}

/// An optimizer of plain (N = 1) or multi-component parameters. It computes in the arithmetic of
/// the parameters. States have N components, too. Constants are rounded to N components: with one
/// bfloat16, a beta2 of 0.999 becomes 1. Gradients are plain. The names and defaults are PyTorch's.
///
/// The constructor and step() throw DomainError if a variable occurs twice, in one group or in two.
template <class T, int N = 1>
class Optimizer {
 public:
  using Parameter = Variable<T, N>;
  using State = std::map<std::string, Tensor<T, N>>;

  explicit Optimizer(std::vector<ParameterGroup<T, N>> groups) : groups_(std::move(groups)) {
    for (const auto& group : groups_) validate(group);
    match_states();
  }
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// Between steps you may change learning rates and weight decays, and append groups and
  /// parameters.
  std::vector<ParameterGroup<T, N>>& groups() { return groups_; }
  void set_lr(double lr) {
    for (auto& group : groups_) group.lr = lr;
  }
  void zero_grad() const {
    for (const auto& group : groups_)
      for (const auto& p : group.parameters) p.zero_grad();
  }

  /// Updates every parameter that has a gradient. If one gradient is not finite, updates none.
  /// Throws DomainError for options of a group that validate refuses, and for a variable that was
  /// added twice. Throws ShapeError for a parameter that this optimizer cannot update. After an
  /// error nothing has changed.
  StepReport step() {
    StepReport report;
    match_states();
    for (const auto& group : groups_) {
      validate(group);
      report.nonfinite += count_nonfinite(group.parameters);
      for (const auto& p : group.parameters) {
        if (!p.has_grad()) continue;
        check_parameter(p.shape());
        report.elements += p.numel();
      }
    }
    if (report.nonfinite > 0) {
      report.skipped = true;
      ++skipped_;
      return report;
    }
    ++steps_;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::size_t i = 0; i < groups_[g].parameters.size(); ++i) {
        const Parameter& p = groups_[g].parameters[i];
        if (p.has_grad()) update(groups_[g], p.value(), p.grad(), states_[g][i], ++updates_[g][i]);
      }
    return report;
  }

  /// The number of steps taken, and the number of steps that were skipped because a gradient was
  /// not finite.
  std::int64_t steps() const { return steps_; }
  std::int64_t skipped_steps() const { return skipped_; }

  /// Writes the exact states, so that training can continue as if it had not stopped. The
  /// parameters themselves are not written. Throws IoError.
  void save(const std::filesystem::path& path) const {
    StateWriter writer;
    save_to(writer);
    writer.save(path);
  }
  /// Reads the states. Throws IoError if an entry is missing, belongs to none of these parameters,
  /// has another shape or type or holds invalid values; the message names the entry. After an error
  /// nothing has changed.
  void load(const std::filesystem::path& path) {
    StateReader reader(path, description());
    load_from(reader);
  }

  /// Parts of save, load and load_checkpoint. The description names the kind of the optimizer.
  StateDescription description() const { return {{"mctensor.optimizer", kind()}}; }
  void save_to(StateWriter& writer) const {
    StateCounts counts{steps_, skipped_, {}};
    for (const auto& group : updates_)
      counts.updates.insert(counts.updates.end(), group.begin(), group.end());
    writer.describe(description(), counts);
    for (std::size_t g = 0; g < states_.size(); ++g)
      for (std::size_t i = 0; i < states_[g].size(); ++i)
        for (const auto& [name, tensor] : states_[g][i]) writer.add(key(g, i) + "." + name, tensor);
  }
  void load_from(StateReader& reader) {
    match_states();
    std::size_t parameters = 0;
    for (const auto& group : updates_) parameters += group.size();
    const StateCounts counts = reader.counts(parameters);
    auto updates = updates_;
    auto states = states_;
    auto next = counts.updates.begin();
    for (std::size_t g = 0; g < states.size(); ++g)
      for (std::size_t i = 0; i < states[g].size(); ++i) {
        updates[g][i] = *next++;
        states[g][i].clear();
        if (updates[g][i] == 0) continue;  // states begin with the first update
        for (const auto& [name, kind] : state_kinds(groups_[g].parameters[i].shape()))
          states[g][i].emplace(
              name, reader.template state<T, N>(key(g, i) + "." + name, kind.shape, kind.values));
      }
    reader.finish();
    states_ = std::move(states);
    updates_ = std::move(updates);
    steps_ = counts.steps;
    skipped_ = counts.skipped;
  }
  /// Calls visit for every option of the optimizer, not of the groups. Then throws DomainError if
  /// an option is invalid.
  virtual void visit_options(const OptionVisitor& visit) = 0;
  /// The name of the states of a parameter in files: "group.parameter".
  static std::string key(std::size_t group, std::size_t parameter) {
    return std::to_string(group) + "." + std::to_string(parameter);
  }

 protected:
  /// The name of this kind of optimizer in files.
  virtual std::string kind() const = 0;
  /// Throws ShapeError for a parameter that the optimizer cannot update.
  virtual void check_parameter(const Shape& /*parameter*/) const {}
  /// The states that a parameter of this shape has after its first update.
  virtual std::map<std::string, StateKind> state_kinds(const Shape& parameter) const = 0;
  /// Updates one parameter in place; `step` counts the updates of this parameter.
  virtual void update(const ParameterGroup<T, N>& group, const Tensor<T, N>& parameter,
                      const Tensor<T, 1>& grad, State& state, std::int64_t step) = 0;

  /// The state of this name. If it does not exist, it is created as zeros.
  static const Tensor<T, N>& zeros_like(State& state, const std::string& name,
                                        const Tensor<T, N>& parameter) {
    return zeros(state, name, parameter.shape());
  }
  static const Tensor<T, N>& zeros(State& state, const std::string& name, const Shape& shape) {
    const auto at = state.find(name);
    if (at != state.end()) return at->second;
    return state.emplace(name, Tensor<T, N>(shape)).first->second;
  }
  /// A copy of the gradient with N components.
  static Tensor<T, N> widened(const Tensor<T, 1>& grad) {
    if constexpr (N == 1) {
      return grad.clone();
    } else {
      return with_components<N>(grad);
    }
  }

 private:
  /// True if every parameter has its states and its count of updates.
  bool are_states_matched() const {
    bool same = states_.size() == groups_.size();
    for (std::size_t g = 0; same && g < groups_.size(); ++g)
      same = states_[g].size() == groups_[g].parameters.size();
    return same;
  }
  std::vector<const void*> nodes() const {
    std::vector<const void*> all;
    for (const auto& group : groups_)
      for (const auto& p : group.parameters) all.push_back(p.node().get());
    return all;
  }
  /// Makes room for the states and the count of every new parameter. Throws DomainError for a
  /// variable that was added twice.
  void match_states() {
    if (are_states_matched()) return;
    optim_detail::require_distinct("Optimizer", nodes());
    states_.resize(groups_.size());
    updates_.resize(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      states_[g].resize(groups_[g].parameters.size());
      updates_[g].resize(groups_[g].parameters.size());
    }
  }

  std::vector<ParameterGroup<T, N>> groups_;
  std::vector<std::vector<State>> states_;
  std::vector<std::vector<std::int64_t>> updates_;
  std::int64_t steps_ = 0;
  std::int64_t skipped_ = 0;
};

}  // namespace mct::optim
