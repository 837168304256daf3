// The allowed options of Lion, Muon, Adafactor, averages and gradient scalers.
#include "mctensor/optim/adafactor.hpp"
#include "mctensor/optim/grad_scaler.hpp"
#include "mctensor/optim/lion.hpp"
#include "mctensor/optim/moving_average.hpp"
#include "mctensor/optim/muon.hpp"
#include "src/optim/option_checks.hpp"

namespace mct::optim {

using optim_detail::Options;

void validate(const LionOptions& options) {
  const Options check("Lion");
  check.size("lr", options.lr);
  check.beta("beta1", options.beta1);
  check.beta("beta2", options.beta2);
  check.size("weight_decay", options.weight_decay);
}

void validate(const MuonOptions& options) {
  const Options check("Muon");
  check.size("lr", options.lr);
  check.size("weight_decay", options.weight_decay);
  check.beta("momentum", options.momentum);
  check.size("eps", options.eps);
  check.require(options.ns_steps >= 1 && options.ns_steps <= 100, "ns_steps", options.ns_steps,
                "is not from 1 to 100");
}

void validate(const AdafactorOptions& options) {
  const Options check("Adafactor");
  check.size("lr", options.lr);
  check.finite("beta2_decay", options.beta2_decay);
  check.require(options.beta2_decay < 0, "beta2_decay", options.beta2_decay, "is not below 0");
  check.size("eps1", options.eps1);
  check.size("eps2", options.eps2);
  check.above("d", options.d, 0);
  check.size("weight_decay", options.weight_decay);
}

void validate(const GradScalerOptions& options) {
  const Options check("GradScaler");
  check.above("init_scale", options.init_scale, 0);
  check.above("growth_factor", options.growth_factor, 1);
  check.require(options.backoff_factor > 0 && options.backoff_factor < 1, "backoff_factor",
                options.backoff_factor, "is not between 0 and 1");
  check.require(options.growth_interval >= 1, "growth_interval", double(options.growth_interval),
                "is not at least 1");
}

void validate_average_decay(double decay) { Options("moving average").beta("decay", decay); }

}  // namespace mct::optim
