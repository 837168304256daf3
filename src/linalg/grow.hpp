// Memory of products that grows to the need of the largest part of a product.
#pragma once

#include <cstddef>
#include <cstdint>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "mctensor/tensor/storage.hpp"

namespace mct::linalg_detail {

/// Asks the system for large pages: a product goes through its buffers in strides that need more
/// small pages than a processor remembers. On a system without large pages nothing happens.
inline void prefer_large_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  constexpr std::size_t page = std::size_t(1) << 21U;
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(data) % page) % page;
  if (bytes < before + page) return;
  madvise(static_cast<char*>(data) + before, (bytes - before) / page * page, MADV_HUGEPAGE);
#endif
}

/// Makes room for `count` numbers; their values are anything.
template <class S>
S* grow(Storage& storage, std::int64_t count) {
  const std::size_t bytes = std::size_t(count) * sizeof(S);
  if (storage.bytes() < bytes) {
    storage =
        Storage();  // before there is memory for both, but for what is kept (tensor/storage.cpp)
    storage = Storage::allocate(bytes, false);
    prefer_large_pages(storage.data(), bytes);
  }
  return static_cast<S*>(storage.data());
}

}  // namespace mct::linalg_detail
