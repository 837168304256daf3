// The constants of an AdamW step that change with its number and with the learning rate: by these
// functions on the CPU and, where the two lie in a GPU's memory, there.
#pragma once

#include "mctensor/optim/bias_correction.hpp"
#include "mctensor/tensor/philox.hpp"
#include "src/optim/kernels/adamw_table.hpp"

namespace mct::optim_detail::inline MCT_ISA_NAMESPACE {

/// A rate that is negligible beside the largest rate counts as 0: it is the rest of a schedule's
/// cosine.
inline constexpr double rounding_of_rates = 1e-12;

/// The options of a step with a rate from memory. `peak`: the largest rate of its schedule, if it
/// is known.
MCT_HD inline void set_rate(optim::AdamWOptions& o, double lr, double peak) {
  const double largest = lr > peak ? lr : peak;
  const double magnitude = lr < 0 ? -lr : lr;
  o.lr = magnitude <= rounding_of_rates * largest ? 0 : lr;
  o.schedule = largest > 0 ? o.lr / largest : 1;
}

/// What goes by its name in messages is rounded by rounded(name, x): to float or, where
/// rounded.strict(), to the 16-bit format.
template <class Rounded>
MCT_HD inline void set_step_constants(const optim::AdamWOptions& o, std::int64_t step,
                                      const Rounded& rounded, AdamWConstants& c) {
  const double correction1 = optim::bias_correction(o.beta1, double(step));
  const double correction2 = optim::bias_correction(o.beta2, double(step));
  c.correction1 = rounded("1 - beta1^step", correction1);
  c.correction2 =
      rounded.strict() ? rounded("1 - beta2^step", correction2) : float(1 / correction2);
  c.lr = rounded("lr", o.lr);
  c.step_size = rounded.strict() ? 0 : -rounded("lr / (1 - beta1^step)", o.lr / correction1);
  if (o.decay_mode == optim::WeightDecay::decoupled) {
    c.decay = rounded("schedule times weight_decay", o.schedule * o.weight_decay);
  } else if (o.decay_mode == optim::WeightDecay::l2) {
    c.decay = 0;
  } else if (rounded.strict()) {
    c.decay = rounded("weight_decay", o.weight_decay);
  } else {
    c.decay = rounded("lr times weight_decay", o.lr * o.weight_decay);
  }
  const bool squares_are_normal = o.lr > 1e-12 && o.lr < 1e12;
  c.metric_scale = squares_are_normal || o.lr < 1e-37 ? 1.0F : float(1 / o.lr);
  const auto words =
      philox4x32({std::uint32_t(step), std::uint32_t(std::uint64_t(step) >> 32), 0, 0},
                 {std::uint32_t(o.seed), std::uint32_t(o.seed >> 32)});
  for (std::size_t i = 0; i < 2; ++i)
    c.random[i] = words[2 * i] | std::uint64_t(words[2 * i + 1]) << 32;
}

}  // namespace mct::optim_detail::inline MCT_ISA_NAMESPACE
