// 8-bit moments, whose scales are shared by neighbouring threads.
#pragma once

#include "cuda/optim/octet.hpp"
#include "cuda/optim/octet_random.hpp"
#include "mctensor/optim/adamw.hpp"
#include "src/optim/kernels/block_codes.hpp"

namespace mct::cuda {

/// The counterpart of kernels::BlockStates. Two threads have a block of 16 elements: the first
/// thread has the scale of v in the lowest bits of low, the second thread the scale of m. All
/// threads of a warp call `open` and `close`.
struct BlockOctets {
  using Codes = kernels::BlockCodes;

  Octet<std::uint8_t> m8, v8;

  template <bool Whole, class Team>
  MCT_BLOCK void load(Team& team, const optim::AdamWMemory& p, const OctetPlace& at) {
    m8.template load<Whole>(team, static_cast<const std::uint8_t*>(p.m), at);
    v8.template load<Whole>(team, static_cast<const std::uint8_t*>(p.v), at);
  }
  template <bool Whole, class Team>
  MCT_BLOCK void store(Team& team, const optim::AdamWMemory& p, const OctetPlace& at) const {
    m8.template store<Whole>(team, static_cast<std::uint8_t*>(p.m), at);
    v8.template store<Whole>(team, static_cast<std::uint8_t*>(p.v), at);
  }

  template <class Team>
  MCT_BLOCK void open(Team& team, const Octet<std::uint8_t>& low, Octet<float>& m,
                      Octet<float>& v) const {
    const int own = detail::gather_lowest_bits(low.word[0] | std::uint64_t(low.word[1]) << 32);
    const int other = team.shuffle_xor(own, 1);
    const bool has_v = team.rank() % 2 == 0;
    const float unit = Codes::unit_of_m(has_v ? other : own);
    const float unit_v = Codes::unit_of_v(has_v ? own : other);
    MCT_UNROLL
    for (int e = 0; e < 8; e += 2) {
      m.set_numbers(e, Codes::m_of<float>(m8.bits(e), unit),
                    Codes::m_of<float>(m8.bits(e + 1), unit));
      v.set_numbers(e, Codes::v_of<float>(v8.bits(e), unit_v),
                    Codes::v_of<float>(v8.bits(e + 1), unit_v));
    }
  }
  template <class Team>
  MCT_BLOCK void close(Team& team, const Octet<float>& m, const Octet<float>& v,
                       const OctetRandom& random, Octet<std::uint8_t>& low) {
    float largest_m = 0;
    float largest_v = 0;
    MCT_UNROLL
    for (int e = 0; e < 8; ++e) {
      largest_m = kernels::greater(Codes::size_of(m.number(e)), largest_m);
      largest_v = kernels::greater(Codes::size_of(v.number(e)), largest_v);
    }
    const auto scales =
        Codes::scales_of(larger_of_two(team, largest_m), larger_of_two(team, largest_v));
    const float per_unit = Codes::per_unit_of_m(scales.m_code);
    const float per_unit_v = Codes::per_unit_of_v(scales.v_code);
    MCT_UNROLL
    for (int e = 0; e < 8; ++e) {
      const auto words = random.words(e);
      m8.set_bits(e, Codes::code_of_m(m.number(e), per_unit, Codes::drawn<float>(words.m)));
      v8.set_bits(e, Codes::code_of_v(v.number(e), per_unit_v, Codes::drawn<float>(words.v)));
    }
    const std::uint64_t bits =
        detail::spread_lowest_bits(team.rank() % 2 == 0 ? scales.v_code : scales.m_code);
    low.word[0] = (low.word[0] & 0xfefefefeu) | std::uint32_t(bits);
    low.word[1] = (low.word[1] & 0xfefefefeu) | std::uint32_t(bits >> 32);
  }

 private:
  template <class Team>
  MCT_BLOCK static float larger_of_two(Team& team, float x) {
    return kernels::greater(team.shuffle_xor(x, 1), x);
  }
};

}  // namespace mct::cuda
