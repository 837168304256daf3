// The base class of all modules. It has named parameters and buffers, and a mode: training or
// evaluation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/autograd/all.hpp"
#include "mctensor/error.hpp"

namespace mct::nn {

/// Tensors by the names of parameters and buffers.
template <class T, int N>
using StateDict = std::map<std::string, Tensor<T, N>>;

/// The error message about keys that are missing or unexpected or have another shape. Empty lists
/// give an empty text.
std::string describe_mismatch(const std::vector<std::string>& missing,
                              const std::vector<std::string>& unexpected,
                              const std::vector<std::string>& misshapen);

/// A part of a model with parameters of N components of T, whose gradients have M components (see
/// Variable). Names are PyTorch's. The names of the modules around a parameter and its own name are
/// joined by dots, as in "0.weight" and "attn.out_proj.bias".
///
/// Derive your own modules from this class, and register their parameters and parts in the
/// constructor.
template <class T, int N = 1, int M = 1>
class Module {
 public:
  using Parameter = Variable<T, N, M>;
  using Named = std::vector<std::pair<std::string, Parameter>>;

  Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  virtual ~Module() = default;

  /// All parameters with their names, in the order of registration. A module's own parameters come
  /// before the parameters of its parts. A parameter that several parts share is listed once, under
  /// its first name.
  Named named_parameters() const {
    Named all;
    visit("", [&](const std::string& name, const Parameter& p, bool is_buffer) {
      if (!is_buffer) collect(name, p, all);
    });
    return all;
  }
  /// All parameters and buffers with their names, for save_checkpoint(). Buffers have no gradients.
  Named named_state() const {
    Named all;
    visit("", [&](const std::string& name, const Parameter& p, bool) { collect(name, p, all); });
    return all;
  }
  std::vector<Parameter> parameters() const {
    std::vector<Parameter> all;
    for (const auto& [name, parameter] : named_parameters()) all.push_back(parameter);
    return all;
  }
  std::int64_t num_parameters() const {
    std::int64_t count = 0;
    for (const auto& parameter : parameters()) count += parameter.numel();
    return count;
  }

  /// The tensors of parameters and buffers, which share memory with the module. A parameter that
  /// several parts share is listed under each of its names.
  StateDict<T, N> state_dict() const {
    StateDict<T, N> state;
    visit("", [&](const std::string& name, const Parameter& p, bool) {
      state.emplace(name, p.value());
    });
    return state;
  }
  /// Copies tensors of N components, or plain tensors (the other components become zero), into the
  /// parameters and buffers. Without `strict`, missing and unexpected keys are ignored. Throws
  /// DomainError if keys are missing or unexpected, else ShapeError if a shape differs. The message
  /// lists these keys. After an error nothing has changed.
  template <int K>
  requires(K == N || K == 1) void load_state_dict(const StateDict<T, K>& state,
                                                  bool strict = true) const {
    check_state(
        [&](const std::string& name) {
          const auto found = state.find(name);
          return found == state.end() ? nullptr : &found->second.shape();
        },
        state, strict);
    visit("", [&](const std::string& name, const Parameter& p, bool) {
      const auto found = state.find(name);
      if (found != state.end()) p.value().copy_(tensor_detail::widen<T, N>(found->second));
    });
  }

  void zero_grad() const {
    for (const auto& parameter : parameters()) parameter.zero_grad();
  }
  /// Switches this module and its parts to training or evaluation. Some modules, such as Dropout,
  /// do different things in the two modes. Modules start in training.
  void train(bool on = true) {
    training_ = on;
    for (const auto& part : parts_) part.second->train(on);
  }
  void eval() { train(false); }
  bool is_training() const { return training_; }

 protected:
  /// Makes a tensor a parameter of this module and returns the parameter. Throws DomainError for a
  /// name that is already used, is empty or contains a dot.
  Parameter register_parameter(const std::string& name, const Tensor<T, N>& value) {
    check_name(name);
    own_.emplace_back(name, Parameter(value, true));
    return own_.back().second;
  }
  /// Makes a tensor a buffer: a part of the state that no optimizer trains, such as a running mean.
  /// Returns a variable without gradient, whose elements this module may write. Throws as
  /// register_parameter.
  Parameter register_buffer(const std::string& name, const Tensor<T, N>& value) {
    check_name(name);
    buffers_.emplace_back(name, Parameter(value));
    return buffers_.back().second;
  }
  /// Registers a part and returns it. The same part may be registered twice. Throws DomainError for
  /// a name that register_parameter refuses, for a null pointer, and for a part that contains this
  /// module.
  template <class Part>
  std::shared_ptr<Part> register_module(const std::string& name, std::shared_ptr<Part> part) {
    check_name(name);
    if (!part) throw DomainError("register_module: no module given for '" + name + "'");
    if (static_cast<const Module&>(*part).has(this))
      throw DomainError("register_module: the module given for '" + name +
                        "' contains the module that would get it");
    parts_.emplace_back(name, part);
    return part;
  }

 private:
  /// True if `other` is this module or one of its parts, at any depth.
  bool has(const Module* other) const {
    if (other == this) return true;
    return std::any_of(parts_.begin(), parts_.end(),
                       [&](const auto& part) { return part.second->has(other); });
  }

  template <class Visit>
  void visit(const std::string& prefix, const Visit& f) const {
    for (const auto& [name, parameter] : own_) f(prefix + name, parameter, false);
    for (const auto& [name, buffer] : buffers_) f(prefix + name, buffer, true);
    for (const auto& [name, part] : parts_) part->visit(prefix + name + ".", f);
  }

  static void collect(const std::string& name, const Parameter& p, Named& all) {
    for (const auto& [seen, parameter] : all)
      if (parameter.node() == p.node()) return;
    all.emplace_back(name, p);
  }

  void check_name(const std::string& name) const {
    bool taken = false;
    for (const auto& [other, parameter] : own_) taken = taken || other == name;
    for (const auto& [other, buffer] : buffers_) taken = taken || other == name;
    for (const auto& [other, part] : parts_) taken = taken || other == name;
    if (taken || name.empty() || name.find('.') != std::string::npos)
      throw DomainError("module: the name '" + name +
                        "' cannot be registered: it is used already, is empty or has a dot");
  }

  template <class Find, class State>
  void check_state(const Find& find, const State& state, bool strict) const {
    std::vector<std::string> missing;
    std::vector<std::string> unexpected;
    std::vector<std::string> misshapen;
    std::map<std::string, bool> known;
    visit("", [&](const std::string& name, const Parameter& p, bool) {
      known[name] = true;
      const Shape* const shape = find(name);
      if (shape == nullptr) {
        if (strict) missing.push_back(name);
      } else if (*shape != p.shape()) {
        misshapen.push_back(name + " (" + to_string(*shape) + " given, " + to_string(p.shape()) +
                            " expected)");
      }
    });
    for (const auto& [name, tensor] : state)
      if (strict && known.count(name) == 0) unexpected.push_back(name);
    const std::string problem = describe_mismatch(missing, unexpected, misshapen);
    if (problem.empty()) return;
    if (missing.empty() && unexpected.empty()) throw ShapeError(problem);
    throw DomainError(problem);
  }

  std::vector<std::pair<std::string, Parameter>> own_, buffers_;
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> parts_;
  bool training_ = true;
};

/// A module that maps one variable to another. Its inputs and outputs, the activations, have A
/// components. With A = 1, each product with parameters of N components is rounded to a plain
/// tensor, as in Yu 2024. With A = N, activations keep all components.
template <class T, int N = 1, int A = 1, int M = 1>
class Layer : public Module<T, N, M> {
  static_assert(A == 1 || A == N, "activations are plain or have the components of the parameters");

 public:
  using Activation = Variable<T, A, M>;

  virtual Activation forward(const Activation& x) = 0;
  Activation operator()(const Activation& x) { return forward(x); }
  /// forward() of a tensor, which gets no gradient. For A > 1, the further components of a plain
  /// tensor are zero.
  template <int K>
  requires(K == A || K == 1) Activation operator()(const Tensor<T, K>& x) {
    return forward(Activation(tensor_detail::widen<T, A>(x)));
  }
};

/// A result as an activation of A components.
template <int A, class T, int N, int M>
Variable<T, A, M> to_activation(const Variable<T, N, M>& x) {
  if constexpr (A == N) {
    return x;
  } else if constexpr (A == 1) {
    return x.evaluate();
  } else {
    return convert<T, A>(x);
  }
}

}  // namespace mct::nn
