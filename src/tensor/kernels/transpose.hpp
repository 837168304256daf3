// Blocks of a matrix, turned in registers.
//
// Written with the vectors of the compiler, whose shuffles become those of any instruction set; no
// vector is wider than its registers.
#pragma once

#include <cstddef>
#include <utility>

#include "mctensor/config.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// w numbers (or words) of T.
template <class T, int w>
struct RegisterOf {
  using type __attribute__((vector_size(w * sizeof(T)))) = T;
};
template <class T, int w>
using Register = typename RegisterOf<T, w>::type;

/// Of two rows every second block of `size` entries, from block `odd` on.
template <int w, int size, int odd, class R, std::size_t... k>
MCT_ALWAYS_INLINE inline R interleaved(const R& a, const R& b, std::index_sequence<k...>) {
  return __builtin_shufflevector(
      a, b, (int(k) / size % 2 == 0 ? int(k) + odd * size : w + int(k) - size + odd * size)...);
}

/// Transposes w x w numbers in place: blocks of w / 2, w / 4 ... 1 change places.
template <int w, int size = w / 2, class R>
MCT_ALWAYS_INLINE inline void transpose(R (&row)[w]) {
  if constexpr (size > 0) {
    constexpr auto all = std::make_index_sequence<std::size_t(w)>();
#pragma GCC unroll 16
    for (int i = 0; i < w; ++i) {
      if (i / size % 2 != 0) continue;
      const R a = row[i];
      const R b = row[i + size];
      row[i] = interleaved<w, size, 0>(a, b, all);
      row[i + size] = interleaved<w, size, 1>(a, b, all);
    }
    transpose<w, size / 2>(row);
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
