// The C functions of optimizer steps and of weights.
#include "mctensor/c_api.h"

#include <span>
#include <string>
#include <vector>

#include "mctensor/optim/adamw.hpp"
#include "mctensor/optim/weights.hpp"
#include "src/optim/c_call.hpp"
#include "src/optim/c_structures.hpp"

namespace {

using namespace mct::optim_detail;

std::string& last_error() {
  thread_local std::string text;
  return text;
}

}  // namespace

const char* mct_version(void) { return MCT_VERSION; }

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
    const auto l = mct::optim::layout_of(strategy_given(strategy));
    using N = std::int64_t;
    *layout = {N(l.theta), N(l.low), N(l.m), N(l.v), N(l.v_low), N(l.grad), N(l.v_max), N(l.marks)};
  });
}

int mct_adamw_step(const char* strategy, int format, const mct_adamw_memory* memory,
                   const mct_adamw_options* options, int64_t step, mct_adamw_report* report) {
  return guarded([&] {
    give(mct::optim::adamw_step(strategy_given(strategy), format_given(format),
                                converted(given(memory, "memory")),
                                converted(given(options, "options")), step),
         report);
  });
}

int mct_adamw_step_many(const char* strategy, int format, const mct_adamw_memory* memories,
                        int64_t tensors, const mct_adamw_options* options, int64_t step,
                        mct_adamw_report* report) {
  return guarded([&] {
    const std::vector<mct::optim::AdamWMemory> all = list_given(memories, tensors);
    give(mct::optim::adamw_step(strategy_given(strategy), format_given(format),
                                std::span<const mct::optim::AdamWMemory>(all),
                                converted(given(options, "options")), step),
         report);
  });
}

int mct_adamw_set_weights(const char* strategy, int format, const float* weights,
                          const mct_adamw_memory* memory) {
  return guarded([&] {
    mct::optim::set_weights(strategy_given(strategy), format_given(format), weights,
                            converted(given(memory, "memory")));
  });
}

int mct_adamw_get_weights(const char* strategy, int format, const mct_adamw_memory* memory,
                          float* weights) {
  return guarded([&] {
    mct::optim::get_weights(strategy_given(strategy), format_given(format),
                            converted(given(memory, "memory")), weights);
  });
}

void mct::optim_detail::remember_error(const char* text) noexcept {
  try {
    last_error() = text;
  } catch (const std::exception&) {
    last_error().clear();
  }
}

const char* mct_last_error(void) { return last_error().c_str(); }
