#include "src/optim/adamw_constants.hpp"

#include <cmath>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/bias_correction.hpp"
#include "mctensor/tensor/philox.hpp"

namespace mct::optim_detail {

namespace {

using optim::AdamWOptions;
using optim::Strategy;
using optim::WeightDecay;

/// Rounds numbers to the format in which a step computes: float, or T where it is strict.
template <class T>
class Rounded {
 public:
  Rounded(bool strict, const char* format) : strict_(strict), format_(format) {}

  bool strict() const { return strict_; }
  float bare(double x) const { return strict_ ? float(T(x)) : float(x); }
  /// The number that goes by this name in messages.
  float operator()(const char* name, double x) const {
    const float rounded = bare(x);
    if (!std::isfinite(rounded)) fail(name, x, "infinite");
    if (rounded == 0 && x != 0) fail(name, x, "0");
    return rounded;
  }
  /// A factor of moving averages: in registers it must be less than 1, or nothing would ever decay.
  float factor(const char* name, double x) const {
    const float rounded = (*this)(name, x);
    if (!strict_ && rounded >= 1) fail(name, x, "1");
    return rounded;
  }

 private:
  [[noreturn]] void fail(const char* name, double x, const char* becomes) const {
    throw DomainError("AdamW: " + std::string(name) + " " + number_text(x, 15) + " is " + becomes +
                      " in " + format_ + (strict_ ? ", which strict arithmetic rounds it to" : ""));
  }

  bool strict_;
  const char* format_;
};

template <class T>
void set_decay(const AdamWOptions& o, const Rounded<T>& rounded, AdamWConstants& c) {
  if (o.decay_mode == WeightDecay::l2) {
    c.l2_decay = rounded("weight_decay", o.weight_decay);
  } else if (o.decay_mode == WeightDecay::decoupled) {
    c.decay = rounded("schedule times weight_decay", o.schedule * o.weight_decay);
  } else if (rounded.strict()) {
    c.decay = rounded("weight_decay", o.weight_decay);
  } else {
    c.decay = rounded("lr times weight_decay", o.lr * o.weight_decay);
  }
}

template <class T>
AdamWConstants rounded_constants(Strategy strategy, const AdamWOptions& o, const char* format,
                                 std::int64_t step) {
  const bool strict = o.arithmetic == optim::Arithmetic::strict;
  const Rounded<T> rounded(strict, strict ? format : "float");
  AdamWConstants c{};
  c.grad_scale = rounded("grad_scale", o.grad_scale);
  c.beta1 = rounded.factor("beta1", o.beta1);
  c.one_minus_beta1 = rounded("1 - beta1", 1 - o.beta1);
  c.beta2 = rounded.factor("beta2", o.beta2);
  if (strict && composition_of(strategy).v_low)
    c.beta2_low = rounded.bare(o.beta2 - double(c.beta2));
  c.one_minus_beta2 = rounded("1 - beta2", 1 - o.beta2);
  const double correction1 = optim::bias_correction(o.beta1, double(step));
  const double correction2 = optim::bias_correction(o.beta2, double(step));
  c.correction1 = rounded("1 - beta1^step", correction1);
  c.correction2 = strict ? rounded("1 - beta2^step", correction2) : float(1 / correction2);
  c.lr = rounded("lr", o.lr);
  if (!strict) c.step_size = -rounded("lr / (1 - beta1^step)", o.lr / correction1);
  c.eps = rounded("eps", o.eps);
  c.decoupled = o.decay_mode == WeightDecay::decoupled;
  set_decay(o, rounded, c);
  const bool squares_are_normal = o.lr > 1e-12 && o.lr < 1e12;
  c.metric_scale = squares_are_normal || o.lr < 1e-37 ? 1.0F : float(1 / o.lr);
  const auto words =
      philox4x32({std::uint32_t(step), std::uint32_t(std::uint64_t(step) >> 32), 0, 0},
                 {std::uint32_t(o.seed), std::uint32_t(o.seed >> 32)});
  for (std::size_t i = 0; i < 2; ++i)
    c.random[i] = words[2 * i] | std::uint64_t(words[2 * i + 1]) << 32;
  return c;
}

}  // namespace

void check_step(Strategy strategy, optim::Format format, const AdamWOptions& options,
                std::int64_t step) {
  optim::validate(options, strategy, format);
  if (step < 1) throw DomainError("AdamW: step " + std::to_string(step) + " is not at least 1");
}

AdamWConstants constants_of(Strategy strategy, optim::Format format, const AdamWOptions& options,
                            std::int64_t step) {
  return format == optim::Format::float16
             ? rounded_constants<half>(strategy, options, "float16", step)
             : rounded_constants<bfloat16>(strategy, options, "bfloat16", step);
}

}  // namespace mct::optim_detail
