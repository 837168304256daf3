// Attention on a GPU, as the host sees it: the operands of the programs. The types of the programs
// are not named, because CUDA compiles their scores under other names (MCT_ISA_NAMESPACE).
#pragma once

#include "cuda/attention/operands.hpp"
#include "cuda/base/launch.hpp"
#include "mctensor/attention/scores.hpp"
#include "mctensor/device/stream.hpp"

namespace mct::cuda {

/// Operands and results of AttentionForward.
template <class T, bool biased = false>
struct AttentionLaunch {
  attention::Score score;
  int groups;
  VectorsView x, y, v;
  NumbersView a, b;
  PairSizes sizes;
  T* out;
  bfloat16* rest;
  float* log_sum;
  BiasView bias = {};
};

/// Operands and results of both AttentionBackward programs, by queries and by keys.
template <class T, bool biased = false>
struct AttentionBackwardLaunch {
  attention::Score score;
  int groups;
  AttentionSide queries, keys;
  PairSizes sizes;
  T* to_x;
  float* to_a;
  T* to_y;
  float* to_b;
  T* to_v;
  BiasView bias = {};
};

/// The number of tiles for `rows` rows.
inline int tiles_of(int rows, int of_tile) { return (rows + of_tile - 1) / of_tile; }

/// Start the programs for vectors and values of at most D coordinates, for scores with or without a
/// bias. Compiled with the programs (start_attention.hpp) in .cu files.
template <int D, class T, bool biased>
void start_attention(const AttentionLaunch<T, biased>& of, const Stream& stream);
template <int D, class T, bool biased>
void start_attention_backward(const AttentionBackwardLaunch<T, biased>& of, const Stream& stream);

/// start_attention calls this first: it starts the program that uses the matrix instructions of a
/// warpgroup. It starts nothing and returns false if the device or the library has no such program
/// (MCT_HAVE_WARPGROUPS), if such programs are not wanted, and for scores in double, which take
/// longer than any product.
template <int D>
bool start_attention_by_warpgroups(const AttentionLaunch<bfloat16>& of, const Stream& stream);
/// Whether these programs are wanted: not until a device has given the simulator's results. Tests
/// and benchmarks ask for them, on a device too.
inline bool& warpgroups_are_wanted() {
  static bool wanted = false;
  return wanted;
}

#if !MCT_HAVE_WARPGROUPS
template <int D>
bool start_attention_by_warpgroups(const AttentionLaunch<bfloat16>&, const Stream&) {
  return false;
}
#endif

#if !MCT_HAVE_CUDA && !defined(__CUDACC__)
template <int D, class T, bool biased>
void start_attention(const AttentionLaunch<T, biased>&, const Stream&) {
  refuse_launch();
}
template <int D, class T, bool biased>
void start_attention_backward(const AttentionBackwardLaunch<T, biased>&, const Stream&) {
  refuse_launch();
}
#endif

}  // namespace mct::cuda
