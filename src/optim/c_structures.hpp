// The structures of C as those of C++.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

#include "mctensor/c_api.h"
#include "mctensor/optim/adamw.hpp"
#include "src/optim/c_call.hpp"

namespace mct::optim_detail {

inline optim::AdamWOptions converted(const mct_adamw_options& o) {
  optim::AdamWOptions r;
  r.lr = o.lr;
  r.beta1 = o.beta1;
  r.beta2 = o.beta2;
  r.eps = o.eps;
  r.weight_decay = o.weight_decay;
  r.decay_mode = choice<optim::WeightDecay>(o.decay_mode, 3, "decay_mode");
  r.schedule = o.schedule;
  r.grad_scale = o.grad_scale;
  r.seed = o.seed;
  r.arithmetic = choice<optim::Arithmetic>(o.arithmetic, 2, "arithmetic");
  r.metrics = o.metrics != 0;
  r.metric_sample = o.metric_sample;
  return r;
}

static_assert(sizeof(mct_adamw_memory) == sizeof(optim::AdamWMemory) &&
                  offsetof(mct_adamw_memory, v_max) == offsetof(optim::AdamWMemory, v_max) &&
                  offsetof(mct_adamw_memory, first) == offsetof(optim::AdamWMemory, first),
              "the same fields in the same order");
inline optim::AdamWMemory converted(const mct_adamw_memory& memory) {
  return std::bit_cast<optim::AdamWMemory>(memory);
}

inline void give(const optim::StepReport& r, mct_adamw_report* report) {
  if (report != nullptr)
    *report = {r.elements,       r.nonfinite,         r.updates,
               r.lost_updates,   r.v_updates,         r.lost_v_updates,
               r.update_squared, r.effective_squared, r.update_times_effective,
               r.measured,       r.skipped ? 1 : 0};
}

/// The memory of `tensors` tensors.
inline std::vector<optim::AdamWMemory> list_given(const mct_adamw_memory* memories,
                                                  std::int64_t tensors) {
  require_array(memories, tensors, "memories");
  std::vector<optim::AdamWMemory> all;
  all.reserve(std::size_t(tensors));
  for (std::int64_t i = 0; i < tensors; ++i) all.push_back(converted(memories[i]));
  return all;
}

}  // namespace mct::optim_detail
