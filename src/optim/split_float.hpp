// A float as a bfloat16 and the bits below it: Strategy::split16, split8.
#pragma once

#include <bit>
#include <cstdint>

#include "mctensor/config.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// `high`: the bits of the float rounded to bfloat16, to nearest, ties away from zero. `low`: the
/// difference between the bits of the float and the bits of high, as a signed number.
struct SplitFloat {
  std::uint16_t high;
  std::uint16_t low;
};

MCT_HD MCT_ALWAYS_INLINE constexpr SplitFloat split_float(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t high = (bits + 0x8000u) >> 16;
  return {std::uint16_t(high), std::uint16_t(bits - (high << 16))};
}
MCT_HD MCT_ALWAYS_INLINE constexpr float join_float(SplitFloat x) {
  const auto low = std::uint32_t(std::int32_t(std::int16_t(x.low)));
  return std::bit_cast<float>((std::uint32_t(x.high) << 16) + low);
}

/// The bits of a byte that belong to the weight; the lowest bit belongs to a scale of its block.
inline constexpr std::uint8_t lower_byte_mask = 0xfe;

/// Rounded to 23 bits, to nearest, ties away from zero: then the lower 9 bits of `low` are 0.
MCT_HD MCT_ALWAYS_INLINE constexpr SplitFloat split_short_float(float x) {
  return split_float(std::bit_cast<float>((std::bit_cast<std::uint32_t>(x) + 0x100u) & ~0x1ffu));
}
MCT_HD MCT_ALWAYS_INLINE constexpr std::uint8_t lower_byte_of(SplitFloat x) {
  return std::uint8_t(x.low >> 8);
}
MCT_HD MCT_ALWAYS_INLINE constexpr float join_short_float(std::uint16_t high,
                                                          std::uint8_t lower_byte) {
  return join_float({high, std::uint16_t((lower_byte & lower_byte_mask) << 8)});
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
