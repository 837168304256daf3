// Zip archives and numpy's arrays as bytes, for tests of their readers.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace mct::testing {

/// So many bytes, the lowest first.
inline std::string low_first(std::uint64_t x, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text.push_back(char(x >> (8 * i)));
  return text;
}
/// The highest first.
inline std::string high_first(std::uint64_t x, int bytes) {
  const std::string text = low_first(x, bytes);
  return {text.rbegin(), text.rend()};
}

inline std::uint32_t crc32_of(const std::string& bytes) {
  std::uint32_t sum = ~std::uint32_t(0);
  for (const char c : bytes) {
    sum ^= std::uint8_t(c);
    for (int i = 0; i < 8; ++i) sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0xEDB88320u : 0u);
  }
  return ~sum;
}

/// A zip archive of names and contents below 64 KiB: stored, or in deflate's form (a block that is
/// stored).
inline std::string zip_of(const std::vector<std::pair<std::string, std::string>>& files,
                          bool deflate = false) {
  std::string archive;
  std::string list;
  for (const auto& [name, content] : files) {
    std::string packed = content;
    if (deflate)
      packed = "\x01" + low_first(content.size(), 2) + low_first(~content.size(), 2) + content;
    const std::string about = low_first(20, 2) + low_first(0, 2) + low_first(deflate ? 8 : 0, 2) +
                              low_first(0, 4) + low_first(crc32_of(content), 4) +
                              low_first(packed.size(), 4) + low_first(content.size(), 4) +
                              low_first(name.size(), 2) + low_first(0, 2);
    list += "PK\x01\x02" + low_first(20, 2) + about + std::string(10, '\0') +
            low_first(archive.size(), 4) + name;
    archive += "PK\x03\x04" + about + name + packed;
  }
  return archive + list + "PK\x05\x06" + low_first(0, 4) + low_first(files.size(), 2) +
         low_first(files.size(), 2) + low_first(list.size(), 4) + low_first(archive.size(), 4) +
         low_first(0, 2);
}

/// An array of this type and shape, as in "|u1" and "(2, 3)", as numpy.save writes it.
template <class T>
std::string npy_of(const std::string& type, const std::string& shape, const std::vector<T>& values,
                   bool by_columns = false) {
  std::string header = "{'descr': '" + type +
                       "', 'fortran_order': " + (by_columns ? "True" : "False") +
                       ", 'shape': " + shape + ", }\n";
  std::string data(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(data.data(), values.data(), data.size());
  return std::string("\x93NUMPY\x01\x00", 8) + low_first(header.size(), 2) + header + data;
}

}  // namespace mct::testing
