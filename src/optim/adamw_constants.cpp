#include "src/optim/adamw_constants.hpp"

#include <cmath>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/error.hpp"
#include "src/optim/step_constants.hpp"

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
  c.eps = rounded("eps", o.eps);
  c.decoupled = o.decay_mode == WeightDecay::decoupled;
  if (o.decay_mode == WeightDecay::l2) c.l2_decay = rounded("weight_decay", o.weight_decay);
  set_step_constants(o, step, rounded, c);
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
