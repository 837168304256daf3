// Precision strategies of AdamW: in which formats parameters and moments are stored, and how they
// are rounded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mct::optim {

/// The way in which parameters and moments are stored. T is the 16-bit format, bfloat16 or half.
/// theta is the stored parameter. Bytes are per parameter and include a gradient of T (float for
/// full). The letters A, B, C, D and D-MW are the names in Yu 2024.
///
/// For bfloat16 choose split16_plus or split16_stochastic. For half choose plus or residual_states;
/// these also work for bfloat16. In plain, light, residual and stochastic, v is a single T rounded
/// to nearest. If beta2 is above largest_beta2(format), 0.996 for bfloat16, v stops changing. With
/// the usual beta2 of 0.999, steps are then wrong by a factor of 2 and more. In plain and
/// float_states, theta is a single T rounded to nearest, and the usual weight decay has no effect
/// (precision_loss.hpp).
///
/// split8 stores 16 parameters as one block:
/// - The weight is a float of 23 bits: sign, exponent and 14 bits of mantissa. theta is this float
///   rounded to bfloat16. The upper 7 bits of low are a signed number: the difference of the
///   float's bits and theta's bits in units of 2^9. The lowest bits of the block's 16 bytes of low
///   hold two numbers, S for v (elements 0 to 7, least bit first) and R for m (elements 8 to 15).
/// - v = (k 2^((S - 94) / 4 - 8))^4 with k = 0 ... 255, m = +-k^2 2^(R - 126) with k = 0 ... 127;
///   S and R are the smallest numbers with which the codes k hold the block's largest v and |m|.
/// - v is rounded stochastically so that the mean of its fourth root is right. The roundings of
///   many steps make v vary around beta2 v + (1 - beta2) g^2; the mean of 1 / sqrt(v), and so of
///   the step, is then right to second order. m is rounded so that its own mean is right.
///
/// Source: Yu 2024, section 3.4 (Collage), Table 3.12; Zamirai et al., Revisiting bfloat16
/// training, 2020 (stochastic rounding; Kahan's summation, which is `light` with arithmetic in
/// registers); Kalamkar et al., 2019 (split16: DLRM's SplitSGD); FlashOptim, Gonzalez Ortiz et al.
/// 2026 (a weight of 24 bits with 8-bit states; docs/decisions.md has measurements).
enum class Strategy {
  plain,              ///< A: theta, m, v in T. 8 bytes
  light,              ///< B, Collage light: theta + delta, an expansion of two T. 10 bytes
  plus,               ///< C, Collage plus: also v + delta_v, beta2 an expansion. 12 bytes
  stochastic,         ///< theta rounded stochastically. 8 bytes
  stochastic_states,  ///< theta, m and v rounded stochastically. 8 bytes
  residual,  ///< theta + delta, the update added to delta first, delta rounded stochastically:
             ///< updates down to 2^-34 of theta arrive in the mean. 10 bytes
  residual_states,  ///< also v + delta_v, delta_v rounded stochastically. 12 bytes
  split16,  ///< bfloat16 theta and the 16 lower bits of the same float; float states. 14 bytes
  split16_stochastic,  ///< the weight of split16, m and v in bfloat16, all rounded stochastically.
                       ///< 10 bytes
  split16_plus,  ///< also v + delta_v. 12 bytes; follows exact arithmetic more closely than float
                 ///< weights do
  split8,  ///< bfloat16 theta and 7 more bits of the same float; m and v in 8 bits with scales for
           ///< blocks of 16 in the bit that is left; all rounded stochastically. 7 bytes
  float_states,  ///< D-MW: theta in T, m and v in float. 12 bytes
  master,        ///< D: float master weights and states, theta a copy in T. 16 bytes
  full,          ///< everything in float, the gradient too. 16 bytes
};

inline constexpr std::size_t strategy_count = 14;

/// "plain", "light" ... strategy_from_name throws DomainError for other names. The message lists
/// the names, or names the successor if an earlier version had a strategy of this name.
std::string to_string(Strategy strategy);
Strategy strategy_from_name(std::string_view name);
/// A text "; ..." that names the successor of a strategy of earlier versions. Empty for every other
/// name.
std::string successor_of(std::string_view name);
/// All strategies, in the order above.
const std::array<Strategy, strategy_count>& all_strategies();

/// The 16-bit format of a strategy.
enum class Format { bfloat16, float16 };

/// "bfloat16", "float16".
std::string to_string(Format format);

/// How the arithmetic of an update is done.
enum class Arithmetic {
  registers,  ///< numbers are converted to float, computed in float, and rounded when they are
              ///< stored
  strict,  ///< every operation is rounded to T as in Yu 2024, Alg. 9, but two_sum takes the place
           ///< of Fast2Sum; only plain, light and plus have it
};

/// The format of numbers in memory.
enum class Number : std::uint8_t {
  narrow,   ///< T
  float32,  ///< float
  roots,    ///< 8-bit codes of the square root of m and the fourth root of v, with scales for every
            ///< block of 16
};

/// The part of a weight that is kept besides theta.
enum class LowPart : std::uint8_t {
  none,
  remainder,   ///< a T: the weight is theta + low
  lower_bits,  ///< the 16 bits of the same float below the bits of theta
  lower_byte,  ///< the 7 bits of the same float below the bits of theta, and a bit of the block's
               ///< scales
  master,      ///< the weight in float; theta is its copy in T
};

/// How numbers are rounded to their stored format.
enum class Rounding : std::uint8_t { nearest, stochastic };

/// The parts of a strategy. If a number has two parts, only the low one is rounded.
struct Composition {
  Number theta = Number::narrow;
  LowPart low = LowPart::none;
  Number states = Number::narrow;
  /// The second moment is v + v_low.
  bool v_low = false;
  Rounding weight_rounding = Rounding::nearest;
  Rounding m_rounding = Rounding::nearest;
  Rounding v_rounding = Rounding::nearest;

  bool operator==(const Composition&) const = default;

  /// The weight is theta + low.
  constexpr bool has_sum() const { return low == LowPart::remainder; }
  /// low continues the bits of theta.
  constexpr bool is_split() const {
    return low == LowPart::lower_bits || low == LowPart::lower_byte;
  }
  /// The weight is a float, in one piece or in two (for split8 a float of 23 bits).
  constexpr bool has_float_weight() const {
    return theta == Number::float32 || is_split() || low == LowPart::master;
  }
  /// True if random bits round some of the numbers.
  constexpr bool is_stochastic() const {
    return weight_rounding == Rounding::stochastic || m_rounding == Rounding::stochastic ||
           v_rounding == Rounding::stochastic;
  }
  /// True if strict arithmetic is defined: all numbers are of type T and rounded to nearest.
  constexpr bool has_strict() const {
    return !has_float_weight() && states == Number::narrow && !is_stochastic();
  }
  /// Only a bfloat16, not a half, is the upper part of a float, as split strategies need it.
  constexpr bool has_format(Format format) const {
    return !is_split() || format == Format::bfloat16;
  }
};

struct NamedComposition {
  Strategy strategy;
  const char* name;
  Composition parts;
};

/// In the order of the enumeration.
inline constexpr std::array<NamedComposition, strategy_count> strategy_table = {{
    {Strategy::plain, "plain", {}},
    {Strategy::light, "light", {.low = LowPart::remainder}},
    {Strategy::plus, "plus", {.low = LowPart::remainder, .v_low = true}},
    {Strategy::stochastic, "stochastic", {.weight_rounding = Rounding::stochastic}},
    {Strategy::stochastic_states,
     "stochastic-states",
     {.weight_rounding = Rounding::stochastic,
      .m_rounding = Rounding::stochastic,
      .v_rounding = Rounding::stochastic}},
    {Strategy::residual,
     "residual",
     {.low = LowPart::remainder, .weight_rounding = Rounding::stochastic}},
    {Strategy::residual_states,
     "residual-states",
     {.low = LowPart::remainder,
      .v_low = true,
      .weight_rounding = Rounding::stochastic,
      .v_rounding = Rounding::stochastic}},
    {Strategy::split16, "split16", {.low = LowPart::lower_bits, .states = Number::float32}},
    {Strategy::split16_stochastic,
     "split16-stochastic",
     {.low = LowPart::lower_bits,
      .weight_rounding = Rounding::stochastic,
      .m_rounding = Rounding::stochastic,
      .v_rounding = Rounding::stochastic}},
    {Strategy::split16_plus,
     "split16-plus",
     {.low = LowPart::lower_bits,
      .v_low = true,
      .weight_rounding = Rounding::stochastic,
      .m_rounding = Rounding::stochastic,
      .v_rounding = Rounding::stochastic}},
    {Strategy::split8,
     "split8",
     {.low = LowPart::lower_byte,
      .states = Number::roots,
      .weight_rounding = Rounding::stochastic,
      .m_rounding = Rounding::stochastic,
      .v_rounding = Rounding::stochastic}},
    {Strategy::float_states, "float-states", {.states = Number::float32}},
    {Strategy::master, "master", {.low = LowPart::master, .states = Number::float32}},
    {Strategy::full, "full", {.theta = Number::float32, .states = Number::float32}},
}};

constexpr Composition composition_of(Strategy strategy) {
  return strategy_table[std::size_t(strategy)].parts;
}

}  // namespace mct::optim
