// Memory of products through integers.
#pragma once

#include <cstdint>

#include "mctensor/tensor/storage.hpp"

namespace mct::linalg_detail {

/// Residues of a block of the result, words of its rows and of its columns: borrowed from what the
/// process keeps for the next product, which nobody else uses meanwhile. The system would clear new
/// pages for every product, which takes a fifth of the time of one of 1024 rows.
class ResidueBuffers {
 public:
  /// What is kept after a product, at most; what is larger goes back to the system.
  static constexpr std::size_t most_kept_bytes = std::size_t(128) << 20;

  ResidueBuffers();
  ~ResidueBuffers();
  ResidueBuffers(const ResidueBuffers&) = delete;
  ResidueBuffers& operator=(const ResidueBuffers&) = delete;

  Storage sums;
  Storage left;
  Storage right;

  /// Makes room for `count` numbers in one of the buffers; their values are anything.
  template <class S>
  static S* grow(Storage& storage, std::int64_t count) {
    const std::size_t bytes = std::size_t(count) * sizeof(S);
    if (storage.bytes() < bytes) {
      storage = Storage();  // before there is memory for both
      storage = Storage::allocate(bytes, false);
    }
    return static_cast<S*>(storage.data());
  }
};

}  // namespace mct::linalg_detail
