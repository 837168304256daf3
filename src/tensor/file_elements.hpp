// Elements of tensors in files: byte order, and bytes that are not bools.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::tensor_detail {

/// More dimensions than this are refused in files; NumPy 2 has the same limit.
inline constexpr std::size_t max_file_dims = 64;

template <class T>
void reverse_bytes(T* elements, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, elements + i, sizeof(T));
    std::reverse(bytes, bytes + sizeof(T));
    std::memcpy(elements + i, bytes, sizeof(T));
  }
}

/// Appends the elements in row-major order, little-endian.
template <class T>
void write_elements(AtomicFile& file, const Tensor<T, 1>& x) {
  // other tensors are copied one plane at a time
  Tensor<T, 1> plane = x.contiguous();
  if constexpr (std::endian::native != std::endian::little && sizeof(T) > 1) {
    plane = x.clone();
    reverse_bytes(plane.data(), plane.numel());
  }
  file.write(plane.data(), std::size_t(plane.numel()) * sizeof(T));
}

/// A tensor for elements of a file; if there is no memory for it, the MemoryError names the file
/// and the entry.
template <class T, int N>
Tensor<T, N> tensor_for(const Shape& shape, const std::string& what) {
  try {
    return Tensor<T, N>::uninitialized(shape);
  } catch (const MemoryError& error) {
    throw MemoryError(what + ": " + error.what());
  }
}

/// Reads `count` elements that lie in `file` from byte `offset` on into `target`. `what` names them
/// in the message of the IoError for a byte that is neither 0 nor 1 in a mask.
template <class T>
void read_elements(const InputFile& file, std::uint64_t offset, std::int64_t count,
                   std::endian order, T* target, const std::string& what) {
  file.read(offset, target, std::size_t(count) * sizeof(T));
  if constexpr (std::is_same_v<T, bool>) {
    // before anything reads them as bool
    const auto* const bytes = reinterpret_cast<const unsigned char*>(target);
    const auto* const bad =
        std::find_if(bytes, bytes + count, [](unsigned char byte) { return byte > 1; });
    if (bad != bytes + count)
      throw IoError(what + ": byte " + std::to_string(bad - bytes) + " of a mask is " +
                    std::to_string(*bad) + ", 0 or 1 is expected");
  } else if (order != std::endian::native) {
    reverse_bytes(target, count);
  }
}

}  // namespace mct::tensor_detail
