#include "mctensor/optim/mc_adamw.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/distinct_parameters.hpp"
#include "mctensor/tensor/convert.hpp"
#include "src/optim/adamw_floats.hpp"
#include "src/optim/precision_warning.hpp"
#include "src/optim/prefetch.hpp"
#include "src/optim/variables.hpp"

namespace mct::optim {

template <class T, class P>
McAdamW<T, P>::McAdamW(std::vector<Variable<P>> parameters, Strategy strategy,
                       const AdamWOptions& options)
    : AdamWState("McAdamW", strategy, format_of<T>, options, optim_detail::shapes_of(parameters)),
      variables_(std::move(parameters)) {
  optim_detail::require_distinct(owner_, variables_);
  optim_detail::warn_of_weight_decay(strategy_, format_, options_);
  require_variables(sizeof(P));
  for (const auto& variable : variables_) in_a_row_.push_back(variable.value().is_contiguous());
  allocate([this](const KeptArray& array, std::size_t i) {
    return !array.is_theta() || !is_own_theta(i);
  });
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const auto value = std::make_shared<Tensor<P>>(variables_[i].value());
    const Tensor<float> weights = convert<float, 1>(*value);
    if (is_own_theta(i)) {
      memory_[i].theta = value->data();
      blocks_.push_back(value);
    }
    set_value(i, weights);
  }
}

template <class T, class P>
McAdamW<T, P>::~McAdamW() {
  if (!releases_) return;
  for (const auto& variable : variables_) variable.node()->on_gradient = nullptr;
}

template <class T, class P>
bool McAdamW<T, P>::is_own_theta(std::size_t i) const {
  return layout_.theta == sizeof(P) && in_a_row_[i];
}

template <class T, class P>
void McAdamW<T, P>::set_value(std::size_t i, const Tensor<float>& value) {
  set_weights(i, value);
  show(i);
}

template <class T, class P>
void McAdamW<T, P>::show(std::size_t i) const {
  if (!is_own_theta(i))
    optim_detail::show_theta(strategy_, format_, memory_[i].theta, variables_[i].value());
}

template <class T, class P>
void McAdamW<T, P>::take_edits(std::size_t i) const {
  if (is_own_theta(i)) return;
  const Tensor<float> shown = convert<float, 1>(variables_[i].value()).contiguous();
  optim_detail::take_edits(strategy_, format_, shown.data(), memory_[i]);
}

template <class T, class P>
struct McAdamW<T, P>::Batch {
  std::vector<std::size_t> parameters;
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
    // in a row, as autograd makes it: no handle and no shape is read for each of thousands of
    // variables
    grad = node.gradient->data();
  } else {
    grad = batch.copies.emplace_back(variable.grad().contiguous()).data();
  }
  AdamWMemory& memory = batch.memory.emplace_back(memory_[i]);
  optim_detail::FloatSide floats;
  if (sizeof(P) == layout_.grad) {
    memory.grad = grad;
  } else {
    floats.grad = static_cast<const float*>(grad);
    if constexpr (std::is_same_v<P, float>)
      if (in_a_row_[i]) floats.theta = variable.value().data();
  }
  batch.floats.push_back(floats);
  batch.parameters.push_back(i);
  batch.elements += memory.count;
}

template <class T, class P>
StepReport McAdamW<T, P>::update(const Batch& batch, const AdamWOptions& options) {
  StepReport report;
  const std::size_t count = batch.parameters.size();
  for (const std::size_t i : batch.parameters)
    if (!in_a_row_[i]) take_edits(i);
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    // a parameter that had no gradient before is at another step
    const std::int64_t step = updates_[batch.parameters[begin]] + 1;
    while (end < count && updates_[batch.parameters[end]] + 1 == step) ++end;
    report += optim_detail::adamw_steps(
        strategy_, format_, std::span(batch.memory).subspan(begin, end - begin),
        std::span(batch.floats).subspan(begin, end - begin), options, step);
    for (std::size_t k = begin; k < end; ++k) {
      updates_[batch.parameters[k]] = step;
      if (!in_a_row_[batch.parameters[k]]) show(batch.parameters[k]);
    }
  }
  return report;
}

template <class T, class P>
std::int64_t McAdamW<T, P>::nonfinite(const Batch& batch) const {
  return optim_detail::count_nonfinite(strategy_, format_, batch.memory, batch.floats);
}

template <class T, class P>
StepReport McAdamW<T, P>::step_all(const double* max_grad_norm) {
  validate(options_, strategy_, format_);
  Batch batch;
  batch.parameters.reserve(variables_.size());
  batch.memory.reserve(variables_.size());
  batch.floats.reserve(variables_.size());
  // thousands of small variables lie in different places of memory
  constexpr std::size_t ahead = 8;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (i + ahead < variables_.size()) optim_detail::prefetch_object(*variables_[i + ahead].node());
    add(i, batch);
  }
  return take_step(
      max_grad_norm,
      {batch.elements,
       [&] { return optim_detail::gradient_norm(strategy_, format_, batch.memory, batch.floats); },
       [&] { return nonfinite(batch); },
       [&](const AdamWOptions& options) { return update(batch, options); }});
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
  require_norm(max_grad_norm);
  if (releases_)
    throw DomainError(
        "McAdamW: max_grad_norm " + number_text(max_grad_norm) +
        " cannot be used with gradient release, which frees gradients before their norm is known");
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
  validate(options_, strategy_, format_);
  Batch batch;
  add(i, batch);
  const std::int64_t bad = nonfinite(batch);
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
  bytes.states = allocated_;
  for (const auto& variable : variables_) {
    const std::int64_t own = variable.numel() * std::int64_t(sizeof(P));
    bytes.weights += own;
    bytes.gradients = releases_ ? std::max(bytes.gradients, own) : bytes.gradients + own;
  }
  return bytes;
}

template <class T, class P>
Tensor<float> McAdamW<T, P>::exact_value(std::size_t i) const {
  require_index("exact_value", i);
  take_edits(i);
  return weights(i);
}

template <class T, class P>
void McAdamW<T, P>::save(const std::filesystem::path& path) const {
  StateWriter writer;
  save_to(writer);
  writer.save(path);
}

template <class T, class P>
void McAdamW<T, P>::load(const std::filesystem::path& path) {
  StateReader reader(path, description());
  load_from(reader);
}

template <class T, class P>
void McAdamW<T, P>::save_to(StateWriter& writer) const {
  for (std::size_t i = 0; i < variables_.size(); ++i) take_edits(i);
  AdamWState::save_to(writer);
}

template <class T, class P>
void McAdamW<T, P>::load_from(StateReader& reader) {
  AdamWState::load_from(reader);
  for (std::size_t i = 0; i < variables_.size(); ++i) show(i);
}

template class McAdamW<bfloat16, float>;
template class McAdamW<half, float>;
template class McAdamW<bfloat16, bfloat16>;
template class McAdamW<half, half>;

}  // namespace mct::optim
