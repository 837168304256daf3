// Factors of a warpgroup's products in shared memory, as their descriptors say.
#pragma once

#include <cstdint>

#include "tests/cuda/simulator/call_site.hpp"

namespace mct::cuda {

/// Shared memory as matrix instructions read it.
class MatrixMemory {
 public:
  virtual ~MatrixMemory() = default;
  /// The bfloat16 at a byte. Nobody may write to it until finish_read.
  virtual float start_read(int byte, const CallSite& at) const = 0;
  virtual void finish_read(int byte) const = 0;
};

/// A descriptor of wgmma, decoded. Source: NVIDIA, PTX ISA 9.0, "Matrix descriptor format" and
/// "Strides" of the asynchronous warpgroup-level matrix instructions; written from there, not from
/// what encodes it (cuda/base/matrix_descriptor.hpp).
class DecodedDescriptor {
 public:
  /// Throws std::invalid_argument for bits that mean nothing, and for a pattern that does not begin
  /// at a multiple of its size.
  explicit DecodedDescriptor(std::uint64_t bits);

  /// The byte of coordinate k, 0 to 15, of row or column `line`. Of a factor whose coordinates are
  /// neighbours (K-major), or one whose rows or columns are (MN-major).
  int of_coordinates(int line, int k) const;
  int of_lines(int line, int k) const;

 private:
  int swizzled(int byte) const;

  int start_, leading_, stride_;
  int width_;  // units of 16 bytes in a line of the pattern: 1, 2, 4, 8
};

}  // namespace mct::cuda
