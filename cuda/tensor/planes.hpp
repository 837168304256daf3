// Tensors in global memory, as block programs of tensors see them.
#pragma once

#include <cstdint>

#include "cuda/base/pack.hpp"
#include "mctensor/expansion/expansion.hpp"

namespace mct::cuda {

/// Types that programs on tensors are compiled for.
#define MCT_FOR_EACH_DEVICE_TYPE(DO) \
  DO(double, 1) DO(float, 1) DO(double, 2) DO(double, 3) DO(float, 2) DO(bfloat16, 2)

/// Limb l of element i is data[l plane + i].
template <class T, int N>
struct DevicePlanes {
  T* data;
  std::int64_t plane;
};

/// Loads `width` neighbouring expansions of N limbs, from element i on. After the last of `count`
/// elements it gives ones, on which every function is quick and safe. `wide`: the planes are
/// aligned.
template <int width, int N, class Team, class T>
MCT_BLOCK void load_elements(Team& team, const DevicePlanes<const T, N>& from, std::int64_t i,
                             std::int64_t count, bool wide, Pack<T, width> (&to)[N]) {
  MCT_UNROLL
  for (int l = 0; l < N; ++l) {
    const T* const p = from.data + l * from.plane + i;
    if (wide && i + width <= count) {
      to[l] = team.template load<width>(p);
    } else {
      MCT_UNROLL
      for (int e = 0; e < width; ++e)
        to[l][e] = i + e < count ? team.template load<1>(p + e)[0] : T(l == 0 ? 1 : 0);
    }
  }
}

template <int width, int N, class Team, class T>
MCT_BLOCK void store_elements(Team& team, const DevicePlanes<T, N>& to, std::int64_t i,
                              std::int64_t count, bool wide, const Pack<T, width> (&from)[N]) {
  MCT_UNROLL
  for (int l = 0; l < N; ++l) {
    T* const p = to.data + l * to.plane + i;
    if (wide && i + width <= count) {
      team.store(p, from[l]);
    } else {
      MCT_UNROLL
      for (int e = 0; e < width; ++e)
        if (i + e < count) team.template store<1>(p + e, {{from[l][e]}});
    }
  }
}

/// Element number e of neighbours. If e is known only at run time, it selects among registers, so
/// the neighbours need no memory.
template <class T, int N, int width>
MCT_BLOCK Expansion<T, N> get_element(const Pack<T, width> (&limbs)[N], int e) {
  Expansion<T, N> x;
  MCT_UNROLL
  for (int l = 0; l < N; ++l) {
    x.limb[l] = limbs[l][0];
    MCT_UNROLL
    for (int k = 1; k < width; ++k) x.limb[l] = k == e ? limbs[l][k] : x.limb[l];
  }
  return x;
}
/// results[...][e] = y, in the same way.
template <class T, int N, int width>
MCT_BLOCK void set_element(Pack<T, width> (&results)[N], int e, const Expansion<T, N>& y) {
  MCT_UNROLL
  for (int l = 0; l < N; ++l) {
    MCT_UNROLL
    for (int k = 0; k < width; ++k) results[l][k] = k == e ? y.limb[l] : results[l][k];
  }
}

}  // namespace mct::cuda
