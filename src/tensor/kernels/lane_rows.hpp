// Rows of numbers in the lanes of a register: how points lie in memory, for every kernel that moves
// or compares rows. On a GPU a row in global memory has the same functions
// (cuda/geometry/team_row.hpp).
#pragma once

#include <type_traits>
#include <utility>

#include "src/tensor/kernels/lanes.hpp"
#include "src/tensor/kernels/transpose.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// A row in each lane of V. P: a scalar of V or a constant one; or double, for lanes of float,
/// whose numbers it holds.
template <class V, class P>
struct LaneRows {
  static constexpr int width = int(lanes<V>);

  P* row[width];
  int used = width;  ///< of the lanes: others have one of these rows and are not stored

  MCT_ALWAYS_INLINE V load(std::ptrdiff_t at) const {
    return load_each(at, std::make_integer_sequence<int, width>());
  }
  MCT_ALWAYS_INLINE void store(std::ptrdiff_t at, const V& x) const {
    scalar_t<V> buffer[width];
    store_lanes(x, buffer);
    for (int j = 0; j < used; ++j) row[j][at] = buffer[j];
  }
  /// Of the rows that are good.
  MCT_ALWAYS_INLINE void store(std::ptrdiff_t at, const V& x, const bool* good) const {
    scalar_t<V> buffer[width];
    store_lanes(x, buffer);
    for (int j = 0; j < used; ++j)
      if (good[j]) row[j][at] = buffer[j];
  }

 private:
  /// From a list of numbers: through memory, each number would wait for the previous one.
  template <int... j>
  MCT_ALWAYS_INLINE V load_each(std::ptrdiff_t at, std::integer_sequence<int, j...>) const {
    using T = scalar_t<V>;
    if constexpr (width == 1) {
      return T(row[0][at]);
    } else {
      const Register<std::remove_const_t<P>, width> numbers{row[j][at]...};
      const auto converted = __builtin_convertvector(numbers, Register<T, width>);
      V x;
      __builtin_memcpy(&x, &converted, sizeof(x));
      return x;
    }
  }
};

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
