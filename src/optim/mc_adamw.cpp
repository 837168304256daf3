#include "mctensor/optim/mc_adamw.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/base/require_index.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/clip_factor.hpp"
#include "mctensor/optim/distinct_parameters.hpp"
#include "mctensor/tensor/convert.hpp"
#include "src/optim/adamw_floats.hpp"
#include "src/optim/precision_warning.hpp"
#include "src/optim/prefetch.hpp"

namespace mct::optim {

namespace {

/// Whole words of 16 bits, so that a file can hold them.
std::size_t bytes_of_array(const KeptArray& array, const Layout& layout, std::int64_t parameters) {
  const auto bytes = std::size_t(array.elements(parameters, layout)) * layout.*array.size;
  return bytes + bytes % 2;
}

/// A view of a contiguous variable's memory as a block that a Storage can be.
template <class P>
Storage storage_of(const Tensor<P>& value) {
  return Storage::wrap(value.data(), std::size_t(value.numel()) * sizeof(P), [value] {});
}

}  // namespace

template <class T, class P>
McAdamW<T, P>::McAdamW(std::vector<Variable<P>> parameters, Strategy strategy,
                       const AdamWOptions& options)
    : variables_(std::move(parameters)), strategy_(strategy), options_(options) {
  validate(options_, strategy_, format_of<T>);
  optim_detail::require_distinct("McAdamW", variables_);
  optim_detail::warn_of_weight_decay(strategy_, format_of<T>, options_);
  const Layout layout = layout_of(strategy_);
  if (layout.theta != sizeof(P) && sizeof(P) != sizeof(float))
    throw DomainError("McAdamW: " + to_string(strategy_) + " needs variables of float, not of " +
                      to_string(format_of<T>));
  slots_.resize(variables_.size());
  for (std::size_t i = 0; i < slots_.size(); ++i)
    slots_[i].in_a_row = variables_[i].value().is_contiguous();
  for (std::size_t k = 0; k < kept_arrays.size(); ++k)
    if (kept_arrays[k].is_kept(layout)) allocate(k);
  std::int64_t first = 0;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    AdamWMemory& memory = slots_[i].memory;
    for (std::size_t k = 0; k < kept_arrays.size(); ++k)
      memory.*kept_arrays[k].data = slots_[i].arrays[k].data();
    memory.count = variables_[i].numel();
    memory.first = first;
    first += (variables_[i].numel() + scale_group - 1) / scale_group * scale_group;
    set_value(i, convert<float, 1>(variables_[i].value()));
  }
}

template <class T, class P>
void McAdamW<T, P>::allocate(std::size_t k) {
  const Layout layout = layout_of(strategy_);
  const auto bytes_of_slot = [&](std::size_t i) {
    return bytes_of_array(kept_arrays[k], layout, variables_[i].numel());
  };
  const auto is_owned = [&](std::size_t i) { return k != theta_place || !is_own_theta(i); };
  const auto aligned = [](std::size_t bytes) {
    return (bytes + tensor_alignment - 1) / tensor_alignment * tensor_alignment;
  };
  std::size_t total = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (is_owned(i)) total += aligned(bytes_of_slot(i));
  const Storage all = Storage::allocate(total, true);
  auto* next = static_cast<unsigned char*>(all.data());
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (is_owned(i)) {
      slots_[i].arrays[k] = Storage::wrap(next, bytes_of_slot(i), [all] {});
      next += aligned(bytes_of_slot(i));
    } else {
      slots_[i].arrays[k] = storage_of(variables_[i].value());
    }
  }
}

template <class T, class P>
McAdamW<T, P>::~McAdamW() {
  if (!releases_) return;
  for (const auto& variable : variables_) variable.node()->on_gradient = nullptr;
}

template <class T, class P>
bool McAdamW<T, P>::is_own_theta(std::size_t i) const {
  return layout_of(strategy_).theta == sizeof(P) && slots_[i].in_a_row;
}

template <class T, class P>
const AdamWMemory& McAdamW<T, P>::memory(std::size_t i) const {
  base_detail::require_index("McAdamW: memory: parameter", i, slots_.size(), "parameters");
  return slots_[i].memory;
}

template <class T, class P>
void McAdamW<T, P>::set_value(std::size_t i, const Tensor<float>& value) {
  base_detail::require_index("McAdamW: set_value: parameter", i, slots_.size(), "parameters");
  if (value.shape() != variables_[i].shape())
    throw ShapeError("McAdamW: a value of shape " + mct::to_string(value.shape()) +
                     " for a parameter of shape " + mct::to_string(variables_[i].shape()));
  const Tensor<float> from = value.contiguous();
  optim_detail::split_weights<T>(composition_of(strategy_), from.data(), slots_[i].memory);
  show(i);
}

template <class T, class P>
void McAdamW<T, P>::show(std::size_t i) const {
  if (is_own_theta(i)) return;
  const Tensor<P>& value = variables_[i].value();
  const AdamWMemory& memory = slots_[i].memory;
  if constexpr (std::is_same_v<P, T>) {
    value.copy_(Tensor<T>::from_memory(static_cast<T*>(memory.theta), value.shape()));
  } else {
    Composition theta_alone;
    theta_alone.theta = composition_of(strategy_).theta;
    const auto shown = value.is_contiguous() ? value : Tensor<P>::uninitialized(value.shape());
    optim_detail::join_weights<T>(theta_alone, memory, shown.data());
    if (!value.is_contiguous()) value.copy_(shown);
  }
}

template <class T, class P>
void McAdamW<T, P>::take_edits(std::size_t i) const {
  if (is_own_theta(i)) return;
  const Tensor<float> shown = convert<float, 1>(variables_[i].value()).contiguous();
  optim_detail::take_edits<T>(composition_of(strategy_), shown.data(), slots_[i].memory);
}

template <class T, class P>
struct McAdamW<T, P>::Batch {
  std::vector<std::size_t> slots;
  std::vector<AdamWMemory> memory;
  std::vector<optim_detail::FloatSide> floats;
  std::vector<Tensor<P>> copies;  // of gradients that do not lie in a row
  std::int64_t elements = 0;
};

template <class T, class P>
void McAdamW<T, P>::add(std::size_t i, Batch& batch) const {
  const Variable<P>& variable = variables_[i];
  const auto& node = *variable.node();
  if (!variable.has_grad()) return;
  const void* grad = nullptr;
  if (node.is_leaf && node.sparse.empty()) {
    // in a row, as autograd makes it; no handle and no shape is looked at for each of thousands
    grad = node.gradient->data();
  } else {
    grad = batch.copies.emplace_back(variable.grad().contiguous()).data();
  }
  AdamWMemory& memory = batch.memory.emplace_back(slots_[i].memory);
  optim_detail::FloatSide floats;
  if (sizeof(P) == layout_of(strategy_).grad) {
    memory.grad = grad;
  } else {
    floats.grad = static_cast<const float*>(grad);
    if constexpr (std::is_same_v<P, float>)
      if (slots_[i].in_a_row) floats.theta = variable.value().data();
  }
  batch.floats.push_back(floats);
  batch.slots.push_back(i);
  batch.elements += memory.count;
}

template <class T, class P>
StepReport McAdamW<T, P>::update(const Batch& batch, const AdamWOptions& options) {
  StepReport report;
  const std::size_t count = batch.slots.size();
  for (const std::size_t i : batch.slots)
    if (!slots_[i].in_a_row) take_edits(i);
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    // a parameter that had no gradient before is at another step
    const std::int64_t step = slots_[batch.slots[begin]].steps + 1;
    while (end < count && slots_[batch.slots[end]].steps + 1 == step) ++end;
    report += optim_detail::adamw_steps(
        strategy_, format_of<T>, std::span(batch.memory).subspan(begin, end - begin),
        std::span(batch.floats).subspan(begin, end - begin), options, step);
    for (std::size_t k = begin; k < end; ++k) {
      slots_[batch.slots[k]].steps = step;
      if (!slots_[batch.slots[k]].in_a_row) show(batch.slots[k]);
    }
  }
  return report;
}

template <class T, class P>
StepReport McAdamW<T, P>::step_all(const double* max_grad_norm) {
  validate(options_, strategy_, format_of<T>);
  Batch batch;
  batch.slots.reserve(slots_.size());
  batch.memory.reserve(slots_.size());
  batch.floats.reserve(slots_.size());
  // of thousands of small variables every one lies somewhere else
  constexpr std::size_t ahead = 8;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (i + ahead < slots_.size()) optim_detail::prefetch_object(*variables_[i + ahead].node());
    add(i, batch);
  }
  StepReport report;
  report.elements = batch.elements;
  AdamWOptions options = options_;
  double norm = 0;
  bool surely_finite = false;
  if (max_grad_norm != nullptr) {
    const double plain_norm =
        optim_detail::gradient_norm(strategy_, format_of<T>, batch.memory, batch.floats);
    // no element is larger
    surely_finite = plain_norm < optim_detail::overflow_limit(strategy_, format_of<T>);
    norm = std::abs(options.grad_scale) * plain_norm;
    options.grad_scale *= clip_factor(norm, *max_grad_norm);
  }
  if (!surely_finite)
    report.nonfinite =
        optim_detail::count_nonfinite(strategy_, format_of<T>, batch.memory, batch.floats);
  if (report.nonfinite > 0) {
    report.skipped = true;
    ++skipped_;
  } else {
    report = update(batch, options);
    ++steps_;
  }
  report.grad_norm = norm;
  return report;
}

template <class T, class P>
StepReport McAdamW<T, P>::step() {
  StepReport report = step_all(nullptr);
  report += released_;
  released_ = {};
  return report;
}

template <class T, class P>
StepReport McAdamW<T, P>::step(double max_grad_norm) {
  if (!(max_grad_norm > 0))
    throw DomainError("McAdamW: max_grad_norm " + number_text(max_grad_norm) + " is not positive");
  if (releases_)
    throw DomainError("McAdamW: max_grad_norm " + number_text(max_grad_norm) +
                      ": gradients are released before their norm is known");
  return step_all(&max_grad_norm);
}

template <class T, class P>
void McAdamW<T, P>::set_gradient_release(bool on) {
  for (std::size_t i = 0; i < variables_.size(); ++i)
    variables_[i].set_grad_hook(on ? std::function<void()>([this, i] { step_released(i); })
                                   : nullptr);
  releases_ = on;
}

template <class T, class P>
void McAdamW<T, P>::step_released(std::size_t i) {
  validate(options_, strategy_, format_of<T>);
  Batch batch;
  add(i, batch);
  const auto bad =
      optim_detail::count_nonfinite(strategy_, format_of<T>, batch.memory, batch.floats);
  if (bad == 0) {
    released_ += update(batch, options_);
  } else {
    released_.elements += batch.elements;
    released_.nonfinite += bad;
  }
  variables_[i].zero_grad();
}

template <class T, class P>
void McAdamW<T, P>::zero_grad() const {
  for (const auto& variable : variables_) variable.zero_grad();
}

template <class T, class P>
ParameterBytes McAdamW<T, P>::bytes() const {
  ParameterBytes bytes;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const std::int64_t own = variables_[i].numel() * std::int64_t(sizeof(P));
    bytes.weights += own;
    for (std::size_t k = 0; k < kept_arrays.size(); ++k)
      if (k != theta_place || !is_own_theta(i))
        bytes.states += std::int64_t(slots_[i].arrays[k].bytes());
    bytes.gradients = releases_ ? std::max(bytes.gradients, own) : bytes.gradients + own;
  }
  return bytes;
}

template <class T, class P>
std::int64_t McAdamW<T, P>::parameters() const {
  std::int64_t sum = 0;
  for (const auto& variable : variables_) sum += variable.numel();
  return sum;
}

template <class T, class P>
Tensor<float> McAdamW<T, P>::exact_value(std::size_t i) const {
  base_detail::require_index("McAdamW: exact_value: parameter", i, slots_.size(), "parameters");
  take_edits(i);
  auto result = Tensor<float>::uninitialized(variables_[i].shape());
  optim_detail::join_weights<T>(composition_of(strategy_), slots_[i].memory, result.data());
  return result;
}

template class McAdamW<bfloat16, float>;
template class McAdamW<half, float>;
template class McAdamW<bfloat16, bfloat16>;
template class McAdamW<half, half>;

}  // namespace mct::optim
