// Parameters of PyTorch that are stepped together, and their addresses.
#pragma once

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "mctensor/device/devices.hpp"
#include "mctensor/optim/device_adamw_groups.hpp"
#include "optim_arrays.hpp"
#include "torch_calls.hpp"

namespace mct::python {

using namespace mct::optim;

inline nb::handle item(const nb::list& list, std::size_t i) {
  return NB_LIST_GET_ITEM(list.ptr(), Py_ssize_t(i));
}

/// Positions of a parameter's elements: runs of neighbours (first, count).
using Runs = std::vector<std::pair<std::int64_t, std::int64_t>>;

inline std::int64_t count_of(const Runs& runs) {
  std::int64_t count = 0;
  for (const auto& [first, length] : runs) count += length;
  return count;
}

/// The type of an array's elements.
inline nb::dlpack::dtype type_of(Content content, Format format) {
  using Code = nb::dlpack::dtype_code;
  const auto type = [](Code code, std::uint8_t bits) {
    return nb::dlpack::dtype{std::uint8_t(code), bits, 1};
  };
  switch (content) {
    case Content::narrow:
      return type(format == Format::float16 ? Code::Float : Code::Bfloat, 16);
    case Content::float32:
      return type(Code::Float, 32);
    case Content::lower_bits:
      return type(Code::Int, 16);
    case Content::marks:
      return type(Code::Int, 32);
    default:
      return type(Code::UInt, 8);
  }
}

/// Parameters of one group, type and number of steps. Python keeps the objects. This class has
/// their addresses, which are valid after `locate`.
class TensorBatch : private AdamWArrays {
 public:
  /// `device`: the device of all parameters.
  TensorBatch(std::string_view strategy, std::string_view format, int device)
      : AdamWArrays(strategy, format), layout_(layout_of(strategy_)), device_(device) {}

  /// Adds a parameter by its state. Its elements are these runs of positions, one after the other:
  /// the first position and the count. A run ends where a group with a mark ends. A state that has
  /// theta belongs to a parameter of floats, whose gradient and new weights are passed beside the
  /// arrays.
  void add(const nb::dict& state, const Runs& runs) {
    std::vector<Kept> kept;
    for (const auto& [key, value] : state)
      for (const KeptArray& array : kept_arrays)
        if (nb::cast<std::string_view>(key) == array.name) {
          kept.push_back(kept_of(array, runs));
          if (array.is_theta()) shows_theta_ = true;
        }
    for (const auto& [first, count] : runs) AdamWArrays::add({}, count, first, 0);
    floats_.resize(memory_.size());
    kept_.push_back(std::move(kept));
    counts_.push_back(count_of(runs));
    ends_.push_back(memory_.size());
  }

  /// Reads the addresses of parameters, gradients and states, and checks type, shape, contiguity
  /// and device of each. Returns false if something has changed since it was added: a gradient is
  /// missing, or a state is another. `grads` gets the gradients. `strays` gets the indices of the
  /// parameters that the caller must handle: they or their gradients have another type, shape or
  /// layout.
  bool locate(const nb::list& parameters, const nb::list& states, const nb::list& tensors,
              nb::handle step, nb::list grads, nb::list strays) {
    const std::size_t count = kept_.size();
    if (parameters.size() != count || states.size() != count || tensors.size() != count)
      throw DomainError("locate: expected as many parameters and states as were added");
    has_floats_ = shows_theta_;
    for (std::size_t i = 0; i < count; ++i) {
      const nb::handle parameter = item(parameters, i);
      nb::object grad = TorchCalls::get().grad(parameter);
      TensorPlace place;
      const bool is_plain = TorchCalls::get().find(parameter, place, address_of(i), device_);
      if (grad.is_none() || !has_state(i, item(states, i), item(tensors, i), step, place))
        return false;
      if (!is_plain || !has_place(i, place, grad)) strays.append(i);
      spread(i);
      grads.append(std::move(grad));
    }
    return true;
  }

  /// Sets addresses that `locate` has left out. They must be contiguous numbers of the right types.
  void place(std::size_t i, std::uintptr_t parameter, std::uintptr_t grad, bool has_float_grad) {
    if (i >= kept_.size()) throw nb::index_error("the index of a parameter is out of range");
    set(i, reinterpret_cast<void*>(parameter), reinterpret_cast<const void*>(grad), has_float_grad);
    spread(i);
  }

  optim::AdamWGroup group(const AdamWOptions& options, std::int64_t step) const {
    const std::span<const FloatSide> none;
    return {strategy_, format_, memory_, has_floats_ ? floats_ : none, options, step};
  }
  cuda::AdamWGroup group_there(const AdamWOptions& options) const {
    cuda::AdamWGroup group;
    group.strategy = strategy_;
    group.format = format_;
    group.memory = memory_;
    if (has_floats_) group.floats = floats_;
    group.options = options;
    return group;
  }

 private:
  void set(std::size_t i, void* parameter, const void* grad, bool has_float_grad) {
    AdamWMemory& memory = memory_[first_of(i)];
    FloatSide& floats = floats_[first_of(i)];
    floats = {};
    memory.grad = grad;  // if the gradient is floats beside the arrays, any address will do
    if (shows_theta_) {
      floats.grad = static_cast<const float*>(grad);
      floats.theta = static_cast<float*>(parameter);
      return;
    }
    memory.theta = parameter;
    if (!has_float_grad || layout_.grad == sizeof(float)) return;
    floats.grad = static_cast<const float*>(grad);
    floats.rounds_grad = false;
    has_floats_ = true;
  }

  /// The index of a parameter's first run among all runs.
  std::size_t first_of(std::size_t i) const { return i == 0 ? 0 : ends_[i - 1]; }

  /// Sets the other runs of a parameter, which lie behind its first run.
  void spread(std::size_t i) {
    for (std::size_t j = first_of(i) + 1; j < ends_[i]; ++j) {
      const AdamWMemory& before = memory_[j - 1];
      const auto behind = [&](const void* data, std::size_t bytes) {
        return data == nullptr ? nullptr
                               : const_cast<char*>(static_cast<const char*>(data)) + bytes;
      };
      for (const KeptArray& array : kept_arrays)
        memory_[j].*array.data = behind(before.*array.data, array.bytes(before.count, layout_));
      memory_[j].grad = behind(before.grad, std::size_t(before.count) * layout_.grad);
      floats_[j] = floats_[j - 1];
      if (floats_[j].grad != nullptr) floats_[j].grad += before.count;
      if (floats_[j].theta != nullptr) floats_[j].theta += before.count;
    }
  }

  /// The address of the parameter at the last step.
  const void* address_of(std::size_t i) const {
    const std::size_t j = first_of(i);
    return shows_theta_ ? floats_[j].theta : memory_[j].theta;
  }

  /// The required form of an array of a state.
  struct Kept {
    void* AdamWMemory::*data;
    nb::dlpack::dtype type;
    std::int64_t elements;
    bool is_shaped;  ///< it has the shape of the parameter
  };

  Kept kept_of(const KeptArray& array, const Runs& runs) const {
    const Content content = array.content(composition_of(strategy_));
    std::int64_t elements = 0;
    for (const auto& [first, length] : runs) elements += array.elements(length, layout_);
    return {array.data, type_of(content, format_), elements, elements == count_of(runs)};
  }

  /// Whether a state has the same tensors as before, of the right types and shapes, and this number
  /// of steps. If so, their addresses are stored.
  bool has_state(std::size_t i, nb::handle state, nb::handle tensors, nb::handle step,
                 const TensorPlace& parameter) {
    std::size_t number = 0;
    bool has_step = false;
    Py_ssize_t position = 0;
    PyObject* value = nullptr;
    while (PyDict_Next(state.ptr(), &position, nullptr, &value) != 0) {
      if (value == step.ptr()) {
        has_step = true;
        continue;
      }
      if (number >= kept_[i].size() ||
          value != NB_TUPLE_GET_ITEM(tensors.ptr(), Py_ssize_t(number)) ||
          !has_array(i, kept_[i][number], value, parameter))
        return false;
      ++number;
    }
    return has_step && number == kept_[i].size();
  }

  bool has_array(std::size_t i, const Kept& kept, nb::handle value, const TensorPlace& parameter) {
    TensorPlace place;
    void*& data = memory_[first_of(i)].*kept.data;
    if (!TorchCalls::get().find(value, place, data, device_) || !is_usable(place, kept.type) ||
        place.count != kept.elements ||
        (kept.is_shaped && !TorchCalls::same_shape(place, parameter)))
      return false;
    data = place.data;
    return true;
  }

  /// Whether a tensor is on the device. A device reads 16 bytes at once. The device of the tests
  /// uses the memory of the CPU.
  bool is_here(const TensorPlace& place) const {
    if (device_ == TensorPlace::cpu) return place.device == device_;
    const bool is_there = place.device == device_ ||
                          (cuda::device_is_simulated() && place.device == TensorPlace::cpu);
    return is_there && reinterpret_cast<std::uintptr_t>(place.data) % 16 == 0;
  }
  bool is_usable(const TensorPlace& place, nb::dlpack::dtype type) const {
    return is_here(place) && place.in_a_row && place.type == type &&
           (place.data != nullptr || place.count == 0);
  }

  /// Whether a parameter and its gradient can be stepped without a copy. If so, their addresses are
  /// stored.
  bool has_place(std::size_t i, const TensorPlace& parameter, nb::handle grad) {
    const nb::dlpack::dtype wide = type_of(Content::float32, format_);
    const nb::dlpack::dtype type =
        shows_theta_ || layout_.theta == sizeof(float) ? wide : type_of(Content::narrow, format_);
    TensorPlace place;
    if (!is_usable(parameter, type) || parameter.count != counts_[i] ||
        !TorchCalls::get().find(grad, place) ||
        !(is_usable(place, type) || is_usable(place, wide)) ||
        !TorchCalls::same_shape(place, parameter) || TorchCalls::get().is_negated(grad, place))
      return false;
    set(i, parameter.data, place.data, place.type == wide);
    return true;
  }

  Layout layout_;
  int device_;
  bool shows_theta_ = false;  ///< parameters are floats beside the arrays
  bool has_floats_ = false;   ///< something is beside them
  std::vector<FloatSide> floats_;
  std::vector<std::vector<Kept>> kept_;  ///< of each parameter
  std::vector<std::int64_t> counts_;     ///< of each parameter: its elements
  std::vector<std::size_t> ends_;        ///< of each parameter: the run behind its last one
};

}  // namespace mct::python
