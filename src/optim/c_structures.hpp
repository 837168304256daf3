// The structures of C as those of C++.
#pragma once

#include <array>
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

/// The places of an array in the structures of C.
struct CArray {
  std::int64_t mct_adamw_layout::*size;
  void* mct_adamw_memory::*data;
};

/// Row by row those of optim::kept_arrays.
inline constexpr std::array c_arrays = {
    CArray{&mct_adamw_layout::theta, &mct_adamw_memory::theta},
    CArray{&mct_adamw_layout::low, &mct_adamw_memory::low},
    CArray{&mct_adamw_layout::m, &mct_adamw_memory::m},
    CArray{&mct_adamw_layout::v, &mct_adamw_memory::v},
    CArray{&mct_adamw_layout::v_low, &mct_adamw_memory::v_low},
    CArray{&mct_adamw_layout::v_max, &mct_adamw_memory::v_max},
    CArray{&mct_adamw_layout::scales, &mct_adamw_memory::scales},
    CArray{&mct_adamw_layout::marks, &mct_adamw_memory::marks},
};
static_assert(c_arrays.size() == optim::kept_arrays.size());

inline optim::AdamWMemory converted(const mct_adamw_memory& p) {
  optim::AdamWMemory memory;
  for (std::size_t k = 0; k < c_arrays.size(); ++k)
    memory.*optim::kept_arrays[k].data = p.*c_arrays[k].data;
  memory.grad = p.grad;
  memory.count = p.count;
  memory.first = p.first;
  return memory;
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
