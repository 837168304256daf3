// The order of reductions, which CPU and GPU have in common.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mctensor/config.hpp"

namespace mct::tensor_detail {

/// Elements that a kernel sums at a time; such pieces are added in order.
inline constexpr std::int64_t sum_piece = std::int64_t(1) << 13;

MCT_HD constexpr std::int64_t sum_pieces(std::int64_t count) {
  return (count + sum_piece - 1) / sum_piece;
}
/// Elements of the piece that begins at `first`.
MCT_HD constexpr std::int64_t piece_length(std::int64_t count, std::int64_t first) {
  return count - first < sum_piece ? count - first : sum_piece;
}

/// Virtual lanes of a sum in K levels: enough independent chains for the widest registers.
template <int K>
inline constexpr std::size_t virtual_lanes = K <= 2 ? 32 : 16;

}  // namespace mct::tensor_detail
