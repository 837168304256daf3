// The entries of an optimizer's file, to be changed by a test and written again.
#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <variant>

#include "mctensor/tensor/safetensors.hpp"

namespace mct::test {

/// All entries and metadata of a safetensors file. A tensor of several components has a leading
/// axis for them.
struct StateEntries {
  using Entry = std::variant<Tensor<double>, Tensor<float>, Tensor<half>, Tensor<bfloat16>,
                             Tensor<std::int64_t>>;

  std::map<std::string, Entry> entries;
  std::map<std::string, std::string> metadata;

  explicit StateEntries(const std::filesystem::path& path) {
    const SafetensorsReader reader(path);
    metadata = reader.metadata();
    for (const std::string& name : reader.names()) {
      const std::string& type = reader.dtype(name);
      if (type == "F64") entries.emplace(name, reader.load<double, 1>(name));
      if (type == "F32") entries.emplace(name, reader.load<float, 1>(name));
      if (type == "F16") entries.emplace(name, reader.load<half, 1>(name));
      if (type == "BF16") entries.emplace(name, reader.load<bfloat16, 1>(name));
      if (type == "I64") entries.emplace(name, reader.load<std::int64_t, 1>(name));
      if (entries.count(name) == 0) throw std::runtime_error("test: unexpected type " + type);
    }
  }

  void save(const std::filesystem::path& path) const {
    SafetensorsWriter writer;
    for (const auto& [key, value] : metadata) writer.set_metadata(key, value);
    for (const auto& [name, entry] : entries)
      std::visit([&, &text = name](const auto& x) { writer.add(text, x); }, entry);
    writer.save(path);
  }

  /// Writes a number to the first element of an entry.
  void set_first(const std::string& name, double value) {
    std::visit(
        [&](const auto& x) {
          using T = typename std::remove_cvref_t<decltype(x)>::Component;
          x.data()[0] = T(value);
        },
        entries.at(name));
  }
  /// Writes 8 or 16 bits to the beginning of an entry of 16-bit words.
  void set_first_bits(const std::string& name, std::uint16_t bits) {
    std::get<Tensor<bfloat16>>(entries.at(name)).data()[0] = bfloat16::from_bits(bits);
  }
  /// Writes the bits of a byte to the lowest bits of eight bytes of such an entry.
  void set_lowest_bits(const std::string& name, std::size_t first, unsigned byte) {
    bfloat16* const words = std::get<Tensor<bfloat16>>(entries.at(name)).data();
    for (std::size_t i = 0; i < 8; ++i) {
      const std::size_t place = first + i;
      const unsigned shift = 8 * (place % 2);
      const unsigned others = words[place / 2].bits() & ~(1u << shift);
      words[place / 2] = bfloat16::from_bits(std::uint16_t(others | (((byte >> i) & 1u) << shift)));
    }
  }
  /// An entry of twice as many numbers.
  void lengthen(const std::string& name) {
    std::visit(
        [](auto& x) {
          using X = std::remove_cvref_t<decltype(x)>;
          x = X({2 * x.numel()});
        },
        entries.at(name));
  }
  /// Zeros of another type in the same shape.
  void retype(const std::string& name) {
    const Shape shape = std::visit([](const auto& x) { return x.shape(); }, entries.at(name));
    const bool is_double = std::holds_alternative<Tensor<double>>(entries.at(name));
    if (is_double) {
      entries.at(name) = Tensor<float>(shape);
    } else {
      entries.at(name) = Tensor<double>(shape);
    }
  }
  void rename(const std::string& from, const std::string& to) {
    entries.emplace(to, entries.at(from));
    entries.erase(from);
  }
};

}  // namespace mct::test
