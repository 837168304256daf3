// A list of tensors, cut into chunks: one launch for all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mctensor/config.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/adamw.hpp"

namespace mct::cuda {

/// Positions length index ... length (index + 1) - 1 of a tensor, counted from the last multiple of
/// `length` at or before the tensor's first position.
struct TensorChunk {
  static constexpr std::int64_t length = 2048;  // also that of a block of metrics (adamw.cpp)
  static constexpr std::int64_t last_position = std::int64_t(1) << 42;  // 31-bit chunk numbers

  std::int32_t tensor;
  std::int32_t index;
};

/// The chunks of a list, in order.
inline std::vector<TensorChunk> chunks_of(std::span<const optim::AdamWMemory> tensors) {
  std::vector<TensorChunk> chunks;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].count == 0) continue;
    const std::int64_t end = tensors[i].first % TensorChunk::length + tensors[i].count;
    for (std::int64_t begin = 0; begin < end; begin += TensorChunk::length)
      chunks.push_back({std::int32_t(i), std::int32_t(begin / TensorChunk::length)});
  }
  return chunks;
}

/// Whether a thread can load and store eight neighbours of each array at once, if their first
/// position is a multiple of 8. Otherwise it takes one after the other.
MCT_HD inline bool travels_in_eights(const optim::AdamWMemory& of) {
  std::uintptr_t places = 0;
  for (const void* array :
       {static_cast<const void*>(of.theta), static_cast<const void*>(of.low),
        static_cast<const void*>(of.m), static_cast<const void*>(of.v),
        static_cast<const void*>(of.v_low), static_cast<const void*>(of.v_max), of.grad})
    places |= reinterpret_cast<std::uintptr_t>(array);
  return places % 16 == 0 && of.first % 8 == 0;
}

/// Throws DomainError for an array that is not aligned for its type, and for positions beyond 2^42.
inline void check_places(optim::Strategy strategy, std::span<const optim::AdamWMemory> tensors) {
  const optim::Layout layout = optim::layout_of(strategy);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto fail = [&](const std::string& what) {
      throw DomainError("AdamW: tensor " + std::to_string(i) + ": " + what);
    };
    if (tensors[i].first > TensorChunk::last_position - tensors[i].count)
      fail("first " + std::to_string(tensors[i].first) + " and count " +
           std::to_string(tensors[i].count) + " together are above 2^42");
    const auto check = [&](const void* data, std::size_t size, const char* name) {
      if (size > 0 && std::uintptr_t(data) % size != 0)
        fail(std::string(name) + " does not begin at a multiple of " + std::to_string(size) +
             " bytes");
    };
    for (const optim::KeptArray& array : optim::kept_arrays)
      check(tensors[i].*array.data, layout.*array.size, array.name);
    check(tensors[i].grad, layout.grad, "grad");
  }
}

}  // namespace mct::cuda
