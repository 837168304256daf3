// The JSON header of a safetensors file as plain data.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "mctensor/tensor/shape.hpp"

namespace mct::tensor_detail {

/// The limit of the reference implementation, in bytes.
inline constexpr std::uint64_t max_safetensors_header = 100'000'000;

/// The key that no tensor may have.
inline constexpr std::string_view metadata_key = "__metadata__";

/// One tensor: bytes begin ... end - 1 of the data.
struct SafetensorsEntry {
  std::string dtype;
  Shape shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct SafetensorsHeader {
  std::map<std::string, SafetensorsEntry, std::less<>> entries;
  std::map<std::string, std::string> metadata;
};

/// Bytes of an element of a dtype; 0 for one that the format does not have.
std::size_t safetensors_element_bytes(std::string_view dtype);

/// Reads a header and checks that its entries fill `data_bytes` bytes without gap or overlap and
/// have the size that dtype and shape need. Throws IoError with `file` (its quoted name), the entry
/// and the values concerned.
SafetensorsHeader parse_safetensors_header(const std::string& text, std::uint64_t data_bytes,
                                           const std::string& file);

/// The header's JSON with its entries in the order of their data, padded with spaces so that the
/// data that follow length and header begin at a multiple of 8 bytes.
std::string safetensors_header_text(const SafetensorsHeader& header);

/// Throws DomainError if a text is not UTF-8.
void require_utf8(const std::string& text, const char* what);

/// A text of unknown origin for a message: in quotes, of bounded length, in printable characters.
std::string in_quotes(std::string_view text);

}  // namespace mct::tensor_detail
