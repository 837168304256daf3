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

/// Rows of a table of points.
template <class P>
using TableRows = LaneRows<PlaceLanes, P>;

/// Asks memory for a row; of long ones the first lines, behind which processors fetch by
/// themselves.
template <class P>
MCT_ALWAYS_INLINE inline void fetch_row(const PointTable<P>& points, std::int64_t row) {
  const double* at = points.data + (row < 0 ? 0 : row) * points.numbers;
  __builtin_prefetch(at);
  if (points.numbers > 4) __builtin_prefetch(at + points.numbers - 1);
  if (points.numbers > 16) __builtin_prefetch(at + 8);
}

/// The first numbers of a register, zeros behind them.
MCT_ALWAYS_INLINE inline PlaceLanes load_first(const double* from, int used) {
  if (used == place_lanes) return load_lanes<PlaceLanes>(from);
  double buffer[place_lanes] = {};
  for (int j = 0; j < used; ++j) buffer[j] = from[j];
  return load_lanes<PlaceLanes>(buffer);
}

/// The first `used` rows of these, of a table with so many numbers each; the first one again in
/// lanes behind them.
MCT_ALWAYS_INLINE inline TableRows<double> rows_in_lanes(double* data, std::int64_t numbers,
                                                         const std::int32_t* rows, int used) {
  TableRows<double> r{{}, used};
  for (int j = 0; j < place_lanes; ++j)
    r.row[j] = data + std::int64_t(rows[j < used ? j : 0]) * numbers;
  return r;
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
