// Modules that consist of other modules.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "mctensor/base/require_index.hpp"
#include "mctensor/nn/module.hpp"

namespace mct::nn {

/// Layers that run one after the other. Their names are "0", "1", ...
template <class T, int N = 1, int A = 1, int M = 1>
class Sequential : public Layer<T, N, A, M> {
 public:
  using typename Layer<T, N, A, M>::Activation;
  using Part = Layer<T, N, A, M>;

  Sequential() = default;
  template <class... Parts>
  explicit Sequential(const std::shared_ptr<Parts>&... parts) {
    (append(parts), ...);
  }

  void append(const std::shared_ptr<Part>& part) {
    parts_.push_back(this->register_module(std::to_string(parts_.size()), part));
  }
  /// Makes a layer of this kind, appends it and returns it: emplace<Linear>(3, 4, seed).
  template <template <class, int, int, int> class Kind, class... Arguments>
  std::shared_ptr<Kind<T, N, A, M>> emplace(Arguments&&... arguments) {
    // make_shared would compile some forty functions for each kind and each list of arguments
    const std::shared_ptr<Kind<T, N, A, M>> part(
        new Kind<T, N, A, M>(std::forward<Arguments>(arguments)...));
    append(part);
    return part;
  }

  Activation forward(const Activation& x) override {
    Activation y = x;
    for (const auto& part : parts_) y = part->forward(y);
    return y;
  }

  std::size_t size() const { return parts_.size(); }
  /// Throws ShapeError unless i is below size().
  const std::shared_ptr<Part>& operator[](std::size_t i) const {
    base_detail::require_index("Sequential: index", i, parts_.size(), "parts");
    return parts_[i];
  }

 private:
  std::vector<std::shared_ptr<Part>> parts_;
};

/// A list of modules of one type, with the names "0", "1", ... It has no forward(): the caller
/// calls the modules, in any order.
template <class Part>
class ModuleList : public Module<typename Part::Parameter::Component, Part::Parameter::components,
                                 Part::Parameter::grad_components> {
 public:
  void append(const std::shared_ptr<Part>& part) {
    parts_.push_back(this->register_module(std::to_string(parts_.size()), part));
  }

  std::size_t size() const { return parts_.size(); }
  /// Throws ShapeError unless i is below size().
  const std::shared_ptr<Part>& operator[](std::size_t i) const {
    base_detail::require_index("ModuleList: index", i, parts_.size(), "parts");
    return parts_[i];
  }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }

 private:
  std::vector<std::shared_ptr<Part>> parts_;
};

}  // namespace mct::nn
