// Rows of a table in the lanes of a register.
#pragma once

#include <cstdint>
#include <utility>

#include "src/embed/kernels/places.hpp"
#include "src/embed/kernels/train_operands.hpp"
#include "src/tensor/kernels/transpose.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using embed_detail::PointTable;

/// The rows of the points in the lanes of a register.
template <class P>
struct LaneRows {
  P* row[place_lanes];
  int used = place_lanes;  ///< of the lanes: others have the first row and are not stored

  MCT_ALWAYS_INLINE PlaceLanes load(int at) const {
    return load_each(at, std::make_integer_sequence<int, place_lanes>());
  }
  MCT_ALWAYS_INLINE void store(int at, const PlaceLanes& x, const bool* good) const {
    double buffer[place_lanes];
    store_lanes(x, buffer);
    for (int j = 0; j < used; ++j)
      if (good[j]) row[j][at] = buffer[j];
  }

 private:
  /// By a list of numbers: through memory each would have to wait for the last one.
  template <int... j>
  MCT_ALWAYS_INLINE PlaceLanes load_each(int at, std::integer_sequence<int, j...>) const {
    if constexpr (place_lanes == 1) {
      return row[0][at];
    } else {
      const Register<double, place_lanes> numbers{row[j][at]...};
      PlaceLanes x;
      __builtin_memcpy(&x, &numbers, sizeof(x));
      return x;
    }
  }
};

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
MCT_ALWAYS_INLINE inline LaneRows<double> rows_in_lanes(double* data, std::int64_t numbers,
                                                        const std::int32_t* rows, int used) {
  LaneRows<double> r{{}, used};
  for (int j = 0; j < place_lanes; ++j)
    r.row[j] = data + std::int64_t(rows[j < used ? j : 0]) * numbers;
  return r;
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
