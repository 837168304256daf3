// Safetensors files: header, entries and metadata.
#include "mctensor/tensor/safetensors.hpp"

#include "fuzz/target.hpp"
#include "fuzz/tensors.hpp"
#include "mctensor/error.hpp"

namespace mct::fuzz {
namespace {

template <class T, int N>
void read(const SafetensorsReader& reader, const std::string& name) {
  try {
    touch(reader.load<T, N>(name));
  } catch (const IoError&) {
    return;
  }
}

void read_file(const std::filesystem::path& path) {
  const SafetensorsReader reader(path);
  for (const std::string& name : reader.names()) {
    require(reader.contains(name), "what is named is there");
    require(numel(reader.shape(name)) >= 0, "a shape has a number of elements");
    require(!reader.dtype(name).empty(), "an entry has a type");
    read<double, 1>(reader, name);
    read<double, 2>(reader, name);
    read<float, 3>(reader, name);
    read<half, 1>(reader, name);
    read<bfloat16, 2>(reader, name);
    read<bool, 1>(reader, name);
    read<std::int64_t, 1>(reader, name);
  }
}

}  // namespace

void write_seeds(const std::filesystem::path& directory) {
  SafetensorsWriter small;
  small.add("a", Tensor<double>::from_values({1, 2}));
  small.save(directory / "small");
  SafetensorsWriter mixed;
  mixed.set_metadata("format", "pt");
  mixed.add("weight", two_planes());
  mixed.add("mask", Tensor<bool>::from_values({true, false}));
  mixed.add("steps", Tensor<std::int64_t>::scalar(3));
  mixed.add("h", Tensor<half>::from_values({half(2)}, {1, 1}));
  mixed.add("empty", Tensor<bfloat16>({0, 2}));
  mixed.save(directory / "mixed");
  SafetensorsWriter names;
  names.set_metadata("\"\\\n", "\u00e9");
  names.add("\u00e9 \"", Tensor<bfloat16, 2>({2}));
  names.save(directory / "names");
  SafetensorsWriter().save(directory / "none");
}

}  // namespace mct::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = mct::fuzz::as_file("tensors.safetensors", data, size);
  try {
    mct::fuzz::read_file(path);
  } catch (const mct::IoError&) {
    return 0;
  }
  return 0;
}
