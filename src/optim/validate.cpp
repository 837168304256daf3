// The allowed options of optimizers, and the allowed parameters.
#include <string>
#include <unordered_map>

#include "mctensor/optim/adam.hpp"
#include "mctensor/optim/adamw.hpp"
#include "mctensor/optim/distinct_parameters.hpp"
#include "mctensor/optim/sgd.hpp"
#include "src/optim/adamw_constants.hpp"
#include "src/optim/option_checks.hpp"

namespace mct::optim {

namespace {

using optim_detail::Options;

/// The options that Adam and AdamW have in common.
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
                "is 0, but nesterov needs a momentum above 0");
  check.require(options.dampening == 0, "dampening", options.dampening,
                "is not 0, but nesterov needs a dampening of 0");
}

void validate(const AdamOptions& options) { check_adam(Options("Adam"), options); }

namespace {

/// The options that do not depend on a format.
void check_adamw(const Options& check, const AdamWOptions& options) {
  check_adam(check, options);
  check.size("schedule", options.schedule);
  check.finite("grad_scale", options.grad_scale);
  check.require(options.grad_scale != 0, "grad_scale", options.grad_scale,
                "makes every gradient 0; 1 leaves them as they are");
  check.require(options.metric_sample >= 1, "metric_sample", double(options.metric_sample),
                "is not at least 1");
}

}  // namespace

void validate(const AdamWOptions& options) {
  check_adamw(Options("AdamW"), options);
  AdamWOptions in_float = options;
  in_float.arithmetic = Arithmetic::registers;
  optim_detail::constants_of(Strategy::full, Format::bfloat16, in_float, 1);
}

void validate(const AdamWOptions& options, Strategy strategy, Format format) {
  const Options check("AdamW");
  check_adamw(check, options);
  const Composition parts = composition_of(strategy);
  if (!parts.has_format(format))
    check.fail(to_string(strategy) + " does not exist for " + to_string(format));
  if (options.arithmetic == Arithmetic::strict && !parts.has_strict()) {
    std::string known;
    for (const NamedComposition& row : strategy_table)
      if (row.parts.has_strict()) known += (known.empty() ? "" : ", ") + std::string(row.name);
    check.fail("strict arithmetic does not exist for " + to_string(strategy) + ", only for " +
               known);
  }
  optim_detail::constants_of(strategy, format, options, 1);
}

}  // namespace mct::optim

void mct::optim_detail::require_distinct(const char* owner, const std::vector<const void*>& nodes) {
  std::unordered_map<const void*, std::size_t> seen;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto [first, is_new] = seen.emplace(nodes[i], i);
    if (!is_new)
      throw DomainError(std::string(owner) + ": parameter " + std::to_string(i) +
                        ", counted from 0, is the same variable as parameter " +
                        std::to_string(first->second) + "; each may be given once");
  }
}
