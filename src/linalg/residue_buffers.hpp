// Memory of products through integers.
#pragma once

#include <cstddef>

#include "mctensor/tensor/storage.hpp"

namespace mct::linalg_detail {

/// Residues of a block of the result, words of its rows and of its columns.
struct ResidueBuffers {
  Storage sums;
  Storage left;
  Storage right;
};

/// Buffers that the process keeps from one product to the next, which nobody else uses meanwhile.
/// The system would clear new pages for every product, which takes a fifth of the time of one of
/// 1024 rows.
class BorrowedBuffers : public ResidueBuffers {
 public:
  /// What is kept after a product, at most; what is larger goes back to the system.
  static constexpr std::size_t most_kept_bytes = std::size_t(256) << 20;

  BorrowedBuffers();
  ~BorrowedBuffers();
  BorrowedBuffers(const BorrowedBuffers&) = delete;
  BorrowedBuffers& operator=(const BorrowedBuffers&) = delete;
};

}  // namespace mct::linalg_detail
