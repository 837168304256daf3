// 8-bit moments with scales for blocks of 16, as floats: a group at a time. Strategy::split8.
#pragma once

#include "src/optim/kernels/block_codes.hpp"
#include "src/optim/kernels/byte_lanes.hpp"
#include "src/optim/kernels/lane_pairs.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using optim_detail::group_length;

/// The moments of one group. Functions of their own: every kernel with such states calls the same
/// ones.
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
      const V unit(Codes::unit_of_m(scales.m_code));
      const V root_unit(Codes::root_unit_of_v(scales.v_code));
      for (std::size_t i = b; i < b + block; i += lanes<V>) {
        store_lanes(Codes::m_of<V>(load_byte_words<V>(m8 + i), unit), m + i);
        store_lanes(Codes::v_of<V>(load_byte_words<V>(v8 + i), root_unit), v + i);
      }
    }
  }

  /// The lowest bits of the bytes of low are 0. random_m, random_v: 16 random bits for each.
  [[gnu::noinline]] void close(std::uint8_t* m8, std::uint8_t* v8, std::uint8_t* low,
                               const std::uint16_t* random_m, const std::uint16_t* random_v) const {
    using V = widest_batch<float>;
    for (std::size_t b = 0; b < group_length; b += block) {
      V largest_m(0.0F);
      V largest_v(0.0F);
      for (std::size_t i = b; i < b + block; i += lanes<V>) {
        largest_m = greater(Codes::size_of(load_lanes<V>(m + i)), largest_m);
        largest_v = greater(Codes::size_of(load_lanes<V>(v + i)), largest_v);
      }
      const auto scales = Codes::scales_of(largest_lane(largest_m), largest_lane(largest_v));
      detail::set_scales(scales, low + b);
      const V per_unit(Codes::per_unit_of_m(scales.m_code));
      const V per_root_unit(Codes::per_root_unit_of_v(scales.v_code));
      for (std::size_t i = b; i < b + block; i += lanes<V>) {
        store_byte_words<V>(
            Codes::code_of_m(load_lanes<V>(m + i), per_unit, drawn<V>(random_m + i)), m8 + i);
        store_byte_words<V>(
            Codes::code_of_v(load_lanes<V>(v + i), per_root_unit, drawn<V>(random_v + i)), v8 + i);
      }
    }
  }

 private:
  template <class V>
  MCT_ALWAYS_INLINE static V drawn(const std::uint16_t* random) {
    return Codes::drawn<V>(load_word_of_pair<PairLayout::halves, V>(random, 0));
  }
};

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
