// Models in safetensors files.
#pragma once

#include <filesystem>
#include <string>

#include "mctensor/nn/module.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/safetensors.hpp"

namespace mct::nn {

namespace state_detail {

/// The entry `name` for a parameter of this shape. It may be plain and of any floating-point type,
/// or of T with a leading axis of N planes. Throws IoError for other types.
template <class T, int N>
Tensor<T, N> read_parameter(const SafetensorsReader& file, const std::string& name,
                            const Shape& shape) {
  const std::string& dtype = file.dtype(name);
  Shape planes = shape;
  planes.insert(planes.begin(), N);
  const bool is_double = dtype == "F64";
  if constexpr (N > 1) {
    if (file.shape(name) == planes) return file.template load<T, N>(name);
  }
  // wider numbers are rounded to N components
  if (is_double) return convert<T, N>(file.template load<double, 1>(name));
  if (dtype == "F32") return convert<T, N>(file.template load<float, 1>(name));
  if (dtype == "F16") return convert<T, N>(file.template load<half, 1>(name));
  if (dtype == "BF16") return convert<T, N>(file.template load<bfloat16, 1>(name));
  throw IoError("load_safetensors: '" + name + "' has dtype " + dtype +
                ", which is not a floating-point type");
}

}  // namespace state_detail

/// Writes the state of a module, one entry for each name, with a leading axis of N planes if N > 1.
/// Throws IoError if the file cannot be written.
template <class T, int N, int M>
void save_safetensors(const Module<T, N, M>& module, const std::filesystem::path& path) {
  SafetensorsWriter writer;
  for (const auto& [name, tensor] : module.state_dict()) writer.add(name, tensor);
  writer.save(path);
}

/// Reads a file of save_safetensors, or a file of a plain model of any floating-point type (as
/// PyTorch writes it), into a module. Throws as load_state_dict does, and IoError for a file that
/// cannot be read. A number of a wider type is rounded to N components.
template <class T, int N, int M>
void load_safetensors(const Module<T, N, M>& module, const std::filesystem::path& path,
                      bool strict = true) {
  const SafetensorsReader file(path);
  StateDict<T, N> expected = module.state_dict();
  StateDict<T, N> state;
  for (const auto& name : file.names()) {
    const auto found = expected.find(name);
    // other entries are not read, because the error message needs only their shape
    const Shape& shape = found == expected.end() ? file.shape(name) : found->second.shape();
    Shape planes = shape;
    planes.insert(planes.begin(), N);
    const Shape& stored = file.shape(name);
    const bool fits = found != expected.end() && (stored == shape || (N > 1 && stored == planes));
    state.emplace(name, fits ? state_detail::read_parameter<T, N>(file, name, shape)
                             : Tensor<T, N>::scalar({}).expand(stored));
  }
  module.load_state_dict(state, strict);
}

}  // namespace mct::nn
