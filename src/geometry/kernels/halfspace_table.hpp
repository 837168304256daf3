// The kernels of half-space rows, compiled once per instruction set. This header has no code, so it
// may be included under any instruction set.
#pragma once

#include <cstdint>

#include "src/tensor/kernels/registry.hpp"

namespace mct::geometry_detail {

/// Rows of n coordinates in contiguous planes, one for each component; row i of a kernel is
/// rows[i], or i without rows.
template <class P>
struct RowPlanes {
  P* data;
  std::int64_t plane_stride;
  const std::int64_t* rows;
  int components;
};

template <class T>
struct HalfSpaceTable {
  /// out[i] = d / K of p's and q's row i.
  void (*dist)(int n, std::int64_t count, RowPlanes<const T> p, RowPlanes<const T> q, T* out);
  /// out[i n ...] = the direction from q's to p's row.
  void (*direction)(int n, std::int64_t count, RowPlanes<const T> p, RowPlanes<const T> q, T* out);
  /// p's row i moves by the frame vector frame[i n ...]; the rows are different.
  void (*expmap)(bool long_height, int n, std::int64_t count, RowPlanes<T> p, const T* frame);
};

/// M components; M = 0 for any number of them, with heights of one (long_height is ignored).
MCT_DECLARE_KERNELS(template <class T, int M> const HalfSpaceTable<T>& half_space_table();)

#define MCT_DEFINE_HALF_SPACE(T, M)                                                   \
  template <>                                                                         \
  const HalfSpaceTable<T>& half_space_table<T, M>() {                                 \
    static constexpr HalfSpaceTable<T> table = {&kernels::half_space_dist<T, M>,      \
                                                &kernels::half_space_direction<T, M>, \
                                                &kernels::half_space_expmap<T, M>};   \
    return table;                                                                     \
  }

}  // namespace mct::geometry_detail
