// Arrays of parameters that one call of AdamW steps.
#pragma once

#include <nanobind/stl/map.h>
#include <nanobind/stl/string_view.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "any_tensor.hpp"
#include "mctensor/optim/adamw_groups.hpp"
#include "mctensor/optim/weights.hpp"

namespace mct::python {

/// "bfloat16" or "float16". Throws DomainError.
inline optim::Format format_from_name(std::string_view name) {
  for (const optim::Format format : {optim::Format::bfloat16, optim::Format::float16})
    if (name == to_string(format)) return format;
  throw DomainError("format '" + std::string(name) + "' is neither bfloat16 nor float16");
}

/// The arrays of parameters that are stepped in one call. The Python side admits one thread at a
/// time.
class AdamWArrays {
 public:
  AdamWArrays(std::string_view strategy, std::string_view format)
      : strategy_(optim::strategy_from_name(strategy)), format_(format_from_name(format)) {}

  /// Takes an address for each existing array of the table, and the address of the gradient or 0.
  void add(const std::map<std::string, std::uintptr_t>& addresses, std::int64_t count,
           std::int64_t first, std::uintptr_t grad) {
    optim::AdamWMemory memory;
    memory.grad = reinterpret_cast<const void*>(grad);
    memory.count = count;
    memory.first = first;
    for (const optim::KeptArray& array : optim::kept_arrays)
      if (const auto found = addresses.find(array.name); found != addresses.end())
        memory.*array.data = reinterpret_cast<void*>(found->second);
    memory_.push_back(memory);
  }

  optim::StepReport step(const optim::AdamWOptions& options, std::int64_t step) const {
    return adamw_step(strategy_, format_, std::span<const optim::AdamWMemory>(memory_), options,
                      step);
  }

  void set_weights(std::size_t i, const ArrayOf<float>& weights) const {
    const float* const from = floats(i, weights);  // throws if there is no such array
    optim::set_weights(strategy_, format_, from, memory_[i]);
  }
  void get_weights(std::size_t i, nb::ndarray<float, nb::device::cpu, nb::c_contig> weights) const {
    auto* const to = const_cast<float*>(floats(i, ArrayOf<float>(weights)));
    optim::get_weights(strategy_, format_, memory_[i], to);
  }

 protected:
  optim::Strategy strategy_;
  optim::Format format_;
  std::vector<optim::AdamWMemory> memory_;

 private:
  const float* floats(std::size_t i, const ArrayOf<float>& weights) const {
    if (i >= memory_.size()) throw nb::index_error("the index of an array is out of range");
    if (std::int64_t(weights.size()) != memory_[i].count)
      throw ShapeError(std::to_string(weights.size()) + " weights are given, expected " +
                       std::to_string(memory_[i].count));
    return weights.data();
  }
};

}  // namespace mct::python
