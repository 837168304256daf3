#include "mctensor/c_api.h"

#include <exception>
#include <string>

#include "mctensor/error.hpp"
#include "mctensor/optim/adamw.hpp"

namespace {

std::string& last_error() {
  thread_local std::string text;
  return text;
}

/// Even where there is no memory for the text.
void remember(const char* text) noexcept {
  try {
    last_error() = text;
  } catch (const std::exception&) {
    last_error().clear();
  }
}

/// No exception may leave a C function.
template <class Work>
int guarded(const Work& work) noexcept {
  try {
    work();
    return MCT_OK;
  } catch (const mct::MemoryError& error) {
    remember(error.what());
    return MCT_FAILED;
  } catch (const mct::Error& error) {
    remember(error.what());
    return MCT_BAD_ARGUMENT;
  } catch (const std::exception& error) {
    remember(error.what());
    return MCT_FAILED;
  }
}

template <class Enum>
Enum choice(int value, int count, const char* name) {
  if (value < 0 || value >= count)
    throw mct::DomainError(std::string(name) + " " + std::to_string(value) + " is not from 0 to " +
                           std::to_string(count - 1));
  return Enum(value);
}

template <class T>
const T& given(const T* pointer, const char* name) {
  if (pointer == nullptr) throw mct::DomainError(std::string(name) + " is null");
  return *pointer;
}

mct::optim::AdamWOptions converted(const mct_adamw_options& o) {
  mct::optim::AdamWOptions r;
  r.lr = o.lr;
  r.beta1 = o.beta1;
  r.beta2 = o.beta2;
  r.eps = o.eps;
  r.weight_decay = o.weight_decay;
  r.decay_mode = choice<mct::optim::WeightDecay>(o.decay_mode, 3, "decay_mode");
  r.schedule = o.schedule;
  r.grad_scale = o.grad_scale;
  r.seed = o.seed;
  r.arithmetic = choice<mct::optim::Arithmetic>(o.arithmetic, 2, "arithmetic");
  r.metrics = o.metrics != 0;
  r.metric_sample = o.metric_sample;
  return r;
}

}  // namespace

void mct_adamw_default_options(mct_adamw_options* options) {
  if (options == nullptr) return;
  const mct::optim::AdamWOptions d;
  *options = {d.lr,           d.beta1,          d.beta2,    d.eps,
              d.weight_decay, MCT_DECAY_INSIDE, d.schedule, d.grad_scale,
              d.seed,         MCT_REGISTERS,    0,          d.metric_sample};
}

int mct_adamw_layout_of(const char* strategy, mct_adamw_layout* layout) {
  return guarded([&] {
    given(layout, "layout");
    const auto l =
        mct::optim::layout_of(mct::optim::strategy_from_name(&given(strategy, "strategy")));
    *layout = {std::int64_t(l.theta), std::int64_t(l.low),   std::int64_t(l.m),
               std::int64_t(l.v),     std::int64_t(l.v_low), std::int64_t(l.grad),
               std::int64_t(l.scales)};
  });
}

int mct_adamw_step(const char* strategy, int format, const mct_adamw_memory* memory,
                   const mct_adamw_options* options, int64_t step, mct_adamw_report* report) {
  return guarded([&] {
    const mct_adamw_memory& p = given(memory, "memory");
    const auto r = mct::optim::adamw_step(
        mct::optim::strategy_from_name(&given(strategy, "strategy")),
        choice<mct::optim::Format>(format, 2, "format"),
        {p.theta, p.low, p.m, p.v, p.v_low, p.v_max, p.scales, p.grad, p.count, p.first},
        converted(given(options, "options")), step);
    if (report != nullptr)
      *report = {r.elements,       r.nonfinite,         r.updates,
                 r.lost_updates,   r.v_updates,         r.lost_v_updates,
                 r.update_squared, r.effective_squared, r.update_times_effective,
                 r.measured};
  });
}

const char* mct_last_error(void) { return last_error().c_str(); }
