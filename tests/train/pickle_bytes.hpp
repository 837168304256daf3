// Pickles as Python writes them, for tests of their reader.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace mct::testing {

/// How bytes are written: as Python 2's strings, or as Python 3 does for Python 2.
enum class PickledBytes { string, encoded };

inline std::string little_endian(std::uint64_t x, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text.push_back(char(x >> (8 * i)));
  return text;
}
inline std::string pickled(std::int64_t x) { return "J" + little_endian(std::uint64_t(x), 4); }
inline std::string pickled(const std::string& text) {
  return "U" + little_endian(text.size(), 1) + text;
}
inline std::string pickled_tuple(const std::vector<std::string>& items) {
  std::string text = "(";
  for (const auto& item : items) text += item;
  return text + "t";
}
inline std::string pickled_bytes(const std::string& bytes, PickledBytes form) {
  if (form == PickledBytes::string) return "T" + little_endian(bytes.size(), 4) + bytes;
  std::string utf8;
  for (const char c : bytes) {
    const auto b = std::uint8_t(c);
    if (b < 0x80) {
      utf8.push_back(c);
    } else {
      utf8.push_back(char(0xc0 | (b >> 6)));
      utf8.push_back(char(0x80 | (b & 0x3f)));
    }
  }
  return "c_codecs\nencode\nX" + little_endian(utf8.size(), 4) + utf8 + pickled("latin1") + "\x86R";
}

/// numpy's array of the given type, such as "f4".
template <class T>
std::string pickled_array(const std::string& type, const std::vector<T>& values,
                          const std::vector<std::int64_t>& shape, PickledBytes form) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  std::vector<std::string> sizes;
  for (const std::int64_t size : shape) sizes.push_back(pickled(size));
  const std::string none = "N";
  const std::string dtype = "cnumpy\ndtype\n" + pickled_tuple({pickled(type), "\x89", "\x88"}) +
                            "R" +
                            pickled_tuple({pickled(3), pickled("<"), none, none, none, pickled(-1),
                                           pickled(-1), pickled(0)}) +
                            "b";
  return "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n" + pickled(0) + "\x85" +
         pickled("b") + "\x87R" +
         pickled_tuple(
             {pickled(1), pickled_tuple(sizes), dtype, "\x89", pickled_bytes(bytes, form)}) +
         "b";
}

/// scipy's sparse matrix by rows.
inline std::string pickled_rows(const std::vector<std::vector<float>>& rows, PickledBytes form) {
  std::vector<float> data;
  std::vector<std::int32_t> indices;
  std::vector<std::int32_t> starts{0};
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (row[c] == 0) continue;
      data.push_back(row[c]);
      indices.push_back(std::int32_t(c));
    }
    starts.push_back(std::int32_t(data.size()));
  }
  const auto size = [](std::size_t n) { return std::int64_t(n); };
  return "cscipy.sparse.csr\ncsr_matrix\n)\x81}(" + pickled("_shape") + pickled(size(rows.size())) +
         pickled(size(rows.front().size())) + "\x86" + pickled("data") +
         pickled_array("f4", data, {size(data.size())}, form) + pickled("indices") +
         pickled_array("i4", indices, {size(indices.size())}, form) + pickled("indptr") +
         pickled_array("i4", starts, {size(starts.size())}, form) + "ub";
}

inline std::string pickle_of(const std::string& value) { return "\x80\x02" + value + "."; }

}  // namespace mct::testing
