// The scales of split8: two numbers of 8 bits in the lowest bits of the 16 bytes of a block.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "mctensor/config.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// The scale of v is 2^(v_code - 94): from one whose smallest v but 0, 2^-32 of it, is a normal
/// float, to the range of floats. That of m is 2^(m_code - 112), so that its unit, 2^-14 of it, is
/// normal.
struct BlockScales {
  static constexpr int v_bias = 94;
  static constexpr int m_bias = 112;
  static constexpr int largest_v_code = 128 + v_bias;
  static constexpr int largest_m_code = 128 + m_bias;

  int v_code;
  int m_code;
};

static_assert(std::endian::native == std::endian::little, "a word begins with its lowest byte");
inline constexpr std::uint64_t lowest_bits = 0x0101010101010101u;

/// The lowest bits of eight bytes, that of the first one as bit 0.
MCT_HD MCT_ALWAYS_INLINE inline int gather_lowest_bits(std::uint64_t bytes) {
  // bit 8 i goes to bit 56 + i; no two products fall on one bit
  return int(((bytes & lowest_bits) * 0x0102040810204080u) >> 56);
}
MCT_ALWAYS_INLINE inline int gather_lowest_bits(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return gather_lowest_bits(word);
}
/// Eight bytes with these lowest bits.
MCT_HD MCT_ALWAYS_INLINE inline std::uint64_t spread_lowest_bits(int code) {
  // bit i stays in byte i, then becomes its lowest one
  const std::uint64_t spread = (std::uint64_t(code) * lowest_bits) & 0x8040201008040201u;
  return ((spread + 0x7f7f7f7f7f7f7f7fu) >> 7) & lowest_bits;
}
/// Sets lowest bits that are 0.
MCT_ALWAYS_INLINE inline void scatter_lowest_bits(int code, std::uint8_t* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  word |= spread_lowest_bits(code);
  std::memcpy(bytes, &word, sizeof(word));
}

MCT_ALWAYS_INLINE inline BlockScales scales_of_block(const std::uint8_t* bytes) {
  return {gather_lowest_bits(bytes), gather_lowest_bits(bytes + 8)};
}
/// Writes them to bytes whose lowest bits are 0.
MCT_ALWAYS_INLINE inline void set_scales(const BlockScales& scales, std::uint8_t* bytes) {
  scatter_lowest_bits(scales.v_code, bytes);
  scatter_lowest_bits(scales.m_code, bytes + 8);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
