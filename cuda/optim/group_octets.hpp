// 8-bit moments of which neighbouring threads share the scales.
#pragma once

#include "cuda/base/record.hpp"
#include "cuda/optim/octet.hpp"
#include "cuda/optim/octet_random.hpp"
#include "mctensor/optim/adamw.hpp"
#include "src/optim/kernels/block_codes.hpp"
#include "src/optim/kernels/scaled_states.hpp"

namespace mct::cuda {

/// The largest x of 2, 4 ... Threads neighbouring threads.
template <int Threads, class Team>
MCT_BLOCK float largest_of(Team& team, float x) {
  MCT_UNROLL
  for (int mask = 1; mask < Threads; mask *= 2) x = kernels::greater(team.shuffle_xor(x, mask), x);
  return x;
}

/// The codes of both moments. `open` and `close` are called by all threads of a warp.
struct CodeOctets {
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
};

/// As kernels::BlockStates: blocks of 16 are those of two threads. The first has the scale of v in
/// the lowest bits of low, the second that of m.
struct BlockOctets : CodeOctets {
  using Codes = kernels::BlockCodes;

  template <class Team>
  MCT_BLOCK void open(Team& team, const optim::AdamWMemory& /*p*/, const OctetPlace& /*at*/,
                      const Octet<std::uint8_t>& low, Octet<float>& m, Octet<float>& v) const {
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
  MCT_BLOCK void close(Team& team, const optim::AdamWMemory& /*p*/, const OctetPlace& /*at*/,
                       const Octet<float>& m, const Octet<float>& v, const OctetRandom& random,
                       Octet<std::uint8_t>& low) {
    float largest_m = 0;
    float largest_v = 0;
    MCT_UNROLL
    for (int e = 0; e < 8; ++e) {
      largest_m = kernels::greater(Codes::size_of(m.number(e)), largest_m);
      largest_v = kernels::greater(Codes::size_of(v.number(e)), largest_v);
    }
    const auto scales =
        Codes::scales_of(largest_of<2>(team, largest_m), largest_of<2>(team, largest_v));
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
};

/// As kernels::ScaledStates: groups of 128 are those of 16 threads.
struct ScaledOctets : CodeOctets {
  using Codes = kernels::ScaledCodes;

  static constexpr int threads = int(optim::scale_group) / 8;

  struct Scales {
    float m, root;
  };

  template <class Team, class Low>
  MCT_BLOCK void open(Team& team, const optim::AdamWMemory& p, const OctetPlace& at,
                      const Low& /*low*/, Octet<float>& m, Octet<float>& v) const {
    // the thread that will write them reads them
    Scales scales{1, 1};
    if (is_writer(team, at)) scales = load_record(team, place(p, at));
    const int first = team.rank() % 32 / threads * threads;
    scales.m = team.shuffle(scales.m, first);
    scales.root = team.shuffle(scales.root, first);
    MCT_UNROLL
    for (int e = 0; e < 8; e += 2) {
      m.set_numbers(e, code(m8, e) * scales.m, code(m8, e + 1) * scales.m);
      v.set_numbers(e, Codes::v_of(e4m3_of(v8, e), scales.root),
                    Codes::v_of(e4m3_of(v8, e + 1), scales.root));
    }
  }
  template <class Team, class Low>
  MCT_BLOCK void close(Team& team, const optim::AdamWMemory& p, const OctetPlace& at,
                       const Octet<float>& m, const Octet<float>& v, const OctetRandom& /*random*/,
                       Low& /*low*/) {
    float largest_m = 0;
    float largest_v = 0;
    MCT_UNROLL
    for (int e = 0; e < 8; ++e) {
      largest_m = kernels::greater(detail::magnitude(m.number(e)), largest_m);
      largest_v = kernels::greater(v.number(e), largest_v);
    }
    const Scales scales{Codes::scale_of(largest_of<threads>(team, largest_m)),
                        Codes::scale_of(detail::square_root(largest_of<threads>(team, largest_v)))};
    MCT_UNROLL
    for (int e = 0; e < 8; ++e) {
      m8.set_bits(e, e4m3(m.number(e) / scales.m).bits());
      v8.set_bits(e, Codes::code_of_v(v.number(e), scales.root).bits());
    }
    if (is_writer(team, at)) store_record(team, place(p, at), scales);
  }

 private:
  template <class Team>
  MCT_BLOCK static bool is_writer(Team& team, const OctetPlace& at) {
    return team.rank() % threads == 0 && at.first >= 0 && at.first < at.count;
  }
  MCT_BLOCK static Scales* place(const optim::AdamWMemory& p, const OctetPlace& at) {
    return static_cast<Scales*>(p.scales) + at.first / optim::scale_group;
  }
  MCT_BLOCK static e4m3 e4m3_of(const Octet<std::uint8_t>& codes, int e) {
    return e4m3::from_bits(std::uint8_t(codes.bits(e)));
  }
  MCT_BLOCK static float code(const Octet<std::uint8_t>& codes, int e) {
    return float(e4m3_of(codes, e));
  }
};

}  // namespace mct::cuda
