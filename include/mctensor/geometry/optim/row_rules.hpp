// The rules of the Riemannian optimizers Rsgd and Radam. They are written once for every kind of
// rows: a block of rows on the CPU (MovingRows in moving_rows.hpp), rows in SIMD lanes (training of
// embeddings), and one row in a thread of a GPU.
//
// A rule moves `rows` by one step. It calls these functions of `rows`:
//   gradient(), to_origin()  the Riemannian gradient; the vector that leads to the origin
//   sum(a, u, b, v)          a u + b v; a and b are one number, or a number for each row
//   scaled(a, u)             a u
//   vectors(kept)            the vector that is kept for each row
//   later_or_first(a, b)     a for rows that have been updated before, else b
//   squares(kept, beta, u)   beta times the kept square plus (1 - beta) times the square of u; a
//                            result that is not finite makes the row bad
//   larger(kept, v)          the larger of the kept square and v
//   factors(v, options, rate)  the factors of Radam's first moments: radam_factor
//   move(u, &carried)        moves points by the exponential map of u, and transports `carried`
//                            with them
//   put(kept, x)             keeps x for rows that are not bad; a rule calls it after its last call
//                            of move, because a move can make rows bad
// A row is bad if one of its numbers is not finite, or if it leaves the space. A bad row is left as
// it was before the step.
//
// Rows with a member `plain` lack to_origin, later_or_first and larger: they have neither decay nor
// momentum nor AMSGrad.
#pragma once

#include <vector>

#include "mctensor/geometry/optim/options.hpp"
#include "mctensor/geometry/scalar.hpp"

namespace mct::geometry {

namespace optim_detail {

/// A state of a row: a vector, or the square of a length.
enum class RowState { momentum, m, v, v_max };
inline constexpr const char* row_state_names[] = {"momentum", "m", "v", "v_max"};
inline bool is_square(RowState kept) { return kept >= RowState::v; }
/// The states that a rule keeps: first at most one vector, then squares.
inline std::vector<RowState> kept_by(const RsgdOptions& options) {
  if (options.momentum > 0) return {RowState::momentum};
  return {};
}
inline std::vector<RowState> kept_by(const RadamOptions& options) {
  if (options.amsgrad) return {RowState::m, RowState::v, RowState::v_max};
  return {RowState::m, RowState::v};
}

}  // namespace optim_detail

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

using optim_detail::RowState;

template <class Rows>
inline constexpr bool are_plain = requires {
  Rows::plain;
};

/// Rsgd's update of rows with a learning rate.
template <class Rows>
MCT_HD void follow_gradient(const RsgdOptions& options, double rate, Rows& rows) {
  auto g = rows.gradient();
  if constexpr (!are_plain<Rows>) {
    if (options.weight_decay > 0) g = rows.sum(1, g, -options.weight_decay, rows.to_origin());
    if (options.momentum != 0) {
      // the momentum of a row is zero before its first update, and g after it
      auto b = rows.sum(options.momentum, rows.vectors(RowState::momentum),
                        rows.later_or_first(1 - options.dampening, 1), g);
      rows.move(rows.scaled(-rate, options.nesterov ? rows.sum(1, g, options.momentum, b) : b), &b);
      rows.put(RowState::momentum, b);
      return;
    }
  }
  rows.move(rows.scaled(-rate, g), nullptr);
}

/// The factors of the first moments of rows. `square` is the second moment of a row. The shares say
/// how much of the moments comes from gradients: 1 - beta^t after t updates. (The rest comes from
/// the zeros with which moments begin.) A square that is not finite gives NaN, because with the
/// factor 0 the row would never move again. V is double or lanes.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V radam_factor(const RadamOptions& options, double rate,
                                               const V& square, const V& first_share,
                                               const V& second_share) {
  const V length = root(V(square / second_share)) + V(options.eps);
  const V factor = blend(length > V(0.0), V(V(-rate) / first_share / length), V(0.0));
  return blend(square - square == V(0.0), factor, V(FloatTraits<double>::nan));
}

/// Radam's update of rows with a learning rate.
template <class Rows>
MCT_HD void follow_gradient(const RadamOptions& options, double rate, Rows& rows) {
  auto g = rows.gradient();
  if constexpr (!are_plain<Rows>)
    if (options.weight_decay > 0 && !options.decoupled_decay)
      g = rows.sum(1, g, -options.weight_decay, rows.to_origin());
  auto m = rows.sum(options.beta1, rows.vectors(RowState::m), 1 - options.beta1, g);
  const auto v = rows.squares(RowState::v, options.beta2, g);
  auto largest = v;
  if constexpr (!are_plain<Rows>)
    if (options.amsgrad) largest = rows.larger(RowState::v_max, v);
  rows.move(rows.scaled(rows.factors(largest, options, rate), m), &m);
  if constexpr (!are_plain<Rows>)
    if (options.weight_decay > 0 && options.decoupled_decay)
      rows.move(rows.scaled(rate * options.weight_decay, rows.to_origin()), &m);
  rows.put(RowState::m, m);
  rows.put(RowState::v, v);
  if constexpr (!are_plain<Rows>)
    if (options.amsgrad) rows.put(RowState::v_max, largest);
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
