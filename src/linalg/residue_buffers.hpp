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

/// Buffers that the process keeps from one product to the next; no other product uses them at the
/// same time. The system would clear new pages for every product; this takes a fifth of the time of
/// a product of 1024 rows.
class BorrowedBuffers : public ResidueBuffers {
 public:
  /// The largest buffer that is kept after a product; larger buffers go back to the system.
  static constexpr std::size_t most_kept_bytes = std::size_t(256) << 20;

  BorrowedBuffers();
  ~BorrowedBuffers();
  BorrowedBuffers(const BorrowedBuffers&) = delete;
  BorrowedBuffers& operator=(const BorrowedBuffers&) = delete;
};

}  // namespace mct::linalg_detail
