// Eight elements of an array in the registers of a thread.
#pragma once

#include <cstdint>
#include <utility>

#include "cuda/base/pack.hpp"
#include "src/tensor/kernels/short_words.hpp"

namespace mct::cuda {

/// The elements that a thread has of an array of `count` elements: two times four neighbours.
struct OctetPlace {
  std::int64_t first;  // may be before the array or after it
  std::int64_t count;
  int apart;  // from the first four to the others: 4 if an array has elements of 16 bits

  MCT_HD std::int64_t index(int e) const { return first + e / 4 * apart + e % 4; }
  MCT_HD bool holds(int e) const { return index(e) >= 0 && index(e) < count; }
  MCT_HD bool is_whole() const { return first >= 0 && index(7) < count; }
};

/// Elements of A as the words that are loaded and stored. No index of a word is computed at run
/// time, so that each word is a register.
template <class A>
struct Octet {
  static constexpr int words = int(2 * sizeof(A)), in_word = int(4 / sizeof(A));
  using Bits = std::conditional_t<sizeof(A) == 4, std::uint32_t,
                                  std::conditional_t<sizeof(A) == 2, std::uint16_t, std::uint8_t>>;

  std::uint32_t word[words];

  /// Whole: all eight elements exist. Otherwise missing elements become 0.
  template <bool Whole, class Team>
  MCT_BLOCK void load(Team& team, const A* array, const OctetPlace& at) {
    if constexpr (Whole) {
      MCT_UNROLL
      for (int w = 0; w < words; w += at_once) {
        const auto part = team.template load<at_once>(
            reinterpret_cast<const std::uint32_t*>(array + at.index(w * in_word)));
        MCT_UNROLL
        for (int k = 0; k < at_once; ++k) word[w + k] = part[k];
      }
    } else {
      MCT_UNROLL
      for (int w = 0; w < words; ++w) word[w] = 0;
      MCT_ROLL
      for (int e = 0; e < 8; ++e) {
        if (!at.holds(e)) continue;
        const auto one = team.template load<1>(reinterpret_cast<const Bits*>(array) + at.index(e));
        place(e, std::uint32_t(one[0]) << shift(e), std::make_index_sequence<words>());
      }
    }
  }
  template <bool Whole, class Team>
  MCT_BLOCK void store(Team& team, A* array, const OctetPlace& at) const {
    if constexpr (Whole) {
      MCT_UNROLL
      for (int w = 0; w < words; w += at_once) {
        Pack<std::uint32_t, at_once> part;
        MCT_UNROLL
        for (int k = 0; k < at_once; ++k) part[k] = word[w + k];
        team.template store<at_once>(
            reinterpret_cast<std::uint32_t*>(array + at.index(w * in_word)), part);
      }
    } else {
      MCT_ROLL
      for (int e = 0; e < 8; ++e) {
        if (!at.holds(e)) continue;
        const std::uint32_t bits = found(e, std::make_index_sequence<words>()) >> shift(e);
        team.template store<1>(reinterpret_cast<Bits*>(array) + at.index(e),
                               Pack<Bits, 1>{{Bits(bits)}});
      }
    }
  }

  /// Element e as a float, exactly.
  MCT_HD float number(int e) const {
    if constexpr (sizeof(A) == 4) {
      return std::bit_cast<float>(word[e]);
    } else {
      using Words = kernels::ShortWords<A>;
      return e % 2 == 0 ? Words::first(word[e / 2]) : Words::second(word[e / 2]);
    }
  }
  /// The bits of element e.
  MCT_HD std::uint32_t bits(int e) const {
    if constexpr (sizeof(A) == 4) return word[e];
    return (word[e / in_word] >> shift(e)) & ((1u << (32 / in_word) % 32) - 1);
  }
  MCT_HD void set_bits(int e, std::uint32_t bits) {
    constexpr std::uint32_t mask = (1u << (32 / in_word) % 32) - 1;
    word[e / in_word] = (word[e / in_word] & ~(mask << shift(e))) | bits << shift(e);
  }
  /// Elements e and e + 1, e even; 16 bits as ShortWords<A>::pack stores them.
  MCT_HD void set_numbers(int e, float x, float y) {
    if constexpr (sizeof(A) == 4) {
      word[e] = std::bit_cast<std::uint32_t>(x);
      word[e + 1] = std::bit_cast<std::uint32_t>(y);
    } else {
      word[e / 2] = kernels::ShortWords<A>::pack(x, y);
    }
  }

 private:
  static constexpr int at_once = words < 4 ? words : 4;

  template <std::size_t... w>
  MCT_BLOCK void place(int e, std::uint32_t bits, std::index_sequence<w...> /*words*/) {
    ((word[w] |= int(w) == e / in_word ? bits : 0u), ...);
  }
  template <std::size_t... w>
  MCT_BLOCK std::uint32_t found(int e, std::index_sequence<w...> /*words*/) const {
    return ((int(w) == e / in_word ? word[w] : 0u) | ...);
  }
  MCT_HD static constexpr int shift(int e) { return e % in_word * (32 / in_word); }
};

/// Takes the place of an array that does not exist.
struct NoOctet {};

}  // namespace mct::cuda
