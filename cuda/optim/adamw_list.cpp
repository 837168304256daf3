#include <string>
#include <vector>

#include "cuda/optim/tensor_list.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/device_adamw.hpp"
#include "mctensor/optim/device_adamw_groups.hpp"
#include "src/optim/memory_check.hpp"

namespace mct::cuda {

namespace {

void check_list(optim::Strategy strategy, std::span<const optim::AdamWMemory> tensors) {
  optim_detail::check_tensors(strategy, tensors);
  check_places(strategy, tensors);
}

}  // namespace

struct AdamWList::State {
  optim::Strategy strategy;
  optim::Format format;
  std::vector<optim::AdamWMemory> memory;
  Stream stream;
  AdamWGroups steps;
};

AdamWList::AdamWList(optim::Strategy strategy, optim::Format format,
                     std::span<const optim::AdamWMemory> memory, const Stream& stream) {
  check_list(strategy, memory);
  state_ = std::make_unique<State>(
      State{strategy, format, {memory.begin(), memory.end()}, stream, AdamWGroups(stream)});
}
AdamWList::~AdamWList() = default;
AdamWList::AdamWList(AdamWList&&) noexcept = default;
AdamWList& AdamWList::operator=(AdamWList&&) noexcept = default;

std::size_t AdamWList::size() const { return state_->memory.size(); }
const Stream& AdamWList::stream() const { return state_->stream; }

void AdamWList::set_gradients(std::span<const void* const> gradients) {
  if (gradients.size() != size())
    throw DomainError("AdamW: " + std::to_string(gradients.size()) + " gradients for " +
                      std::to_string(size()) + " tensors");
  std::vector<optim::AdamWMemory> memory = state_->memory;
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i].grad = gradients[i];
  check_list(state_->strategy, memory);
  state_->memory = std::move(memory);
}

void AdamWList::scale_loss(const optim::GradScalerOptions& options) {
  state_->steps.scale_loss(options);
}
optim::LossScale AdamWList::loss_scale() const { return state_->steps.loss_scale(); }
const double* AdamWList::loss_scale_data() const { return state_->steps.loss_scale_data(); }

void AdamWList::step(const optim::AdamWOptions& options, std::int64_t step, double max_grad_norm) {
  AdamWGroup group;
  group.strategy = state_->strategy;
  group.format = state_->format;
  group.memory = state_->memory;
  group.options = options;
  group.step = step;
  state_->steps.look({&group, 1}, {}, state_->stream);
  state_->steps.step(max_grad_norm);
}

optim::StepReport AdamWList::report() const { return state_->steps.report(); }

optim::StepReport adamw_step(optim::Strategy strategy, optim::Format format,
                             std::span<const optim::AdamWMemory> memory,
                             const optim::AdamWOptions& options, std::int64_t step,
                             const Stream& stream, double max_grad_norm) {
  AdamWList list(strategy, format, memory, stream);
  list.step(options, step, max_grad_norm);
  return list.report();
}

}  // namespace mct::cuda
