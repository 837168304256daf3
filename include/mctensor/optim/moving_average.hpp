// Exponential moving averages of weights, with one component more than the weights.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/base/require_index.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/distinct_parameters.hpp"
#include "mctensor/optim/state_file.hpp"
#include "mctensor/tensor/elementwise.hpp"

namespace mct::optim {

/// Throws DomainError unless decay is in [0, 1).
void validate_average_decay(double decay);

/// Averages a of parameters p: update() computes a <- a + (1 - decay) (p - a). Averages have A
/// components. With one component of bfloat16 and a decay of 0.9999, an average would not move
/// unless |p - a| is about 20 |a| or more: a smaller step is below half a unit in its last place.
///
/// swap_in() replaces the parameters by the averages, rounded to N components, for evaluation or
/// saving. swap_out() brings the weights back. Take no optimizer step in between: it would start
/// from the averages, and swap_out() would undo it.
template <class T, int N = 1, int A = N + 1>
class ExponentialMovingAverage {
  static_assert(A >= N, "an average has at least the components of the parameters");

 public:
  /// The averages begin with the values of the parameters. Throws DomainError unless decay is in
  /// [0, 1), and if a variable occurs twice.
  explicit ExponentialMovingAverage(std::vector<Variable<T, N>> parameters, double decay = 0.9999)
      : parameters_(std::move(parameters)), decay_(decay) {
    validate_average_decay(decay);
    optim_detail::require_distinct("moving average", parameters_);
    for (const auto& p : parameters_) averages_.push_back(widened(p.value()));
  }

  /// Call update() after each step of the optimizer. Throws DomainError while the averages are
  /// swapped in.
  void update() {
    if (is_swapped()) fail("update");
    ++updates_;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const Tensor<T, A> difference = sub(widened(parameters_[i].value()), averages_[i]);
      add_(averages_[i], mul(difference, 1 - decay_));
    }
  }
  std::int64_t updates() const { return updates_; }
  /// The average of parameter i. Throws ShapeError unless there is a parameter i.
  const Tensor<T, A>& average(std::size_t i) const {
    base_detail::require_index("moving average: average: parameter", i, averages_.size(),
                               "parameters");
    return averages_[i];
  }

  /// swap_in() throws DomainError if the averages are swapped in already. swap_out() throws
  /// DomainError if they are not.
  void swap_in() {
    if (is_swapped()) fail("swap_in");
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      weights_.push_back(parameters_[i].value().clone());
      parameters_[i].value().copy_(convert<T, N>(averages_[i]));
    }
    swapped_ = true;
  }
  void swap_out() {
    if (!is_swapped()) fail("swap_out");
    for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i].value().copy_(weights_[i]);
    weights_.clear();
    swapped_ = false;
  }
  bool is_swapped() const { return swapped_; }

  /// Writes the averages, exactly. Throws IoError.
  void save(const std::filesystem::path& path) const {
    StateWriter writer(description(), {updates_, 0, {}});
    for (std::size_t i = 0; i < averages_.size(); ++i) writer.add(key(i), averages_[i]);
    writer.save(path);
  }
  /// Reads the averages. Throws IoError if an entry is missing, unknown, of another shape or type,
  /// or not finite; the message names the entry. After an error nothing has changed.
  void load(const std::filesystem::path& path) {
    StateReader reader(path, description());
    const StateCounts counts = reader.counts(0);
    std::vector<Tensor<T, A>> averages;
    for (std::size_t i = 0; i < averages_.size(); ++i)
      averages.push_back(
          reader.template state<T, A>(key(i), averages_[i].shape(), StateValues::finite));
    reader.finish();
    averages_ = std::move(averages);
    updates_ = counts.steps;
  }

 private:
  static StateDescription description() {
    return {{"mctensor.optimizer", "ExponentialMovingAverage"}};
  }
  static std::string key(std::size_t i) { return std::to_string(i) + ".average"; }
  static Tensor<T, A> widened(const Tensor<T, N>& x) {
    Tensor<T, A> wide(x.shape());
    for (int k = 0; k < N; ++k) wide.plane(k).copy_(x.plane(k));
    return wide;
  }
  [[noreturn]] void fail(const char* what) const {
    throw DomainError(
        std::string(what) + ": the averages are " +
        (swapped_ ? "swapped in; call swap_out() first" : "not swapped in; call swap_in() first"));
  }

  std::vector<Variable<T, N>> parameters_;
  double decay_;
  std::vector<Tensor<T, A>> averages_;
  std::vector<Tensor<T, N>> weights_;
  bool swapped_ = false;
  std::int64_t updates_ = 0;
};

}  // namespace mct::optim
