// One point of rows of lanes (manifold_table.hpp): its numbers read and written.
#pragma once

#include "mctensor/expansion/expansion.hpp"
#include "mctensor/geometry/work.hpp"
#include "src/geometry/kernels/manifold_table.hpp"

namespace mct::geometry_detail {

/// A number in one lane: its limbs are `step` apart, a row unless it is a radius.
template <class W>
W number_in(const double* at, std::size_t step = block) {
  if constexpr (is_expansion_v<W>) {
    W x;
    for (int k = 0; k < W::components; ++k) x.limb[k] = at[std::size_t(k) * step];
    return x;
  } else {
    return *at;
  }
}
template <class W>
inline constexpr std::size_t rows_of = block* std::size_t(geometry::detail::limbs_of<W>);

template <class W>
void put(double* rows, const W& x) {
  if constexpr (is_expansion_v<W>) {
    for (int k = 0; k < W::components; ++k) rows[std::size_t(k) * block] = x.limb[k];
  } else {
    *rows = x;
  }
}
}  // namespace mct::geometry_detail
