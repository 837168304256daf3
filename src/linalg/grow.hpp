// Memory of products that grows to what the largest part of a product needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mctensor/tensor/storage.hpp"

namespace mct::linalg_detail {

/// Makes room for `count` numbers; their values are anything.
template <class S>
S* grow(Storage& storage, std::int64_t count) {
  const std::size_t bytes = std::size_t(count) * sizeof(S);
  if (storage.bytes() < bytes) {
    storage = Storage();  // before there is memory for both
    storage = Storage::allocate(bytes, false);
  }
  return static_cast<S*>(storage.data());
}

}  // namespace mct::linalg_detail
