// The arrays of an AdamW composition, eight elements of each in the registers of a thread.
#pragma once

#include "cuda/optim/group_octets.hpp"
#include "cuda/optim/octet.hpp"
#include "mctensor/optim/adamw.hpp"
#include "src/optim/group_mark.hpp"
#include "src/optim/kernels/adamw_parts.hpp"

namespace mct::cuda {

using kernels::AdamWLanes;
using optim::Composition;
using optim::LowPart;
using optim::Number;

/// The counterpart of AdamWArrays for octets.
template <class T, Composition C, bool Rare>
struct AdamWOctets {
  using Types = kernels::AdamWTypes<T, C>;
  using Weight = typename Types::Weight;
  using Low = typename Types::Low;
  using State = typename Types::State;
  using Largest = typename Types::Largest;
  static constexpr bool has_low = C.low != LowPart::none;
  static constexpr bool has_marks = layout_of(C).marks > 0;
  template <bool Exists, class A>
  using OctetIf = std::conditional_t<Exists, Octet<A>, NoOctet>;

  Octet<Weight> theta;
  OctetIf<has_low, Low> low;
  /// If blocks of elements share scales, m and v are decoded to floats.
  static constexpr bool has_blocks = C.states == Number::roots;

  Octet<std::conditional_t<has_blocks, float, State>> m, v;
  std::conditional_t<has_blocks, BlockOctets, NoOctet> codes;
  OctetIf<C.v_low, T> v_low;
  OctetIf<Rare, Largest> v_max;
  /// Rare: gradients may be floats while theta is not.
  Octet<std::conditional_t<Rare, float, Weight>> grad;

  template <bool Whole, class Team>
  MCT_BLOCK void load(Team& team, const optim::AdamWMemory& p, const OctetPlace& at,
                      bool float_grad) {
    if (Rare && float_grad) {
      if constexpr (Rare) grad.template load<Whole>(team, static_cast<const float*>(p.grad), at);
    } else {
      Octet<Weight> read;
      read.template load<Whole>(team, static_cast<const Weight*>(p.grad), at);
      if constexpr (std::is_same_v<decltype(read), decltype(grad)>) {
        grad = read;
      } else {
        MCT_UNROLL
        for (int e = 0; e < 8; e += 2) grad.set_numbers(e, read.number(e), read.number(e + 1));
      }
    }
    theta.template load<Whole>(team, static_cast<const Weight*>(p.theta), at);
    if constexpr (has_low)
      low.template load<Whole>(team, static_cast<const Low*>(p.low), of_low(at));
    if constexpr (has_blocks && !Whole) clear_padding(at);
    if constexpr (has_blocks) {
      codes.template load<Whole>(team, p, at);
    } else {
      m.template load<Whole>(team, static_cast<const State*>(p.m), at);
      v.template load<Whole>(team, static_cast<const State*>(p.v), at);
    }
    if constexpr (C.v_low) v_low.template load<Whole>(team, static_cast<const T*>(p.v_low), at);
    if constexpr (Rare)
      if (p.v_max != nullptr)
        v_max.template load<Whole>(team, static_cast<const Largest*>(p.v_max), at);
  }
  template <bool Whole, class Team>
  MCT_BLOCK void store(Team& team, const optim::AdamWMemory& p, const OctetPlace& at) {
    if constexpr (has_blocks && !Whole) clear_padding(at);
    theta.template store<Whole>(team, static_cast<Weight*>(p.theta), at);
    if constexpr (has_low) low.template store<Whole>(team, static_cast<Low*>(p.low), of_low(at));
    if constexpr (has_blocks) {
      codes.template store<Whole>(team, p, at);
    } else {
      m.template store<Whole>(team, static_cast<State*>(p.m), at);
      v.template store<Whole>(team, static_cast<State*>(p.v), at);
    }
    if constexpr (C.v_low) v_low.template store<Whole>(team, static_cast<T*>(p.v_low), at);
    if constexpr (Rare)
      if (p.v_max != nullptr) v_max.template store<Whole>(team, static_cast<Largest*>(p.v_max), at);
  }

  /// All threads of a warp call open after load, and close before store.
  template <class Team>
  MCT_BLOCK void open(Team& team, const optim::AdamWMemory& p, const OctetPlace& at) {
    if constexpr (has_marks)
      if (p.marks != nullptr) take_edits(team, p, at);
    if constexpr (has_blocks) codes.open(team, low, m, v);
  }
  template <class Team>
  MCT_BLOCK void close(Team& team, const optim::AdamWMemory& p, const OctetPlace& at,
                       const OctetRandom& random) {
    if constexpr (has_blocks) codes.close(team, m, v, random, low);
    if constexpr (has_marks)
      if (p.marks != nullptr) {
        if (!at.is_whole()) clear_missing(at);  // without eps they are NaN after a step
        const std::uint32_t mark = mark_of_theta(team);
        if (is_marker(team, at))
          team.template store<1>(mark_place(p, at), Pack<std::uint32_t, 1>{{mark}});
      }
  }

  /// Element e as floats.
  MCT_BLOCK AdamWLanes<float> lanes(int e) const {
    AdamWLanes<float> x{};
    if constexpr (C.low == LowPart::master) {
      x.theta = kernels::master_weight<T>(low.number(e), theta.number(e));
    } else if constexpr (C.low == LowPart::lower_bits) {
      x.theta =
          kernels::join_words(theta.number(e), kernels::shifted_signed<16>(low.bits(e) << 16));
    } else if constexpr (C.low == LowPart::lower_byte) {
      constexpr std::uint32_t mask = detail::lower_byte_mask;
      x.theta = kernels::join_words(theta.number(e),
                                    kernels::shifted_signed<16>((low.bits(e) & mask) << 24));
    } else {
      x.theta = theta.number(e);
    }
    if constexpr (C.has_sum()) x.low = low.number(e);
    x.m = m.number(e);
    x.v = v.number(e);
    if constexpr (C.v_low) x.v_low = v_low.number(e);
    if constexpr (Rare) x.v_max = v_max.number(e);
    return x;
  }
  /// Elements e and e + 1, as AdamWUpdate::apply leaves them; e is even.
  MCT_BLOCK void set(int e, const AdamWLanes<float>& x, const AdamWLanes<float>& y) {
    if constexpr (C.low == LowPart::master) {
      using Round = kernels::RoundLanes<T, float>;
      low.set_numbers(e, x.theta, y.theta);
      theta.set_numbers(e, Round::nearest(x.theta), Round::nearest(y.theta));
    } else if constexpr (C.is_split()) {
      float high[2];
      std::uint32_t rest[2];
      kernels::split_words(x.theta, high[0], rest[0]);
      kernels::split_words(y.theta, high[1], rest[1]);
      theta.set_numbers(e, high[0], high[1]);
      if constexpr (C.low == LowPart::lower_bits) {
        low.word[e / 2] = rest[0] | rest[1] << 16;
      } else {
        low.set_bits(e, rest[0] >> 8);
        low.set_bits(e + 1, rest[1] >> 8);
      }
    } else {
      theta.set_numbers(e, x.theta, y.theta);
    }
    if constexpr (C.has_sum()) low.set_numbers(e, x.low, y.low);
    m.set_numbers(e, x.m, y.m);
    v.set_numbers(e, x.v, y.v);
    if constexpr (C.v_low) v_low.set_numbers(e, x.v_low, y.v_low);
    if constexpr (Rare) v_max.set_numbers(e, x.v_max, y.v_max);
  }

 private:
  /// How many threads a group with one mark has.
  static constexpr int marking = int(optim::scale_group) / 8;

  /// The mark of the group's theta, in each of its threads. All threads of a warp call it.
  template <class Team>
  MCT_BLOCK std::uint32_t mark_of_theta(Team& team) const {
    const auto first = std::size_t(team.rank() % marking) * 2;
    std::uint64_t sum = 0;
    MCT_UNROLL
    for (int j = 0; j < 2; ++j)
      sum += detail::mark_term(theta.word[2 * j] | std::uint64_t(theta.word[2 * j + 1]) << 32,
                               detail::mark_key(first + std::size_t(j)));
    MCT_UNROLL
    for (int mask = 1; mask < marking; mask *= 2) sum += team.shuffle_xor(sum, mask);
    return detail::mark_of_sum(sum);
  }
  MCT_BLOCK void clear_missing(const OctetPlace& at) {
    MCT_UNROLL
    for (int e = 0; e < 8; ++e)
      if (!at.holds(e)) theta.set_bits(e, 0);
  }
  /// Clears low in a group if theta does not match the group's mark, because theta was edited.
  template <class Team>
  MCT_BLOCK void take_edits(Team& team, const optim::AdamWMemory& p, const OctetPlace& at) {
    std::uint32_t mark = 0;
    if (is_marker(team, at)) mark = team.template load<1>(mark_place(p, at))[0];
    mark = team.shuffle(mark, team.rank() % 32 / marking * marking);
    const bool edited = detail::is_edited(mark, mark_of_theta(team));
    constexpr std::uint32_t kept = C.low == LowPart::lower_byte ? 0x01010101u : 0u;
    MCT_UNROLL
    for (std::uint32_t& word : low.word) word = edited ? word & kept : word;
  }
  /// Whether this is the first thread of a group of the array. If the array begins inside a group,
  /// it lies in that group alone (optim_detail::check_memory).
  template <class Team>
  MCT_BLOCK static bool is_marker(Team& team, const OctetPlace& at) {
    return team.rank() % marking == 0 && at.first > -optim::scale_group && at.first < at.count;
  }
  MCT_BLOCK static std::uint32_t* mark_place(const optim::AdamWMemory& p, const OctetPlace& at) {
    return static_cast<std::uint32_t*>(p.marks) +
           (at.first < 0 ? 0 : at.first) / optim::scale_group;
  }

  /// The array low of split8 consists of whole blocks.
  MCT_BLOCK static OctetPlace of_low(OctetPlace at) {
    if constexpr (has_blocks)
      at.count = (at.count + optim::scale_block - 1) / optim::scale_block * optim::scale_block;
    return at;
  }
  /// Clears low after the last element, except for the bits of the scales.
  MCT_BLOCK void clear_padding(const OctetPlace& at) {
    MCT_UNROLL
    for (int e = 0; e < 8; ++e)
      if (!at.holds(e)) low.set_bits(e, low.bits(e) & 1u);
  }
};

}  // namespace mct::cuda
