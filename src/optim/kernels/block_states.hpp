// 8-bit moments with scales for blocks of 16, as floats: a group at a time. Strategy::split8.
#pragma once

#include "src/optim/kernels/block_largest.hpp"
#include "src/optim/kernels/byte_lanes.hpp"
#include "src/optim/kernels/element_random.hpp"
#include "src/optim/kernels/lane_pairs.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// The moments of one group. Functions of their own: every kernel with such
/// states calls the same ones.
struct BlockStates {
  static constexpr auto block = std::size_t(optim::scale_block);
  using Codes = BlockCodes;

  alignas(64) float m[group_length];
  alignas(64) float v[group_length];

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

  /// The lowest bits of the bytes of low are 0. words: of the elements, ElementWords::theta.
  [[gnu::noinline]] void close(std::uint8_t* m8, std::uint8_t* v8, std::uint8_t* low,
                               const std::uint32_t* words) const {
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
    using W = Twice<V>;
    for (std::size_t i = 0; i < group_length; i += lanes<W>) {
      const auto moments = [i](const float* from) {
        return of_registers<W>(i, 0, [from](std::size_t at, std::size_t r) {
          return load_lanes<V>(from + at + r * lanes<V>);
        });
      };
      const auto units = [i](const float* of_blocks) {
        return of_registers<W>(i, 0, [of_blocks](std::size_t at, std::size_t r) {
          return V(of_blocks[(at + r * lanes<V>) / block]);
        });
      };
      const auto random =
          words_beside(words_of<W>{load_words<V>(words + i), load_words<V>(words + i + lanes<V>)});
      const auto code_m =
          Codes::code_of_m(moments(m), units(per_unit_m), Codes::drawn<W>(random.m));
      const auto code_v =
          Codes::code_of_v(moments(v), units(per_unit_v), Codes::drawn<W>(random.v));
      store_byte_words<V>(code_m, m8 + i);
      store_byte_words<V>(code_v, v8 + i);
    }
  }
};

/// Takes no place where each state is stored by itself.
struct NoGroupStates {};

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
