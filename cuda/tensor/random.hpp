// Random tensors: element i depends on the seed and i alone, as on the CPU.
#pragma once

#include "cuda/base/thread_number.hpp"
#include "cuda/tensor/planes.hpp"
#include "src/tensor/random_words.hpp"

namespace mct::cuda {

/// Uniform numbers in [0, 1), bit for bit those of mct::rand: tensor_detail::uniform of eight words
/// of Philox. A thread makes as many neighbours as fit into 16 bytes.
///
/// Grid: (count / (threads * width), rounded up).
template <class T, int N>
struct UniformNumbers {
  static constexpr int threads = 256, blocks_per_sm = 4;
  static constexpr int width = widest<T>;

  DevicePlanes<T, N> out;
  std::int64_t count;
  std::uint64_t seed;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const std::int64_t i = thread_number<threads>(team) * width;
    if (i >= count) return;
    Pack<T, width> results[N];
    MCT_ROLL
    for (int e = 0; e < width; ++e) {
      const auto words = tensor_detail::random_words(seed, std::uint64_t(i + e), 0);
      set_element(results, e, tensor_detail::uniform<T, N>(words));
    }
    store_elements(team, out, i, count, true, results);
  }
};

/// Normal numbers, those of mct::randn: tensor_detail::normal_pair. The bits of four doubles are
/// equal if both sides are compiled with fma or both without it. The library compiles its side for
/// the baseline of the processor, on x86-64 without fma, and random.cu does the same. A thread
/// makes a pair.
///
/// Grid: (count / (2 threads), rounded up).
template <class T, int N>
struct NormalNumbers {
  static constexpr int threads = 256, blocks_per_sm = 2;

  DevicePlanes<T, N> out;
  std::int64_t count;
  std::uint64_t seed;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const std::int64_t pair = thread_number<threads>(team);
    if (2 * pair >= count) return;
    const auto values = tensor_detail::normal_pair<T, N>(seed, std::uint64_t(pair));
    Pack<T, 2> results[N];
    MCT_UNROLL
    for (int l = 0; l < N; ++l) results[l] = {{values[0].limb[l], values[1].limb[l]}};
    store_elements(team, out, 2 * pair, count, true, results);
  }
};

}  // namespace mct::cuda
