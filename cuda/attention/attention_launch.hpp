// Attention on a GPU, as the host sees it: what its programs are given, without their types, whose
// scores have other names where CUDA compiles them (MCT_ISA_NAMESPACE).
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

/// Operands and results of AttentionBackward, by queries and by keys.
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

/// Tiles of so many rows.
inline int tiles_of(int rows, int of_tile) { return (rows + of_tile - 1) / of_tile; }

/// Start the programs for vectors and values of at most D coordinates, and those for scores with a
/// bias or without. Compiled with them (start_attention.hpp) in .cu files.
template <int D, class T, bool biased>
void start_attention(const AttentionLaunch<T, biased>& of, const Stream& stream);
template <int D, class T, bool biased>
void start_attention_backward(const AttentionBackwardLaunch<T, biased>& of, const Stream& stream);

/// What start_attention asks first: starts the program whose products are a warpgroup's. False,
/// and nothing is started, where the device or the library has none (MCT_HAVE_WARPGROUPS), for
/// scores that are computed in double, which take longer than any product, and where they are not
/// wanted.
template <int D>
bool start_attention_by_warpgroups(const AttentionLaunch<bfloat16>& of, const Stream& stream);
/// Whether they are wanted: not before a device has given the simulator's results. Tests and
/// benchmarks, on a device too, ask for them.
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
