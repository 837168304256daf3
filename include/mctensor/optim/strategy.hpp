// Precision strategies of AdamW: what is stored in which format, and how it is rounded.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace mct::optim {

/// How parameters and moments are kept. T is the 16-bit format, bfloat16 or half; bytes are per
/// parameter, a gradient of T (float for full) included.
///
/// Source: seed 004, section 3.4 (Collage), Table 3.12; Kahan and stochastic rounding: Zamirai et
/// al., Revisiting bfloat16 training, 2020; split16: an idea of DLRM's SplitSGD, Kalamkar et al.,
/// 2019.
enum class Strategy {
  plain,              ///< A: theta, m, v in T. 8 bytes
  light,              ///< B, Collage light: theta + delta, an expansion of two T. 10 bytes
  plus,               ///< C, Collage plus: also v + delta_v, beta2 an expansion. 12 bytes
  kahan,              ///< theta with a Kahan compensation of T. 10 bytes
  stochastic,         ///< theta rounded stochastically. 8 bytes
  stochastic_states,  ///< theta, m and v rounded stochastically. 8 bytes
  residual,  ///< theta + delta, the update added to delta first, delta rounded stochastically:
             ///< updates down to 2^-34 of theta arrive in the mean. 10 bytes
  residual_states,  ///< also v + delta_v, delta_v rounded stochastically. 12 bytes
  fp8_states,       ///< theta + delta as light; m and sqrt(v) in e4m3 with a float scale for every
                    ///< group of 128. 8.06 bytes; an experiment
  split16,       ///< bfloat16 theta and the 16 lower bits of the same float; float states. 14 bytes
  float_states,  ///< D-MW: theta in T, m and v in float. 12 bytes
  master,        ///< D: float master weights and states, theta a copy in T. 16 bytes
  full,          ///< everything in float, the gradient too. 16 bytes
};

inline constexpr std::size_t strategy_count = 13;

/// "plain", "light" ...; from_name throws DomainError listing the names.
std::string to_string(Strategy strategy);
Strategy strategy_from_name(std::string_view name);
/// All of them, in the order above.
const std::array<Strategy, strategy_count>& all_strategies();

/// The 16-bit format of a strategy.
enum class Format { bfloat16, float16 };

/// How the arithmetic of an update is done.
enum class Arithmetic {
  registers,  ///< loads widened to float, float arithmetic, rounded when stored
  strict,  ///< every operation rounded to T as in seed 004 Alg. 9: plain, light, plus, kahan only
};

/// What a strategy keeps for each parameter: bytes of an element, 0 if there is no such array.
struct Layout {
  std::size_t theta;   ///< T, or float for full
  std::size_t low;     ///< delta, compensation or lower bits: 2; float master weights: 4
  std::size_t m;       ///< first moment
  std::size_t v;       ///< second moment
  std::size_t v_low;   ///< delta_v
  std::size_t grad;    ///< T, or float for full
  std::size_t scales;  ///< bytes of scales for every group of 128 parameters
  /// All of them together, per parameter.
  constexpr double bytes() const {
    return double(theta + low + m + v + v_low + grad) + double(scales) / 128;
  }
};

Layout layout_of(Strategy strategy);

}  // namespace mct::optim
