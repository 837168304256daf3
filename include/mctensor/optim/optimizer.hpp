// What SGD, Adam and AdamW share: parameter groups, skipped steps, states in files.
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/optim/gradients.hpp"
#include "mctensor/optim/step_counts.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/safetensors.hpp"

namespace mct::optim {

/// Parameters with a learning rate and weight decay of their own.
template <class T, int N = 1>
struct ParameterGroup {
  std::vector<Variable<T, N>> parameters;
  double lr;
  double weight_decay;
};

/// What a step did.
struct StepOutcome {
  bool skipped = false;
  /// Elements of gradients that are infinite or NaN: if there is one the step is skipped.
  std::int64_t nonfinite = 0;
};

/// An optimizer of plain (N = 1) or multi-component parameters, in the arithmetic of the
/// parameters: its states are tensors of N components, too, and its constants (a beta2 of 0.999 in
/// bfloat16) expansions. Gradients are plain. The names and defaults are PyTorch's.
template <class T, int N = 1>
class Optimizer {
 public:
  using Parameter = Variable<T, N>;
  using State = std::map<std::string, Tensor<T, N>>;

  explicit Optimizer(std::vector<ParameterGroup<T, N>> groups) : groups_(std::move(groups)) {
    for (const auto& group : groups_) {
      if (!(group.lr >= 0) || !(group.weight_decay >= 0))
        throw DomainError("optimizer: lr " + std::to_string(group.lr) + " or weight_decay " +
                          std::to_string(group.weight_decay) + " is negative");
    }
    match_states();
  }
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// May be changed between steps: learning rates, and groups and parameters added at their ends.
  std::vector<ParameterGroup<T, N>>& groups() { return groups_; }
  void set_lr(double lr) {
    for (auto& group : groups_) group.lr = lr;
  }
  void zero_grad() const {
    for (const auto& group : groups_)
      for (const auto& p : group.parameters) p.zero_grad();
  }

  /// Updates every parameter that has a gradient; none if one gradient is not finite. Throws
  /// DomainError for a learning rate that is negative or not finite.
  StepOutcome step() {
    StepOutcome outcome;
    match_states();
    for (const auto& group : groups_)
      if (!(group.lr >= 0) || !std::isfinite(group.lr))
        throw DomainError("optimizer: lr " + std::to_string(group.lr) + " is no learning rate");
    for (const auto& group : groups_) outcome.nonfinite += count_nonfinite(group.parameters);
    if (outcome.nonfinite > 0) {
      outcome.skipped = true;
      ++skipped_;
      return outcome;
    }
    ++steps_;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::size_t i = 0; i < groups_[g].parameters.size(); ++i) {
        const Parameter& p = groups_[g].parameters[i];
        if (p.has_grad()) update(groups_[g], p.value(), p.grad(), states_[g][i], ++updates_[g][i]);
      }
    return outcome;
  }

  /// Steps taken, and steps skipped because of gradients.
  std::int64_t steps() const { return steps_; }
  std::int64_t skipped_steps() const { return skipped_; }

  /// Writes the states, exactly: training goes on from them as if it had not stopped. Parameters
  /// are not in it. Throws IoError.
  void save(const std::filesystem::path& path) const {
    SafetensorsWriter writer;
    writer.set_metadata("mctensor.optimizer", kind());
    std::vector<std::int64_t> counts = {steps_, skipped_};
    for (const auto& group : updates_) counts.insert(counts.end(), group.begin(), group.end());
    writer.add("steps", Tensor<std::int64_t>::from_values(counts));
    for (std::size_t g = 0; g < states_.size(); ++g)
      for (std::size_t i = 0; i < states_[g].size(); ++i)
        for (const auto& [name, tensor] : states_[g][i]) writer.add(key(g, i) + "." + name, tensor);
    writer.save(path);
  }
  /// Reads them. Throws IoError naming what does not belong to these parameters; then nothing has
  /// changed.
  void load(const std::filesystem::path& path) {
    const SafetensorsReader reader(path);
    const auto text = reader.metadata().find("mctensor.optimizer");
    if (text == reader.metadata().end() || text->second != kind())
      throw IoError(path.string() + ": does not hold the states of " + kind());
    match_states();
    auto states = states_;
    for (auto& group : states)
      for (auto& state : group) state.clear();
    std::size_t parameters = 0;
    for (const auto& group : updates_) parameters += group.size();
    const auto counts = load_step_counts(path, reader, "steps", 2 + parameters);
    for (const std::string& name : reader.names()) {
      if (name == "steps") continue;
      bool found = false;
      for (std::size_t g = 0; g < states.size() && !found; ++g)
        for (std::size_t i = 0; i < states[g].size() && !found; ++i) {
          const std::string prefix = key(g, i) + ".";
          if (name.rfind(prefix, 0) != 0) continue;
          auto tensor = reader.load<T, N>(name);
          const Shape& shape = groups_[g].parameters[i].shape();
          if (tensor.shape() != shape)
            throw IoError(path.string() + ": entry '" + name + "' has shape " +
                          mct::to_string(tensor.shape()) + ", the parameter " +
                          mct::to_string(shape));
          states[g][i][name.substr(prefix.size())] = std::move(tensor);
          found = true;
        }
      if (!found)
        throw IoError(path.string() + ": entry '" + name + "' belongs to no parameter here");
    }
    states_ = std::move(states);
    steps_ = counts[0];
    skipped_ = counts[1];
    auto next = counts.begin() + 2;
    for (auto& group : updates_)
      for (auto& count : group) count = *next++;
  }

 protected:
  /// The name in files.
  virtual std::string kind() const = 0;
  /// Updates one parameter, in place; `step` counts the updates of this one.
  virtual void update(const ParameterGroup<T, N>& group, const Tensor<T, N>& parameter,
                      const Tensor<T, 1>& grad, State& state, std::int64_t step) = 0;

  /// A state, zero at first.
  static const Tensor<T, N>& zeros_like(State& state, const std::string& name,
                                        const Tensor<T, N>& parameter) {
    const auto at = state.find(name);
    if (at != state.end()) return at->second;
    return state.emplace(name, Tensor<T, N>(parameter.shape())).first->second;
  }
  /// The gradient with N components.
  static Tensor<T, N> widened(const Tensor<T, 1>& grad) {
    if constexpr (N == 1) {
      return grad.clone();
    } else {
      return with_components<N>(grad);
    }
  }

 private:
  /// A state and a count for every parameter, new ones too.
  void match_states() {
    states_.resize(groups_.size());
    updates_.resize(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      states_[g].resize(groups_[g].parameters.size());
      updates_[g].resize(groups_[g].parameters.size());
    }
  }
  static std::string key(std::size_t group, std::size_t parameter) {
    return std::to_string(group) + "." + std::to_string(parameter);
  }

  std::vector<ParameterGroup<T, N>> groups_;
  std::vector<std::vector<State>> states_;
  std::vector<std::vector<std::int64_t>> updates_;
  std::int64_t steps_ = 0;
  std::int64_t skipped_ = 0;
};

}  // namespace mct::optim
