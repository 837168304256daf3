// The rules of the Riemannian optimizers, written once for what has rows: a block of them on the
// CPU (RiemannianOptimizer), one in a thread of a GPU (cuda/geometry).
//
// `rows` is asked for
//   gradient(), to_origin()  the Riemannian gradient; the vector that leads to the origin
//   sum(a, u, b, v)          a u + b v, for a and b one number or one for each row
//   scaled(a, u)             a u
//   vectors(kept)            a vector that is kept of each row
//   later_or_first(a, b)     a for rows that have been updated before, else b
//   squares(kept, beta, u)   beta times the square that is kept plus 1 - beta times that of u;
//                            not finite, it makes a row bad
//   larger(kept, v)          the square that is kept or, if larger, v
//   factors(v, beta1, beta2, f)  f(v, 1 - beta1^t, 1 - beta2^t) for each row's update t
//   move(u, &carried)        moves points by the exponential map of u, and what is carried along
//   put(kept, x)             what will be kept, of rows that are not bad in the end
#pragma once

#include <cmath>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/optim/options.hpp"

namespace mct::geometry {

struct RsgdOptions {
  double lr = 1e-2;
  double momentum = 0;  ///< from 0 to below 1
  double dampening = 0;
  bool nesterov = false;
  /// Adds decay / 2 d(x, origin)^2 to the loss of every row that is updated.
  double weight_decay = 0;
  BurnIn burn_in = {};

  /// Throws DomainError for options that make no sense.
  void check() const {
    optim_detail::check_option("rsgd: momentum", momentum, momentum >= 0 && momentum < 1);
    optim_detail::check_option("rsgd: dampening", dampening, true);
    optim_detail::check_option("rsgd: weight_decay", weight_decay, weight_decay >= 0);
    if (nesterov && (momentum <= 0 || dampening != 0))
      throw DomainError("rsgd: Nesterov's momentum needs momentum and no dampening");
  }
};

struct RadamOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  bool amsgrad = false;
  double weight_decay = 0;
  /// False: the decay is part of the loss, as in Adam. True: apart from it, as in AdamW; after the
  /// step every updated row goes lr decay of the way to the origin.
  bool decoupled_decay = false;
  BurnIn burn_in = {};

  /// Throws DomainError for betas outside [0, 1) and negative options.
  void check() const {
    for (const double beta : {beta1, beta2})
      if (!(beta >= 0 && beta < 1))
        throw DomainError("radam: beta " + number_text(beta) + " is not in [0, 1)");
    optim_detail::check_option("radam: eps", eps, eps >= 0);
    optim_detail::check_option("radam: weight_decay", weight_decay, weight_decay >= 0);
  }
};

/// The defaults of AdamW.
inline RadamOptions radamw_defaults() {
  RadamOptions options;
  options.weight_decay = 0.01;
  options.decoupled_decay = true;
  return options;
}

namespace optim_detail {

/// What is kept of a row: a vector or the square of a length.
enum class RowState { momentum, m, v, v_max };
inline constexpr const char* row_state_names[] = {"momentum", "m", "v", "v_max"};

}  // namespace optim_detail

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

using optim_detail::RowState;

/// Rsgd's update of rows at a rate.
template <class Rows>
MCT_HD void follow_gradient(const RsgdOptions& options, double rate, Rows& rows) {
  auto g = rows.gradient();
  if (options.weight_decay > 0) g = rows.sum(1, g, -options.weight_decay, rows.to_origin());
  if (options.momentum == 0) {
    rows.move(rows.scaled(-rate, g), nullptr);
    return;
  }
  // the momentum of a row that has had no update is zero, and its first one g
  auto b = rows.sum(options.momentum, rows.vectors(RowState::momentum),
                    rows.later_or_first(1 - options.dampening, 1), g);
  rows.move(rows.scaled(-rate, options.nesterov ? rows.sum(1, g, options.momentum, b) : b), &b);
  rows.put(RowState::momentum, b);
}

/// Radam's.
template <class Rows>
MCT_HD void follow_gradient(const RadamOptions& options, double rate, Rows& rows) {
  auto g = rows.gradient();
  if (options.weight_decay > 0 && !options.decoupled_decay)
    g = rows.sum(1, g, -options.weight_decay, rows.to_origin());
  auto m = rows.sum(options.beta1, rows.vectors(RowState::m), 1 - options.beta1, g);
  const auto v = rows.squares(RowState::v, options.beta2, g);
  auto largest = v;
  if (options.amsgrad) largest = rows.larger(RowState::v_max, v);
  const auto factors = rows.factors(largest, options.beta1, options.beta2,
                                    [&](double square, double first, double second) {
                                      const double root = std::sqrt(square / second) + options.eps;
                                      return root > 0 ? -rate / first / root : 0.0;
                                    });
  rows.move(rows.scaled(factors, m), &m);
  if (options.weight_decay > 0 && options.decoupled_decay)
    rows.move(rows.scaled(rate * options.weight_decay, rows.to_origin()), &m);
  rows.put(RowState::m, m);
  rows.put(RowState::v, v);
  if (options.amsgrad) rows.put(RowState::v_max, largest);
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
