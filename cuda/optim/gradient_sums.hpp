// The norm of a list of gradients, and whether they are finite.
#pragma once

#include "cuda/optim/octet.hpp"
#include "cuda/optim/tensor_list.hpp"
#include "cuda/optim/totals.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/eft/value.hpp"
#include "mctensor/optim/adamw.hpp"

namespace mct::cuda {

/// The sum of squares in double, and how many elements are infinite or NaN.
using GradientTotals = Totals<1, 1>;

/// Magnitudes of T as doubles, without the slow conversions of the hardware. The bits of a T are
/// placed in a double, which has the same fraction and an exponent with another bias; this holds
/// for subnormals, too.
template <class T>
struct MagnitudeBits {
  static constexpr int fraction = int(FloatTraits<T>::p) - 1;
  static constexpr int exponent_bits = int(8 * sizeof(T)) - 1 - fraction;
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  /// 2^(1023 - bias)
  static constexpr double unit = std::bit_cast<double>(std::uint64_t(1023 + (1023 - bias)) << 52);

  static constexpr std::uint32_t infinity = ((1u << exponent_bits) - 1) << fraction;

  MCT_HD MCT_ALWAYS_INLINE static double number(std::uint32_t magnitude) {
    return std::bit_cast<double>(std::uint64_t(magnitude) << (52 - fraction)) * unit;
  }
};

/// Grid: `blocks` blocks on every device, so that the sum is always the same.
///
/// The relative error of the norm is (1 + log2 of the elements) 2^-53, and more for long lists: a
/// thread adds elements / (blocks threads) squares one after the other. Each square is exact.
template <class T>
struct GradientSums {
  static constexpr int threads = 128, blocks_per_sm = 8, blocks = 1024;
  static constexpr int octets = int(TensorChunk::length) / (threads * 8);

  const optim::AdamWMemory* tensors;
  const TensorChunk* chunks;
  int count;  // of chunks
  GradientTotals* totals;
  /// Magnitudes from these bits on count as infinite. The limit is lower for floats that are then
  /// rounded to 16 bits, where fewer are finite.
  std::uint32_t infinite = MagnitudeBits<T>::infinity;

  template <class Team>
  struct Shared {
    BlockTotals<threads, 1, 1, Team> totals;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    Totals<1, 1, std::int32_t> own;
    int n = team.block_x();
    TensorChunk chunk{};
    if (n < count) chunk = load_record(team, chunks + n);
    while (n < count) {
      const optim::AdamWMemory memory = load_record(team, tensors + chunk.tensor);
      const std::int64_t begin =
          chunk.index * TensorChunk::length - memory.first % TensorChunk::length + team.rank() * 8;
      n += team.blocks_x();
      if (n < count) chunk = load_record(team, chunks + n);  // prefetch
      Octet<T> x[octets];
      MCT_UNROLL
      for (int o = 0; o < octets; ++o) load(team, memory, begin + o * threads * 8, x[o]);
      MCT_UNROLL
      for (int o = 0; o < octets; ++o) add(x[o], own);
    }
    const GradientTotals all = shared.totals.reduce(team, own);
    if (team.rank() == 0) store_record(team, totals + team.block_x(), all);
  }

 private:
  using Magnitude = MagnitudeBits<T>;
  static constexpr bool is_short = sizeof(T) == 2;
  static constexpr std::uint32_t signs = is_short ? 0x80008000u : 0x80000000u;

  template <class Team>
  MCT_BLOCK static void load(Team& team, const optim::AdamWMemory& memory, std::int64_t first,
                             Octet<T>& x) {
    const OctetPlace at{first, memory.count, 4};
    const auto* grad = static_cast<const T*>(memory.grad);
    if (at.is_whole() && reinterpret_cast<std::uintptr_t>(grad + first) % 16 == 0) {
      x.template load<true>(team, grad, at);
    } else {
      x.template load<false>(team, grad, at);
    }
  }

  MCT_BLOCK void add(const Octet<T>& x, Totals<1, 1, std::int32_t>& to) const {
    // added to a magnitude, it sets the sign bit if the element is infinite or NaN
    const std::uint32_t one = (is_short ? 0x8000u : 0x80000000u) - infinite;
    const std::uint32_t beyond = is_short ? one * 0x10001u : one;
    std::uint32_t found = 0;
    MCT_UNROLL
    for (int w = 0; w < Octet<T>::words; ++w) {
      const std::uint32_t magnitudes = x.word[w] & ~signs;
      found |= magnitudes + beyond;
      if constexpr (is_short) {
        add_square(Magnitude::number(magnitudes & 0xffffu), to.sum[0]);
        add_square(Magnitude::number(magnitudes >> 16), to.sum[0]);
      } else {
        add_square(Magnitude::number(magnitudes), to.sum[0]);
      }
    }
    if ((found & signs) != 0) add_special(x, to);
  }
  MCT_BLOCK static void add_square(double x, double& sum) {
    sum = detail::fused_multiply_add(x, x, sum);
  }
  /// Corrects the sum for elements that are not finite, which were added as numbers.
  MCT_BLOCK void add_special(const Octet<T>& x, Totals<1, 1, std::int32_t>& to) const {
    MCT_UNROLL
    for (int e = 0; e < 8; ++e) {
      const std::uint32_t magnitude = x.bits(e) & (is_short ? 0x7fffu : 0x7fffffffu);
      if (magnitude < infinite) continue;
      const float number = x.number(e);
      if (magnitude >= Magnitude::infinity) to.sum[0] += double(number) * double(number);
      to.count[0] += 1;
    }
  }
};

}  // namespace mct::cuda
