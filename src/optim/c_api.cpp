// The C functions of optimizer steps and of weights.
#include "mctensor/c_api.h"

#include <array>
#include <span>
#include <string>
#include <vector>

#include "mctensor/optim/adamw.hpp"
#include "mctensor/optim/weights.hpp"
#include "src/optim/c_call.hpp"

namespace {

using namespace mct::optim_detail;
using mct::optim::kept_arrays;

std::string& last_error() {
  thread_local std::string text;
  return text;
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

/// The places of an array in the structures of C.
struct CArray {
  std::int64_t mct_adamw_layout::*size;
  void* mct_adamw_memory::*data;
};

/// Row by row those of optim::kept_arrays.
constexpr std::array c_arrays = {
    CArray{&mct_adamw_layout::theta, &mct_adamw_memory::theta},
    CArray{&mct_adamw_layout::low, &mct_adamw_memory::low},
    CArray{&mct_adamw_layout::m, &mct_adamw_memory::m},
    CArray{&mct_adamw_layout::v, &mct_adamw_memory::v},
    CArray{&mct_adamw_layout::v_low, &mct_adamw_memory::v_low},
    CArray{&mct_adamw_layout::v_max, &mct_adamw_memory::v_max},
    CArray{&mct_adamw_layout::scales, &mct_adamw_memory::scales},
};
static_assert(c_arrays.size() == kept_arrays.size());

mct::optim::AdamWMemory converted(const mct_adamw_memory& p) {
  mct::optim::AdamWMemory memory;
  for (std::size_t k = 0; k < c_arrays.size(); ++k)
    memory.*kept_arrays[k].data = p.*c_arrays[k].data;
  memory.grad = p.grad;
  memory.count = p.count;
  memory.first = p.first;
  return memory;
}

void give(const mct::optim::StepReport& r, mct_adamw_report* report) {
  if (report != nullptr)
    *report = {r.elements,       r.nonfinite,         r.updates,
               r.lost_updates,   r.v_updates,         r.lost_v_updates,
               r.update_squared, r.effective_squared, r.update_times_effective,
               r.measured,       r.skipped ? 1 : 0};
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
    const auto l = mct::optim::layout_of(strategy_given(strategy));
    for (std::size_t k = 0; k < c_arrays.size(); ++k)
      layout->*c_arrays[k].size = std::int64_t(l.*kept_arrays[k].size);
    layout->grad = std::int64_t(l.grad);
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
    require_array(memories, tensors, "memories");
    std::vector<mct::optim::AdamWMemory> all;
    all.reserve(std::size_t(tensors));
    for (std::int64_t i = 0; i < tensors; ++i) all.push_back(converted(memories[i]));
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
