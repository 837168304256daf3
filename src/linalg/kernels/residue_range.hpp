// The range of the elements of lines, which decides how they become integers.
#pragma once

#include <algorithm>
#include <cstring>

#include "src/linalg/kernels/residue_numbers.hpp"
#include "src/linalg/kernels/residue_registers.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using linalg_detail::LineRange;
using linalg_detail::MatrixView;

/// Ranges of as many lines as a register holds, or of parts of one line: what widen_range
/// (residue_numbers.hpp) does to one.
template <int N>
class RangeLanes {
 public:
  static constexpr std::int64_t count = double_lanes;

  /// x: of each limb as many neighbours.
  MCT_ALWAYS_INLINE void widen(const double* x, std::int64_t plane) {
    const Bits bits = magnitude(load(x));
    largest_ = bits > largest_ ? bits : largest_;
    const Bits nonzero = bits == 0 ? Bits{} + INT64_MAX : bits;
    smallest_ = nonzero < smallest_ ? nonzero : smallest_;
    if constexpr (N > 1) {
      // written so that a NaN is not normalized
      const Numbers bound = (Numbers)bits * 0x1p-50;
      for (int l = 1; l < N; ++l) {
        const Bits lower = magnitude(load(x + l * plane));
        largest_ = lower > largest_ ? lower : largest_;
        normalized_ &= (Bits)((Numbers)lower <= bound);
      }
    }
  }
  /// Adds the range of one lane to a line's.
  void add(std::int64_t lane, LineRange& range) const {
    range.largest = std::max(range.largest, std::int64_t(largest_[lane]));
    range.smallest = std::min(range.smallest, std::int64_t(smallest_[lane]));
    range.normalized = range.normalized & std::int64_t(normalized_[lane] != 0);
  }

 private:
  using Bits [[gnu::vector_size(8 * count)]] = std::int64_t;
  using Numbers [[gnu::vector_size(8 * count)]] = double;

  MCT_ALWAYS_INLINE static Bits load(const double* x) {
    Bits bits;
    std::memcpy(&bits, x, sizeof(bits));
    return bits;
  }
  MCT_ALWAYS_INLINE static Bits magnitude(const Bits& bits) { return bits & INT64_MAX; }

  Bits largest_{};
  Bits smallest_ = Bits{} + INT64_MAX;
  Bits normalized_ = Bits{} - 1;
};

template <int N>
void widen_ranges(MatrixView<const double> x, std::int64_t depth, std::int64_t lines,
                  LineRange* ranges) {
  using Lanes = RangeLanes<N>;
  const auto widen_one = [&](LineRange& range, const double* p) {
    double limb[N];
    for (int l = 0; l < N; ++l) limb[l] = p[l * x.plane];
    widen_range(range, limb);
  };
  if (x.column_stride == 1) {
    constexpr std::int64_t together = 4;  // registers of lines
    std::int64_t j = 0;
    for (; j + together * Lanes::count <= lines; j += together * Lanes::count) {
      Lanes range[together];
      for (std::int64_t k = 0; k < depth; ++k)
        for (std::int64_t r = 0; r < together; ++r)
          range[r].widen(x.data + k * x.row_stride + j + r * Lanes::count, x.plane);
      for (std::int64_t i = 0; i < together * Lanes::count; ++i)
        range[i / Lanes::count].add(i % Lanes::count, ranges[j + i]);
    }
    for (std::int64_t k = 0; k < depth; ++k)
      for (std::int64_t i = j; i < lines; ++i) widen_one(ranges[i], x.data + k * x.row_stride + i);
    return;
  }
  for (std::int64_t j = 0; j < lines; ++j) {
    const double* const line = x.data + j * x.column_stride;
    std::int64_t k = 0;
    if (x.row_stride == 1) {
      Lanes range;
      for (; k + Lanes::count <= depth; k += Lanes::count) range.widen(line + k, x.plane);
      for (std::int64_t i = 0; i < Lanes::count; ++i) range.add(i, ranges[j]);
    }
    for (; k < depth; ++k) widen_one(ranges[j], line + k * x.row_stride);
  }
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
