// Random bits for stochastic rounding, a group of elements at a time.
#pragma once

#include "src/optim/kernels/adamw_table.hpp"
#include "src/tensor/kernels/philox_lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {

namespace kernels {

using optim_detail::group_length;

/// 16 random bits for each element of a group and each of the values `stream` that are rounded.
///
/// Philox4x32 with the key of the seed, of the counters 16 g + c (64 bits), step, stream for group
/// g and c = 0 ... 15: word k of counter c serves the elements 32 k + 4 (c mod 8) + 2 [c >= 8] (its
/// low half) and the following one (its high half).
struct GroupRandom {
  static constexpr std::size_t counters = 16;
  alignas(64) std::uint16_t words[group_length];

  /// A function of its own: every kernel with stochastic rounding calls the same one.
  [[gnu::noinline]] void fill(const optim_detail::AdamWConstants& c, std::uint64_t group,
                              std::uint32_t stream) {
    constexpr std::size_t side = counters / 2;
    alignas(64) std::uint64_t numbers[side];
    for (std::size_t i = 0; i < side; ++i) numbers[i] = group * counters + i;  // no carry at 2^32
    for (std::size_t i = 0; i < side; i += words64_lanes) {
      Words64 low[4];
      Words64 high[4];
      open(c, load_words64(numbers + i), stream, low);
      open(c, load_words64(numbers + i) + Words64(std::uint64_t(side)), stream, high);
      detail::philox4x32_rounds(low, c.key[0], c.key[1]);
      detail::philox4x32_rounds(high, c.key[0], c.key[1]);
      for (std::size_t k = 0; k < 4; ++k)
        store64(side_by_side(low[k], high[k]), words + 4 * (k * side + i));
    }
  }

 private:
  MCT_ALWAYS_INLINE static void open(const optim_detail::AdamWConstants& c, const Words64& number,
                                     std::uint32_t stream, Words64 (&x)[4]) {
    x[0] = number;
    x[1] = number >> 32;
    x[2] = Words64(std::uint64_t(c.step));
    x[3] = Words64(std::uint64_t(stream));
  }
  MCT_ALWAYS_INLINE static void store64(const Words64& x, std::uint16_t* p) {
    alignas(64) std::uint64_t buffer[words64_lanes];
    store_words64(x, buffer);
    __builtin_memcpy(p, buffer, sizeof(buffer));
  }
};

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
