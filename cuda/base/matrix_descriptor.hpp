// How a factor of a warpgroup's product lies in shared memory.
#pragma once

#include <cstdint>

#include "mctensor/config.hpp"

namespace mct::cuda {

/// The pattern of swizzled rows has this many bytes, and begins at their multiples.
inline constexpr int swizzled_bytes = 1024;

/// A descriptor of PTX's wgmma. A line has 128 bytes, and eight lines are a pattern of 1024 bytes,
/// in which bits 4 to 6 of an address are xored with its bits 7 to 9 (swizzle of 128 bytes).
///
/// If coordinates along the sum are neighbours, a line has 64 coordinates of one row or column, and
/// `stride` is the distance from eight lines to the next eight; `leading` is not read. If rows or
/// columns are neighbours, a line has 64 of them at one coordinate, `stride` is the distance from
/// eight coordinates to the next eight, and `leading` that from 64 rows or columns to the next. A
/// step of 16 coordinates begins 32 bytes, or two patterns, further. Source: NVIDIA, PTX ISA 9.0,
/// asynchronous warpgroup-level matrix instructions.
struct MatrixDescriptor {
  std::uint32_t low, high;

  /// All in bytes, multiples of 16 below 2^18.
  MCT_HD static constexpr MatrixDescriptor of(std::uint32_t address, std::uint32_t leading,
                                              std::uint32_t stride) {
    constexpr std::uint32_t swizzle_of_128_bytes = 1U << 30;
    return {field(address) | field(leading) << 16, field(stride) | swizzle_of_128_bytes};
  }
  /// The same, `bytes` further, with `leading` increased: one addition.
  MCT_HD constexpr MatrixDescriptor moved(int bytes, int more_leading = 0) const {
    return {low + std::uint32_t(bytes / 16) + (std::uint32_t(more_leading / 16) << 16), high};
  }
  MCT_HD constexpr std::uint64_t bits() const { return low | std::uint64_t(high) << 32; }

 private:
  MCT_HD static constexpr std::uint32_t field(std::uint32_t bytes) {
    return (bytes & 0x3ffff) >> 4;
  }
};

}  // namespace mct::cuda
