// Rows of a table of points in the lanes of a register.
#pragma once

#include <cstdint>

#include "src/embed/kernels/places.hpp"
#include "src/embed/kernels/train_operands.hpp"
#include "src/tensor/kernels/lane_rows.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using embed_detail::PointTable;

/// Asks memory for a row; of long ones the first lines, after which processors fetch by
/// themselves.
template <class P>
MCT_ALWAYS_INLINE inline void fetch_row(const PointTable<P>& points, std::int64_t row) {
  const double* at = points.data + (row < 0 ? 0 : row) * points.numbers;
  __builtin_prefetch(at);
  if (points.numbers > 4) __builtin_prefetch(at + points.numbers - 1);
  if (points.numbers > 16) __builtin_prefetch(at + 8);
}

/// The first numbers of a register, zeros after them.
template <class V>
MCT_ALWAYS_INLINE inline V load_first(const scalar_t<V>* from, int used) {
  constexpr int width = int(lanes<V>);
  if (used == width) return load_lanes<V>(from);
  scalar_t<V> buffer[width] = {};
  for (int j = 0; j < used; ++j) buffer[j] = from[j];
  return load_lanes<V>(buffer);
}

/// The first `used` rows of these, of a table with so many numbers each; the first one again in
/// lanes after them.
template <class V>
MCT_ALWAYS_INLINE inline LaneRows<V, double> rows_in_lanes(double* data, std::int64_t numbers,
                                                           const std::int32_t* rows, int used) {
  LaneRows<V, double> r{{}, used};
  for (int j = 0; j < r.width; ++j)
    r.row[j] = data + std::int64_t(rows[j < used ? j : 0]) * numbers;
  return r;
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
