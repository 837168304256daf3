#include "mctensor/optim/precision_loss.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "mctensor/base/number_text.hpp"
#include "src/optim/precision_warning.hpp"

namespace mct::optim {

namespace {

/// Half a unit of the largest numbers of a binade, relative to them.
double half_unit(Format format) { return format == Format::float16 ? 0x1p-12 : 0x1p-9; }

double decay_of_step(const AdamWOptions& options) {
  if (options.decay_mode == WeightDecay::l2) return 0;
  const double rate = options.decay_mode == WeightDecay::decoupled ? options.schedule : options.lr;
  return rate * options.weight_decay;
}

std::atomic<bool> warnings_are_on{true};

/// A sentence that is written once.
class Warning {
 public:
  bool is_due() const {
    return !written_.load(std::memory_order_relaxed) && warnings_are_on.load();
  }
  /// `text` is called if it is to be written.
  template <class Text>
  void write(const Text& text) {
    const char* setting = std::getenv("MCT_WARNINGS");  // NOLINT(concurrency-mt-unsafe)
    if (setting != nullptr && std::string_view(setting) == "0") return;
    if (written_.exchange(true)) return;
    const std::string line = "MCTensor: " + text() +
                             " This is said once; MCT_WARNINGS=0 or "
                             "optim::set_precision_warnings(false) turns it off.\n";
    std::fputs(line.c_str(), stderr);
  }

 private:
  std::atomic<bool> written_{false};
};

}  // namespace

double largest_beta2(Format format) { return 1 - 2 * half_unit(format); }

bool loses_second_moment(Strategy strategy, Format format, double beta2) {
  const Composition parts = composition_of(strategy);
  const bool is_short =
      parts.states == Number::narrow && !parts.v_low && parts.v_rounding == Rounding::nearest;
  return is_short && beta2 > largest_beta2(format);
}

bool loses_weight_decay(Strategy strategy, Format format, const AdamWOptions& options) {
  const Composition parts = composition_of(strategy);
  if (parts.has_float_weight() || parts.weight_rounding == Rounding::stochastic) return false;
  const double decay = decay_of_step(options);
  const double unit = half_unit(format);
  return decay > 0 && decay < (parts.has_sum() ? unit * unit : unit);
}

void set_precision_warnings(bool on) { warnings_are_on = on; }

}  // namespace mct::optim

namespace mct::optim_detail {

using namespace optim;

void warn_of_second_moment(Strategy strategy, Format format, const AdamWOptions& options) {
  static Warning warning;
  if (!warning.is_due() || !loses_second_moment(strategy, format, options.beta2)) return;
  warning.write([&] {
    return "the strategy " + to_string(strategy) + " keeps the second moment in one " +
           to_string(format) +
           ", which follows the gradients up to beta2 = " + number_text(largest_beta2(format)) +
           "; with " + number_text(options.beta2) +
           " it stops, and steps have a wrong size. Take a strategy that keeps more of it "
           "(plus, residual-states, split16-plus, float-states, master) or rounds it "
           "stochastically (split16-stochastic, split8), or a smaller beta2.";
  });
}

void warn_of_weight_decay(Strategy strategy, Format format, const AdamWOptions& options) {
  static Warning warning;
  if (!warning.is_due() || !loses_weight_decay(strategy, format, options)) return;
  warning.write([&] {
    return "weight decay of " + number_text(decay_of_step(options), 9) +
           " in a step is lost with the strategy " + to_string(strategy) + " in " +
           to_string(format) +
           ": it is less than half a unit of what the strategy keeps. "
           "Take one with float weights (split16, master) or whose weights are rounded "
           "stochastically (residual, residual-states, split16-stochastic, split16-plus, split8).";
  });
}

void warn_of_lost_precision(Strategy strategy, Format format, const AdamWOptions& options) {
  warn_of_second_moment(strategy, format, options);
  if (composition_of(strategy).low == LowPart::none)
    warn_of_weight_decay(strategy, format, options);
}

}  // namespace mct::optim_detail
