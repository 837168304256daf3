// Options that the Riemannian optimizers share.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"

namespace mct::geometry {

/// A smaller learning rate at the beginning: `factor` times the learning rate during the first
/// `steps` steps.
struct BurnIn {
  std::int64_t steps = 0;
  double factor = 0.01;
};

/// How points follow a change of the radius from K1 to K2.
enum class Rescaling {
  /// Every distance and the length of every tangent vector are multiplied by K2 / K1: the figure
  /// keeps its shape and changes its size.
  rescale_distances,
  /// Every point keeps its direction and its distance from the origin; distances between points
  /// change with the curvature. Tangent vectors keep their length and their angle with the geodesic
  /// to the origin.
  keep_distances
};

/// How the radius follows its gradient: log K <- log K - lr K dL/dK.
struct RadiusOptions {
  double lr = 1e-3;
  Rescaling rescaling = Rescaling::rescale_distances;
};

namespace optim_detail {

/// Throws DomainError "NAME VALUE is not EXPECTED" unless the value is finite and `good`.
inline void check_option(const std::string& name, double value, bool good, const char* expected) {
  if (!std::isfinite(value) || !good)
    throw DomainError(name + " " + number_text(value) + " is not " + expected);
}
inline void check_not_negative(const std::string& name, double value) {
  check_option(name, value, value >= 0, "a finite number of at least 0");
}

}  // namespace optim_detail

struct RsgdOptions {
  static constexpr const char* name = "Rsgd";

  double lr = 1e-2;
  double momentum = 0;  ///< from 0 to below 1
  double dampening = 0;
  bool nesterov = false;
  /// Adds decay / 2 d(x, origin)^2 to the loss of every row that is updated.
  double weight_decay = 0;
  BurnIn burn_in = {};

  /// Throws DomainError for invalid options.
  void check() const {
    optim_detail::check_option("rsgd: momentum", momentum, momentum >= 0 && momentum < 1,
                               "in [0, 1)");
    optim_detail::check_option("rsgd: dampening", dampening, true, "a finite number");
    optim_detail::check_not_negative("rsgd: weight_decay", weight_decay);
    if (nesterov && (momentum <= 0 || dampening != 0))
      throw DomainError("rsgd: nesterov needs a momentum above 0 and a dampening of 0");
  }
};

struct RadamOptions {
  static constexpr const char* name = "Radam";

  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  bool amsgrad = false;
  double weight_decay = 0;
  /// False: the decay is part of the loss, as in Adam. True: the decay is a separate movement, as
  /// in AdamW. After the step every updated row goes the fraction lr weight_decay of its way to the
  /// origin.
  bool decoupled_decay = false;
  BurnIn burn_in = {};

  /// Throws DomainError for a beta outside [0, 1), and for an eps or a weight_decay that is
  /// negative or not finite.
  void check() const {
    for (const double beta : {beta1, beta2})
      if (!(beta >= 0 && beta < 1))
        throw DomainError("radam: beta " + number_text(beta) + " is not in [0, 1)");
    optim_detail::check_not_negative("radam: eps", eps);
    optim_detail::check_not_negative("radam: weight_decay", weight_decay);
  }
};

/// The defaults of AdamW.
inline RadamOptions radamw_defaults() {
  RadamOptions options;
  options.weight_decay = 0.01;
  options.decoupled_decay = true;
  return options;
}

}  // namespace mct::geometry
