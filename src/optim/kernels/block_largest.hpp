// The largest numbers of the blocks of 16 in a group: what their scales are made of.
#pragma once

#include "src/optim/kernels/block_codes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using optim_detail::group_length;

/// The largest sizes (BlockCodes::size_of) of both moments in each block of a group.
class BlockLargest {
 public:
  static constexpr auto block = std::size_t(optim::scale_block);
  static constexpr std::size_t blocks = group_length / block;

  MCT_ALWAYS_INLINE BlockLargest(const float* m, const float* v) {
    using V = widest_batch<float>;
#if MCT_WITH_XSIMD && defined(__AVX512F__)
    // halves, quarters ... of two registers at a time come together in one
    static_assert(lanes<V> == block && blocks == 8);
    // as integers, which order magnitudes as floats do and for which the processor has more units
    const auto size = [](const float* p) {
      return _mm512_and_epi32(_mm512_castps_si512(_mm512_loadu_ps(p)),
                              _mm512_set1_epi32(0x7fffffff));
    };
    __m512i halves[8];
    for (std::size_t b = 0; b < 8; ++b) {
      const __m512i x = size(m + b * block);
      const __m512i y = size(v + b * block);
      halves[b] =
          _mm512_max_epu32(_mm512_shuffle_i32x4(x, y, 0x44), _mm512_shuffle_i32x4(x, y, 0xee));
    }
    __m512i quarters[4];
    for (std::size_t b = 0; b < 4; ++b) {
      const __m512i x = halves[2 * b];
      const __m512i y = halves[2 * b + 1];
      quarters[b] =
          _mm512_max_epu32(_mm512_shuffle_i32x4(x, y, 0x88), _mm512_shuffle_i32x4(x, y, 0xdd));
    }
    __m512i pairs[2];
    for (std::size_t b = 0; b < 2; ++b) {
      const __m512i x = quarters[2 * b];
      const __m512i y = quarters[2 * b + 1];
      pairs[b] = _mm512_max_epu32(_mm512_unpacklo_epi32(x, y), _mm512_unpackhi_epi32(x, y));
    }
    const __m512i all = _mm512_max_epu32(_mm512_unpacklo_epi64(pairs[0], pairs[1]),
                                         _mm512_unpackhi_epi64(pairs[0], pairs[1]));
    // m of blocks 0, 2, 4, 6, then v of them, then those of the other blocks
    const __m512i order = _mm512_setr_epi32(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    const V sizes = _mm512_castsi512_ps(_mm512_permutexvar_epi32(order, all));
    store_lanes(BlockCodes::size_of(sizes), sizes_);
#else
    for (std::size_t b = 0; b < blocks; ++b) {
      V largest_m(0.0F);
      V largest_v(0.0F);
      for (std::size_t i = b * block; i < (b + 1) * block; i += lanes<V>) {
        largest_m = greater(BlockCodes::size_of(load_lanes<V>(m + i)), largest_m);
        largest_v = greater(BlockCodes::size_of(load_lanes<V>(v + i)), largest_v);
      }
      sizes_[b] = largest_lane(largest_m);
      sizes_[blocks + b] = largest_lane(largest_v);
    }
#endif
  }

  float of_m(std::size_t b) const { return sizes_[b]; }
  float of_v(std::size_t b) const { return sizes_[blocks + b]; }

 private:
  alignas(64) float sizes_[2 * blocks];
};

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
