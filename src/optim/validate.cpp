// What the options of optimizers may be.
#include <string>

#include "mctensor/eft/half.hpp"
#include "mctensor/optim/adam.hpp"
#include "mctensor/optim/adamw.hpp"
#include "mctensor/optim/sgd.hpp"
#include "src/optim/option_checks.hpp"

namespace mct::optim {

namespace {

using optim_detail::Options;

/// What Adam and AdamW have in common.
template <class AnyOptions>
void check_adam(const Options& check, const AnyOptions& options) {
  check.size("lr", options.lr);
  check.beta("beta1", options.beta1);
  check.beta("beta2", options.beta2);
  check.size("eps", options.eps);
  check.size("weight_decay", options.weight_decay);
}

}  // namespace

void validate_group(double lr, double weight_decay) {
  const Options check("parameter group");
  check.size("lr", lr);
  check.size("weight_decay", weight_decay);
}

void validate(const SgdOptions& options) {
  const Options check("SGD");
  check.size("lr", options.lr);
  check.size("momentum", options.momentum);
  check.finite("dampening", options.dampening);
  check.size("weight_decay", options.weight_decay);
  if (!options.nesterov) return;
  check.require(options.momentum > 0, "momentum", options.momentum,
                "is 0: Nesterov's momentum needs one");
  check.require(options.dampening == 0, "dampening", options.dampening,
                "is not 0: Nesterov's momentum allows none");
}

void validate(const AdamOptions& options) { check_adam(Options("Adam"), options); }

void validate(const AdamWOptions& options) {
  const Options check("AdamW");
  check_adam(check, options);
  check.size("schedule", options.schedule);
  check.finite("grad_scale", options.grad_scale);
  if (options.metrics)
    check.require(options.metric_sample >= 1, "metric_sample", double(options.metric_sample),
                  "is not at least 1");
}

void validate(const AdamWOptions& options, Strategy strategy, Format format) {
  validate(options);
  const Options check("AdamW");
  const Composition parts = composition_of(strategy);
  if (!parts.has_format(format))
    check.fail(to_string(strategy) + " does not exist for " + to_string(format));
  if (options.arithmetic != Arithmetic::strict) return;
  if (!parts.has_strict()) {
    std::string known;
    for (const NamedComposition& row : strategy_table)
      if (row.parts.has_strict()) known += (known.empty() ? "" : ", ") + std::string(row.name);
    check.fail("strict arithmetic does not exist for " + to_string(strategy) + ", only for " +
               known);
  }
  const bool is_zero = format == Format::float16 ? half(options.eps) == half(0)
                                                 : bfloat16(options.eps) == bfloat16(0);
  check.require(
      options.eps == 0 || !is_zero, "eps", options.eps,
      ("is 0 in " + to_string(format) + ", which strict arithmetic rounds it to").c_str());
}

}  // namespace mct::optim
