// Values that travel together, in one instruction.
#pragma once

#include "mctensor/config.hpp"

// MCT_BLOCK marks what only a block program calls.
#if defined(__CUDACC__)
#define MCT_BLOCK __device__ __forceinline__
#else
#define MCT_BLOCK inline
#endif

namespace mct::cuda {

/// K neighbours in memory: 16 bytes, the widest access of a thread, where K sizeof(T) is 16.
template <class T, int K>
struct alignas(sizeof(T) * K) Pack {
  static_assert((K & (K - 1)) == 0 && sizeof(T) * K <= 16);
  T v[K];

  MCT_HD constexpr T& operator[](int i) { return v[i]; }
  MCT_HD constexpr const T& operator[](int i) const { return v[i]; }
};

/// How many T travel in the widest access.
template <class T>
inline constexpr int widest = int(16 / sizeof(T));

}  // namespace mct::cuda
