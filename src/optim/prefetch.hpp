// Fetches memory before it is needed.
#pragma once

#include <algorithm>
#include <cstddef>

#include "mctensor/config.hpp"

namespace mct::optim_detail {

/// Bytes that the cache fetches at once.
constexpr std::size_t cache_line = 64;

/// Asks for memory, at most the first `most` bytes, into the cache beyond the nearest. Processors
/// follow a long array by themselves, but not from one array to the next. (g++ drops calls of
/// functions that only prefetch: inlined they stay.)
MCT_ALWAYS_INLINE inline void prefetch(const void* data, std::size_t bytes, std::size_t most) {
  const auto* const at = static_cast<const unsigned char*>(data);
  const std::size_t end = std::min(bytes, most);
  for (std::size_t i = 0; i < end; i += cache_line) __builtin_prefetch(at + i, 0, 2);
}

template <class X>
MCT_ALWAYS_INLINE inline void prefetch_object(const X& x) {
  prefetch(&x, sizeof(X), sizeof(X));
}

}  // namespace mct::optim_detail
