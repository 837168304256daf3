#include "mctensor/optim/mc_adamw.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "mctensor/error.hpp"
#include "mctensor/optim/gradients.hpp"
#include "mctensor/optim/step_counts.hpp"
#include "mctensor/tensor/safetensors.hpp"
#include "src/optim/split_float.hpp"

namespace mct::optim {

namespace {

constexpr std::int64_t group = 128;

template <class T>
constexpr Format format_of = std::is_same_v<T, half> ? Format::float16 : Format::bfloat16;

/// The parts of a slot with their names in a file.
constexpr std::array<const char*, 5> array_names = {"theta", "low", "m", "v", "v_low"};

template <class Slot>
auto arrays_of(Slot& slot) {
  return std::array{&slot.theta, &slot.low, &slot.m, &slot.v, &slot.v_low};
}

std::string settings_text(Strategy strategy, Format format) {
  return to_string(strategy) + (format == Format::float16 ? " float16" : " bfloat16");
}

}  // namespace

template <class T>
auto McAdamW<T>::Array::allocate(std::size_t size, const Shape& shape) -> Array {
  Array array;
  array.size = size;
  if (size == sizeof(float)) array.wide = Tensor<float>(shape);
  if (size == sizeof(T)) array.narrow = Tensor<T>(shape);
  if (size == 1) array.narrow = Tensor<T>({(numel(shape) + 1) / 2});
  return array;
}

template <class T>
void* McAdamW<T>::Array::data() const {
  if (size == 0) return nullptr;
  return size == sizeof(float) ? static_cast<void*>(wide.data()) : narrow.data();
}

template <class T>
std::int64_t McAdamW<T>::Array::bytes() const {
  if (size == 0) return 0;
  return size == sizeof(float) ? wide.numel() * std::int64_t(sizeof(float))
                               : narrow.numel() * std::int64_t(sizeof(T));
}

template <class T>
McAdamW<T>::McAdamW(std::vector<Variable<float>> parameters, Strategy strategy,
                    const AdamWOptions& options)
    : variables_(std::move(parameters)), strategy_(strategy), options_(options) {
  // says at once what the first step would say
  adamw_step(strategy_, format_of<T>, AdamWMemory{}, options_, 1);
  const Layout layout = layout_of(strategy_);
  std::int64_t first = 0;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Shape& shape = variables_[i].shape();
    Slot slot;
    slot.theta = Array::allocate(layout.theta, shape);
    slot.low = Array::allocate(layout.low, shape);
    slot.m = Array::allocate(layout.m, shape);
    slot.v = Array::allocate(layout.v, shape);
    slot.v_low = Array::allocate(layout.v_low, shape);
    const std::int64_t groups = (numel(shape) + group - 1) / group;
    if (layout.scales > 0) slot.scales = Tensor<float>({groups * 2});
    slot.first = first;
    first += groups * group;
    slots_.push_back(std::move(slot));
    set_value(i, variables_[i].value());
  }
}

template <class T>
void McAdamW<T>::set_value(std::size_t i, const Tensor<float>& value) {
  const Slot& slot = slots_.at(i);
  if (value.shape() != variables_[i].shape())
    throw ShapeError("McAdamW: a value of shape " + mct::to_string(value.shape()) +
                     " for a parameter of shape " + mct::to_string(variables_[i].shape()));
  const Tensor<float> from = value.contiguous();
  const std::int64_t count = from.numel();
  for (std::int64_t k = 0; k < count; ++k) {
    const float x = from.data()[k];
    if (strategy_ == Strategy::full) {
      slot.theta.wide.data()[k] = x;
    } else if (strategy_ == Strategy::split16) {
      const auto [high, low] = detail::split_float(x);
      slot.theta.narrow.data()[k] = T::from_bits(high);
      slot.low.narrow.data()[k] = T::from_bits(low);
    } else {
      slot.theta.narrow.data()[k] = T(x);
      const float rest = x - float(T(x));
      if (slot.low.size == sizeof(float)) slot.low.wide.data()[k] = x;
      if (slot.low.size == sizeof(T)) slot.low.narrow.data()[k] = T(rest);
    }
  }
  show(i);
}

template <class T>
void McAdamW<T>::show(std::size_t i) const {
  const Slot& slot = slots_[i];
  const Tensor<float>& value = variables_[i].value();
  if (strategy_ == Strategy::full) {
    value.copy_(slot.theta.wide);
    return;
  }
  const Tensor<float> shown = value.is_contiguous() ? value : Tensor<float>(value.shape());
  const T* theta = slot.theta.narrow.data();
  const std::int64_t count = shown.numel();
  for (std::int64_t k = 0; k < count; ++k) shown.data()[k] = float(theta[k]);
  if (!value.is_contiguous()) value.copy_(shown);
}

template <class T>
AdamWMemory McAdamW<T>::memory_of(const Slot& slot, std::int64_t count) const {
  AdamWMemory memory;
  memory.theta = slot.theta.data();
  memory.low = slot.low.data();
  memory.m = slot.m.data();
  memory.v = slot.v.data();
  memory.v_low = slot.v_low.data();
  memory.scales = layout_of(strategy_).scales > 0 ? slot.scales.data() : nullptr;
  memory.count = count;
  memory.first = slot.first;
  return memory;
}

template <class T>
Tensor<T> McAdamW<T>::narrowed_grad(std::size_t i, std::int64_t& nonfinite) const {
  const Tensor<float> grad = variables_[i].grad().contiguous();
  auto narrow = Tensor<T>::uninitialized(grad.shape());
  for (std::int64_t k = 0; k < grad.numel(); ++k) {
    narrow.data()[k] = T(grad.data()[k]);
    nonfinite += !std::isfinite(float(narrow.data()[k]));
  }
  return narrow;
}

template <class T>
StepReport McAdamW<T>::step() {
  adamw_step(strategy_, format_of<T>, AdamWMemory{}, options_, 1);  // throws for bad options
  const bool full = strategy_ == Strategy::full;
  StepReport report;
  std::vector<Tensor<T>> narrow(slots_.size());
  if (full) {
    report.nonfinite = count_nonfinite(variables_);
  } else {
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (variables_[i].has_grad()) narrow[i] = narrowed_grad(i, report.nonfinite);
  }
  if (report.nonfinite > 0) {
    report.elements = parameters();
    ++skipped_;
    return report;
  }
  ++steps_;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (!variables_[i].has_grad()) continue;
    AdamWMemory memory = memory_of(slots_[i], variables_[i].numel());
    Tensor<float> wide;
    if (full) wide = variables_[i].grad().contiguous();
    memory.grad = full ? static_cast<const void*>(wide.data()) : narrow[i].data();
    report += adamw_step(strategy_, format_of<T>, memory, options_, ++slots_[i].steps);
    show(i);
  }
  return report;
}

template <class T>
void McAdamW<T>::zero_grad() const {
  for (const auto& variable : variables_) variable.zero_grad();
}

template <class T>
std::int64_t McAdamW<T>::bytes() const {
  std::int64_t sum = 0;
  for (const Slot& slot : slots_) {
    for (const Array* array : arrays_of(slot)) sum += array->bytes();
    if (layout_of(strategy_).scales > 0) sum += slot.scales.numel() * std::int64_t(sizeof(float));
  }
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
  const Slot& slot = slots_.at(i);
  const Shape& shape = variables_[i].shape();
  if (strategy_ == Strategy::full) return slot.theta.wide.clone();
  if (strategy_ == Strategy::master) return slot.low.wide.clone();
  auto result = Tensor<float>::uninitialized(shape);
  for (std::int64_t k = 0; k < result.numel(); ++k) {
    const T theta = slot.theta.narrow.data()[k];
    if (strategy_ == Strategy::split16) {
      result.data()[k] = detail::join_float({theta.bits(), slot.low.narrow.data()[k].bits()});
    } else {
      const float low = slot.low.size > 0 ? float(slot.low.narrow.data()[k]) : 0.0F;
      result.data()[k] = float(theta) + low;
    }
  }
  return result;
}

template <class T>
void McAdamW<T>::save(const std::filesystem::path& path) const {
  SafetensorsWriter writer;
  writer.set_metadata("mctensor.optimizer", settings_text(strategy_, format_of<T>));
  std::vector<std::int64_t> counts = {steps_, skipped_};
  for (const Slot& slot : slots_) counts.push_back(slot.steps);
  writer.add("steps", Tensor<std::int64_t>::from_values(counts));
  // the seed, bit for bit
  writer.add("seed", Tensor<std::int64_t>::from_values({std::int64_t(options_.seed)}));
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const auto arrays = arrays_of(slots_[i]);
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      const std::string name = std::to_string(i) + "." + array_names[k];
      if (arrays[k]->size == sizeof(float)) writer.add(name, arrays[k]->wide);
      if (arrays[k]->size == sizeof(T) || arrays[k]->size == 1) writer.add(name, arrays[k]->narrow);
    }
    if (layout_of(strategy_).scales > 0)
      writer.add(std::to_string(i) + ".scales", slots_[i].scales);
  }
  writer.save(path);
}

template <class T>
void McAdamW<T>::load(const std::filesystem::path& path) {
  const SafetensorsReader reader(path);
  const auto fail = [&](const std::string& what) { throw IoError(path.string() + ": " + what); };
  const auto text = reader.metadata().find("mctensor.optimizer");
  const std::string expected = settings_text(strategy_, format_of<T>);
  if (text == reader.metadata().end() || text->second != expected)
    fail("holds the states of '" + (text == reader.metadata().end() ? "" : text->second) +
         "', not of '" + expected + "'");
  const auto counts = load_step_counts(path, reader, "steps", 2 + slots_.size());
  const auto seed = reader.load<std::int64_t, 1>("seed").values();
  if (seed.size() != 1) fail("entry 'seed' is malformed");
  std::size_t entries = 2;
  std::vector<Slot> loaded = slots_;
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    const auto read = [&](auto& tensor, const std::string& name) {
      using Element = typename std::remove_reference_t<decltype(tensor)>::Component;
      auto value = reader.load<Element, 1>(name);
      if (value.shape() != tensor.shape())
        fail("entry '" + name + "' has shape " + mct::to_string(value.shape()) + ", expected " +
             mct::to_string(tensor.shape()));
      tensor = std::move(value);
      ++entries;
    };
    const auto arrays = arrays_of(loaded[i]);
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      const std::string name = std::to_string(i) + "." + array_names[k];
      if (arrays[k]->size == 0) continue;
      if (arrays[k]->size == sizeof(float)) {
        read(arrays[k]->wide, name);
      } else {
        read(arrays[k]->narrow, name);
      }
    }
    if (layout_of(strategy_).scales > 0) read(loaded[i].scales, std::to_string(i) + ".scales");
  }
  if (reader.names().size() != entries) fail("has entries that belong to no parameter here");
  for (std::size_t i = 0; i < loaded.size(); ++i) loaded[i].steps = counts[2 + i];
  slots_ = std::move(loaded);
  steps_ = counts[0];
  skipped_ = counts[1];
  options_.seed = std::uint64_t(seed[0]);
  for (std::size_t i = 0; i < slots_.size(); ++i) show(i);
}

template class McAdamW<bfloat16>;
template class McAdamW<half>;

}  // namespace mct::optim
