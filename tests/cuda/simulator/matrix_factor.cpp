#include "tests/cuda/simulator/matrix_factor.hpp"

#include <stdexcept>
#include <string>

namespace mct::cuda {

DecodedDescriptor::DecodedDescriptor(std::uint64_t bits)
    : start_(int(bits & 0x3fff) << 4),
      leading_(int(bits >> 16 & 0x3fff) << 4),
      stride_(int(bits >> 32 & 0x3fff) << 4) {
  constexpr std::uint64_t known = 0xc00e3fff3fff3fff;
  if ((bits & ~known) != 0) throw std::invalid_argument("unknown bits of a matrix descriptor");
  // the offset of patterns that begin elsewhere than at a multiple of their size
  if ((bits >> 49 & 7) != 0) throw std::invalid_argument("a matrix descriptor with a base offset");
  constexpr int widths[] = {1, 8, 4, 2};  // no swizzle, of 128, 64 and 32 bytes
  width_ = widths[bits >> 62];
  const int rows = start_ >> 7 & (width_ - 1);  // a step along a line changes lower bits alone
  if (rows != 0) throw std::invalid_argument("a swizzled matrix that begins within a pattern");
}

int DecodedDescriptor::of_coordinates(int line, int k) const {
  const int groups = line / 8 * stride_;
  if (width_ == 1) return start_ + groups + line % 8 * 16 + k / 8 * leading_ + k % 8 * 2;
  return swizzled(start_ + groups + line % 8 * width_ * 16 + k * 2);
}

int DecodedDescriptor::of_lines(int line, int k) const {
  if (width_ == 1)
    return start_ + line / 8 * stride_ + line % 8 * 2 + k % 8 * 16 + k / 8 * leading_;
  const int of_line = line % (8 * width_);
  return swizzled(start_ + line / (8 * width_) * leading_ + of_line * 2 + k % 8 * width_ * 16 +
                  k / 8 * stride_);
}

/// Bits 4 and on are exchanged by bits 7 and on: as many as number the units of a line.
int DecodedDescriptor::swizzled(int byte) const { return byte ^ ((byte >> 7 & (width_ - 1)) << 4); }

}  // namespace mct::cuda
