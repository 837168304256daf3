#include "mctensor/optim/mc_adamw.hpp"

#include <functional>
#include <string>
#include <utility>

#include "mctensor/error.hpp"
#include "mctensor/optim/state_file.hpp"
#include "src/optim/adamw_floats.hpp"
#include "src/optim/precision_warning.hpp"

namespace mct::optim {

namespace {

constexpr std::size_t theta_place = place_of("theta");

template <class T>
constexpr Format format_of = std::is_same_v<T, half> ? Format::float16 : Format::bfloat16;

/// True for the arrays that every step needs.
bool is_kept(const KeptArray& array, const Layout& layout) {
  return layout.*array.size > 0 && !array.optional;
}

/// Whole words of 16 bits, so that a file can hold them.
std::size_t bytes_of_array(const KeptArray& array, const Layout& layout, std::int64_t parameters) {
  const auto bytes = std::size_t(array.elements(parameters)) * layout.*array.size;
  return bytes + bytes % 2;
}

/// A view of a contiguous variable's floats as a block that a Storage can be.
Storage storage_of(const Tensor<float>& value) {
  return Storage::wrap(value.data(), std::size_t(value.numel()) * sizeof(float), [value] {});
}

StateDescription description_of(Strategy strategy, Format format) {
  return {{"mctensor.optimizer", "McAdamW"},
          {"mctensor.strategy", to_string(strategy)},
          {"mctensor.type", to_string(format)}};
}

/// Codes of e4m3, two in a T: no NaN and, if they are so, none below 0.
template <class T>
void check_codes(const StateReader& reader, const std::string& name, const Tensor<T>& pairs,
                 bool never_negative) {
  const std::int64_t count = pairs.numel();
  for (std::int64_t i = 0; i < count; ++i)
    for (const int shift : {0, 8}) {
      const unsigned code = (unsigned(pairs.data()[i].bits()) >> shift) & 0xffu;
      if ((code & 0x7fu) == 0x7fu) reader.fail(name, "holds NaN");
      if (never_negative && code > 0x80u) reader.fail(name, "holds a negative number");
    }
}

}  // namespace

template <class T>
McAdamW<T>::McAdamW(std::vector<Variable<float>> parameters, Strategy strategy,
                    const AdamWOptions& options)
    : variables_(std::move(parameters)), strategy_(strategy), options_(options) {
  validate(options_, strategy_, format_of<T>);
  optim_detail::warn_of_weight_decay(strategy_, format_of<T>, options_);
  const Layout layout = layout_of(strategy_);
  std::int64_t first = 0;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Tensor<float>& value = variables_[i].value();
    Slot& slot = slots_.emplace_back();
    for (std::size_t k = 0; k < kept_arrays.size(); ++k)
      if (is_kept(kept_arrays[k], layout))
        slot.arrays[k] =
            k == theta_place && is_own_theta(i)
                ? storage_of(value)
                : Storage::allocate(bytes_of_array(kept_arrays[k], layout, value.numel()), true);
    slot.first = first;
    first += (value.numel() + scale_group - 1) / scale_group * scale_group;
    set_value(i, value);
  }
}

template <class T>
bool McAdamW<T>::is_own_theta(std::size_t i) const {
  return composition_of(strategy_).theta == Number::float32 &&
         variables_[i].value().is_contiguous();
}

template <class T>
AdamWMemory McAdamW<T>::memory_of(std::size_t i) const {
  AdamWMemory memory;
  for (std::size_t k = 0; k < kept_arrays.size(); ++k)
    memory.*kept_arrays[k].data = slots_[i].arrays[k].data();
  memory.count = variables_[i].numel();
  memory.first = slots_[i].first;
  return memory;
}

template <class T>
void McAdamW<T>::set_value(std::size_t i, const Tensor<float>& value) {
  if (value.shape() != variables_.at(i).shape())
    throw ShapeError("McAdamW: a value of shape " + mct::to_string(value.shape()) +
                     " for a parameter of shape " + mct::to_string(variables_[i].shape()));
  const Tensor<float> from = value.contiguous();
  optim_detail::split_weights<T>(composition_of(strategy_), from.data(), memory_of(i));
  show(i);
}

template <class T>
void McAdamW<T>::show(std::size_t i) const {
  if (is_own_theta(i)) return;
  Composition theta_alone;
  theta_alone.theta = composition_of(strategy_).theta;
  const Tensor<float>& value = variables_[i].value();
  const auto shown = value.is_contiguous() ? value : Tensor<float>::uninitialized(value.shape());
  optim_detail::join_weights<T>(theta_alone, memory_of(i), shown.data());
  if (!value.is_contiguous()) value.copy_(shown);
}

template <class T>
StepReport McAdamW<T>::step() {
  validate(options_, strategy_, format_of<T>);
  std::vector<Tensor<float>> grads(slots_.size());
  StepReport report;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (!variables_[i].has_grad()) continue;
    grads[i] = variables_[i].grad().contiguous();
    report.elements += grads[i].numel();
    report.nonfinite +=
        optim_detail::count_nonfinite(strategy_, format_of<T>, grads[i].data(), grads[i].numel());
  }
  if (report.nonfinite > 0) {
    report.skipped = true;
    ++skipped_;
    return report;
  }
  ++steps_;
  report = {};
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (variables_[i].has_grad()) report += update(i, grads[i]);
  return report;
}

template <class T>
StepReport McAdamW<T>::update(std::size_t i, const Tensor<float>& grad) {
  const Tensor<float>& value = variables_[i].value();
  AdamWMemory memory = memory_of(i);
  optim_detail::FloatSide floats;
  if (composition_of(strategy_).theta == Number::float32) {
    memory.grad = grad.data();
  } else {
    floats.grad = grad.data();
    if (value.is_contiguous()) floats.theta = value.data();
  }
  const StepReport report = optim_detail::adamw_step(strategy_, format_of<T>, memory, floats,
                                                     options_, ++slots_[i].steps);
  if (!value.is_contiguous()) show(i);
  return report;
}

template <class T>
void McAdamW<T>::zero_grad() const {
  for (const auto& variable : variables_) variable.zero_grad();
}

template <class T>
std::int64_t McAdamW<T>::bytes() const {
  std::size_t sum = 0;
  for (const Slot& slot : slots_)
    for (const Storage& array : slot.arrays) sum += array.bytes();
  return std::int64_t(sum);
}

template <class T>
std::int64_t McAdamW<T>::variable_bytes() const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (!is_own_theta(i)) sum += variables_[i].numel() * std::int64_t(sizeof(float));
  return sum;
}

template <class T>
std::int64_t McAdamW<T>::parameters() const {
  std::int64_t sum = 0;
  for (const auto& variable : variables_) sum += variable.numel();
  return sum;
}

template <class T>
Tensor<float> McAdamW<T>::exact_value(std::size_t i) const {
  auto result = Tensor<float>::uninitialized(variables_.at(i).shape());
  optim_detail::join_weights<T>(composition_of(strategy_), memory_of(i), result.data());
  return result;
}

template <class T>
template <class Visit>
void McAdamW<T>::for_each_entry(std::size_t i, const Visit& visit) const {
  const Composition parts = composition_of(strategy_);
  const Layout layout = layout_of(parts);
  for (std::size_t k = 0; k < kept_arrays.size(); ++k) {
    const KeptArray& array = kept_arrays[k];
    if (!is_kept(array, layout)) continue;
    const Storage& storage = slots_[i].arrays[k];
    const Content content = array.content(parts);
    const bool is_float = content == Content::float32 || content == Content::scales;
    const auto words = std::int64_t(storage.bytes() / (is_float ? sizeof(float) : sizeof(T)));
    // as the parameter, where there is one number for each
    const Shape& own = variables_[i].shape();
    const Shape shape = words == numel(own) ? own : Shape{words};
    const std::string name = std::to_string(i) + "." + array.name;
    if (is_float) {
      visit(name, array, content,
            Tensor<float>::from_memory(static_cast<float*>(storage.data()), shape));
    } else {
      visit(name, array, content, Tensor<T>::from_memory(static_cast<T*>(storage.data()), shape));
    }
  }
}

template <class T>
StateDescription McAdamW<T>::description() const {
  return description_of(strategy_, format_of<T>);
}

template <class T>
void McAdamW<T>::save(const std::filesystem::path& path) const {
  StateWriter writer;
  save_to(writer);
  writer.save(path);
}

template <class T>
void McAdamW<T>::load(const std::filesystem::path& path) {
  StateReader reader(path, description());
  load_from(reader);
}

template <class T>
void McAdamW<T>::save_to(StateWriter& writer) const {
  StateCounts counts{steps_, skipped_, {}};
  for (const Slot& slot : slots_) counts.updates.push_back(slot.steps);
  writer.describe(description(), counts);
  // the seed, bit for bit
  writer.add("seed", Tensor<std::int64_t>::from_values({std::int64_t(options_.seed)}));
  for (std::size_t i = 0; i < slots_.size(); ++i)
    for_each_entry(i, [&](const std::string& name, const KeptArray& /*array*/, Content /*content*/,
                          const auto& tensor) { writer.add(name, tensor); });
}

template <class T>
void McAdamW<T>::load_from(StateReader& reader) {
  const StateCounts counts = reader.counts(slots_.size());
  const auto seed = reader.state<std::int64_t, 1>("seed", {1}, StateValues::any).item();
  // everything is read before the first array is written
  std::vector<std::function<void()>> writes;
  for (std::size_t i = 0; i < slots_.size(); ++i)
    for_each_entry(i, [&](const std::string& name, const KeptArray& array, Content content,
                          const auto& tensor) {
      using Element = typename std::remove_cvref_t<decltype(tensor)>::Component;
      const bool is_number = content != Content::e4m3 && content != Content::lower_bits;
      const auto number = array.never_negative ? StateValues::not_negative : StateValues::finite;
      const auto loaded =
          reader.state<Element, 1>(name, tensor.shape(), is_number ? number : StateValues::any);
      if constexpr (std::is_same_v<Element, T>)
        if (content == Content::e4m3) check_codes(reader, name, loaded, array.never_negative);
      writes.emplace_back([tensor, loaded] { tensor.copy_(loaded); });
    });
  reader.finish();
  for (const auto& write : writes) write();
  for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i].steps = counts.updates[i];
  steps_ = counts.steps;
  skipped_ = counts.skipped;
  options_.seed = std::uint64_t(seed);
  for (std::size_t i = 0; i < slots_.size(); ++i) show(i);
}

template class McAdamW<bfloat16>;
template class McAdamW<half>;

}  // namespace mct::optim
