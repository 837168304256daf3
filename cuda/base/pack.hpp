// Values that are moved together, by one instruction.
#pragma once

#include "mctensor/config.hpp"

// MCT_BLOCK marks functions that only block programs call. MCT_ROLL marks a loop that runs seldom
// and must take few registers.
#if defined(__CUDACC__)
#define MCT_BLOCK __device__ __forceinline__
#define MCT_ROLL _Pragma("unroll 1")
#else
#define MCT_BLOCK inline
#define MCT_ROLL
#endif

namespace mct::cuda {

/// K neighbours in memory, moved by one access. K sizeof(T) is at most 16 bytes, the widest access.
template <class T, int K>
struct alignas(sizeof(T) * K) Pack {
  static_assert((K & (K - 1)) == 0 && sizeof(T) * K <= 16);
  T v[K];

  MCT_HD constexpr T& operator[](int i) { return v[i]; }
  MCT_HD constexpr const T& operator[](int i) const { return v[i]; }
};

/// How many T the widest access moves.
template <class T>
inline constexpr int widest = int(16 / sizeof(T));

/// The shared memory of programs without Shared<Team>.
struct NoShared {};
template <class Program, class Team>
struct SharedMemoryOf {
  using type = NoShared;
};
template <class Program, class Team>
requires requires { typename Program::template Shared<Team>; }
struct SharedMemoryOf<Program, Team> {
  using type = typename Program::template Shared<Team>;
};
/// The shared memory of a program's block.
template <class Program, class Team>
using SharedOf = typename SharedMemoryOf<Program, Team>::type;

}  // namespace mct::cuda
