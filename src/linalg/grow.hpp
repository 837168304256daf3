// Memory of products that grows to what the largest part of a product needs.
#pragma once

#include <cstddef>
#include <cstdint>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "mctensor/tensor/storage.hpp"

namespace mct::linalg_detail {

/// Asks the system for large pages: a product goes through its buffers in strides that need more
/// small ones than a processor remembers. Where there are none nothing happens.
inline void prefer_large_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = std::uintptr_t(1) << 21U;
  const auto first = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
  const auto last = (reinterpret_cast<std::uintptr_t>(data) + bytes) / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

/// Makes room for `count` numbers; their values are anything.
template <class S>
S* grow(Storage& storage, std::int64_t count) {
  const std::size_t bytes = std::size_t(count) * sizeof(S);
  if (storage.bytes() < bytes) {
    storage = Storage();  // before there is memory for both
    storage = Storage::allocate(bytes, false);
    prefer_large_pages(storage.data(), bytes);
  }
  return static_cast<S*>(storage.data());
}

}  // namespace mct::linalg_detail
