// 8-bit moments with scales for blocks of 16, as floats: a group at a time. Strategy::split8.
#pragma once

#include "src/optim/kernels/block_largest.hpp"
#include "src/optim/kernels/byte_lanes.hpp"
#include "src/optim/kernels/element_random.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// The moments of one group, and its random words. Functions of their own: every kernel with such
/// states calls the same ones.
struct BlockStates {
  static constexpr auto block = std::size_t(optim::scale_block);
  using Codes = BlockCodes;

  alignas(64) float m[group_length];
  alignas(64) float v[group_length];
  alignas(64) std::uint32_t words[group_length];  // ElementWords::theta

  [[gnu::noinline]] void open(const std::uint8_t* m8, const std::uint8_t* v8,
                              const std::uint8_t* low) {
    using V = widest_batch<float>;
    for (std::size_t b = 0; b < group_length; b += block) {
      const detail::BlockScales scales = detail::scales_of_block(low + b);
      const V unit_m(Codes::unit_of_m(scales.m_code));
      const V unit_v(Codes::unit_of_v(scales.v_code));
      for (std::size_t i = b; i < b + block; i += lanes<V>) {
        store_lanes(Codes::m_of<V>(load_byte_words<V>(m8 + i), unit_m), m + i);
        store_lanes(Codes::v_of<V>(load_byte_words<V>(v8 + i), unit_v), v + i);
      }
    }
  }

  /// The lowest bits of the bytes of low are 0.
  [[gnu::noinline]] void close(std::uint8_t* m8, std::uint8_t* v8, std::uint8_t* low) const {
    using V = widest_batch<float>;
    // all blocks together, so that none waits for another
    const BlockLargest largest(m, v);
    constexpr std::size_t blocks = BlockLargest::blocks;
    float per_unit_m[blocks];
    float per_unit_v[blocks];
    for (std::size_t b = 0; b < blocks; ++b) {
      const auto scales = Codes::scales_of(largest.of_m(b), largest.of_v(b));
      per_unit_m[b] = Codes::per_unit_of_m(scales.m_code);
      per_unit_v[b] = Codes::per_unit_of_v(scales.v_code);
      detail::set_scales(scales, low + b * block);
    }
    for (std::size_t i = 0; i < group_length; i += lanes<V>) {
      const auto random = words_beside(load_words<V>(words + i));
      const auto code_m = Codes::code_of_m(load_lanes<V>(m + i), V(per_unit_m[i / block]),
                                           Codes::drawn<V>(random.m));
      const auto code_v = Codes::code_of_v(load_lanes<V>(v + i), V(per_unit_v[i / block]),
                                           Codes::drawn<V>(random.v));
      store_byte_words<V>(code_m, m8 + i);
      store_byte_words<V>(code_v, v8 + i);
    }
  }
};

/// Takes no place where each state is stored by itself.
struct NoGroupStates {};

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
