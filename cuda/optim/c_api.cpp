// The C functions of AdamW steps on a GPU.
#include "mctensor/c_api.h"

#include "mctensor/device/devices.hpp"
#include "mctensor/optim/device_adamw.hpp"
#include "src/optim/c_call.hpp"
#include "src/optim/c_structures.hpp"

struct mct_cuda_adamw {
  mct::cuda::AdamWList list;
};

namespace {

using namespace mct::optim_detail;
using mct::cuda::AdamWList;

AdamWList list_of(const char* strategy, int format, const mct_adamw_memory* memories,
                  std::int64_t tensors, int device, void* stream) {
  const auto parts = strategy_given(strategy);
  const auto memory = list_given(memories, tensors);
  return {parts, format_given(format), memory, mct::cuda::Stream::wrap(stream, device)};
}

}  // namespace

int mct_cuda_device_count(int* count) {
  return guarded([&] {
    given(count, "count") = int(mct::cuda::devices().size());
    mct::cuda::require_device();
  });
}

int mct_cuda_adamw_create(const char* strategy, int format, const mct_adamw_memory* memories,
                          int64_t tensors, int device, void* stream, mct_cuda_adamw** list) {
  return guarded([&] {
    given(list, "list");
    *list = new mct_cuda_adamw{list_of(strategy, format, memories, tensors, device, stream)};
  });
}

void mct_cuda_adamw_destroy(mct_cuda_adamw* list) { delete list; }

int mct_cuda_adamw_step(mct_cuda_adamw* list, const mct_adamw_options* options, int64_t step,
                        double max_grad_norm) {
  return guarded([&] {
    given(list, "list").list.step(converted(given(options, "options")), step, max_grad_norm);
  });
}

int mct_cuda_adamw_report(const mct_cuda_adamw* list, mct_adamw_report* report, double* grad_norm) {
  return guarded([&] {
    const auto done = given(list, "list").list.report();
    give(done, report);
    if (grad_norm != nullptr) *grad_norm = done.grad_norm;
  });
}

int mct_cuda_adamw_step_many(const char* strategy, int format, const mct_adamw_memory* memories,
                             int64_t tensors, const mct_adamw_options* options, int64_t step,
                             double max_grad_norm, int device, void* stream,
                             mct_adamw_report* report) {
  return guarded([&] {
    const auto converted_options = converted(given(options, "options"));
    AdamWList list = list_of(strategy, format, memories, tensors, device, stream);
    list.step(converted_options, step, max_grad_norm);
    give(list.report(), report);
  });
}
