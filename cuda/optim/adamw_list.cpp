#include <optional>
#include <string>
#include <vector>

#include "cuda/device/stream_queue.hpp"
#include "cuda/optim/adamw_launch.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/device/devices.hpp"
#include "mctensor/optim/clip_factor.hpp"
#include "mctensor/optim/device_adamw.hpp"
#include "mctensor/optim/grad_scaler.hpp"
#include "src/optim/adamw_constants.hpp"
#include "src/optim/memory_check.hpp"
#include "src/optim/precision_warning.hpp"

namespace mct::cuda {

namespace {

template <class T>
using Buffer = StreamQueue::Buffer<T>;

void check_list(optim::Strategy strategy, std::span<const optim::AdamWMemory> tensors) {
  optim_detail::check_tensors(strategy, tensors);
  check_places(strategy, tensors);
}

void start(const AdamWLaunch& step, const Stream& stream) {
  if (optim::composition_of(step.strategy).theta == optim::Number::float32) {
    start_adamw<float>(step, stream);
  } else if (step.format == optim::Format::float16) {
    start_adamw<half>(step, stream);
  } else {
    start_adamw<bfloat16>(step, stream);
  }
}

optim::StepReport report_of(const AdamWTotals& totals, double metric_scale) {
  using Q = AdamWQuantity;
  const double unit = 1 / metric_scale;
  optim::StepReport report;
  report.measured = totals.count[Q::measured];
  report.updates = totals.count[Q::updates];
  report.lost_updates = totals.count[Q::lost_updates];
  report.v_updates = totals.count[Q::v_updates];
  report.lost_v_updates = totals.count[Q::lost_v_updates];
  report.update_squared = totals.sum[Q::update_squared] * unit * unit;
  report.effective_squared = totals.sum[Q::effective_squared] * unit * unit;
  report.update_times_effective = totals.sum[Q::update_times_effective] * unit * unit;
  return report;
}

}  // namespace

struct AdamWList::State {
  std::vector<optim::AdamWMemory> memory;
  std::vector<TensorChunk> chunks;
  Stream stream;
  StreamQueue queue;
  Buffer<optim::AdamWMemory> tensors_there;
  Buffer<TensorChunk> chunks_there;
  Buffer<GradientTotals> gradient_totals;
  Buffer<StepControl> control;
  Buffer<GradientReport> gradient_report;
  Buffer<AdamWTotals> totals;  // of blocks, then those of the step
  std::optional<Buffer<optim::LossScale>> loss_scale;
  // of the last step
  AdamWLaunch launch;
  GradientLaunch gradients;

  State(optim::Strategy strategy, optim::Format format, std::vector<optim::AdamWMemory> memory_,
        const Stream& stream_, int most_blocks)
      : memory(std::move(memory_)),
        chunks(chunks_of(memory)),
        stream(stream_),
        queue(stream),
        tensors_there(queue.upload(memory)),
        chunks_there(queue.upload(chunks)),
        gradient_totals(queue.allocate<GradientTotals>(GradientSums<float>::blocks)),
        control(queue.allocate<StepControl>(1)),
        gradient_report(queue.upload(std::vector<GradientReport>(1))),
        totals(queue.allocate<AdamWTotals>(most_blocks + 1)) {
    launch.strategy = strategy;
    launch.format = format;
    launch.tensors = tensors_there.data();
    launch.chunks = chunks_there.data();
    launch.chunk_count = int(chunks.size());
    launch.control = gradients.control = control.data();
    launch.most_blocks = most_blocks;
    gradients.of_blocks = gradient_totals.data();
    gradients.report = gradient_report.data();
    for (const optim::AdamWMemory& one : memory)
      launch.amsgrad = launch.amsgrad || one.v_max != nullptr;
  }
};

AdamWList::AdamWList(optim::Strategy strategy, optim::Format format,
                     std::span<const optim::AdamWMemory> memory, const Stream& stream) {
  check_list(strategy, memory);
  const int processors = devices().at(std::size_t(stream.device())).multiprocessors;
  state_ = std::make_unique<State>(strategy, format,
                                   std::vector<optim::AdamWMemory>(memory.begin(), memory.end()),
                                   stream, most_adamw_blocks(processors));
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
  check_list(state_->launch.strategy, memory);
  state_->memory = std::move(memory);
  copy(state_->tensors_there.data(), state_->memory.data(),
       state_->memory.size() * sizeof(optim::AdamWMemory), state_->stream);
}

void AdamWList::scale_loss(const optim::GradScalerOptions& options) {
  optim::validate(options);
  state_->gradients.scaler = options;
  state_->loss_scale.emplace(
      state_->queue.upload(std::vector<optim::LossScale>{{options.init_scale, 0}}));
  state_->gradients.loss_scale = state_->loss_scale->data();
}
optim::LossScale AdamWList::loss_scale() const {
  if (!state_->loss_scale) throw DomainError("AdamW: losses of this list are not scaled");
  return state_->queue.download(state_->loss_scale->data(), 1).front();
}
const double* AdamWList::loss_scale_data() const {
  return state_->loss_scale ? &state_->loss_scale->data()->scale : nullptr;
}

void AdamWList::step(const optim::AdamWOptions& options, std::int64_t step, double max_grad_norm) {
  State& s = *state_;
  AdamWLaunch& launch = s.launch;
  optim_detail::check_step(launch.strategy, launch.format, options, step);
  optim::clip_factor(0, max_grad_norm);  // refuses a norm that is not positive
  launch.constants = optim_detail::constants_of(launch.strategy, launch.format, options, step);
  optim_detail::warn_of_lost_precision(launch.strategy, launch.format, options);
  launch.strict = options.arithmetic == optim::Arithmetic::strict;
  launch.sample = options.metrics ? options.metric_sample : 0;
  launch.phase = launch.sample > 0 ? int(step % launch.sample) : 0;
  launch.of_blocks = options.metrics ? s.totals.data() : nullptr;
  launch.totals = options.metrics ? s.totals.data() + launch.most_blocks : nullptr;
  s.gradients.grad_scale = options.grad_scale;
  s.gradients.max_norm = max_grad_norm;
  start_gradient_control(launch, s.gradients, s.stream);
  start(launch, s.stream);
}

optim::StepReport AdamWList::report() const {
  const State& s = *state_;
  const GradientReport of_gradients = s.queue.download(s.gradient_report.data(), 1).front();
  if (of_gradients.refused != 0)
    throw DomainError("AdamW: the scale of the gradients, " + number_text(of_gradients.grad_scale) +
                      ", is infinite or 0 in the format of the step, which was skipped");
  optim::StepReport report;
  const bool was_skipped = of_gradients.nonfinite > 0;
  if (s.launch.totals != nullptr && !was_skipped)
    report = report_of(s.queue.download(s.launch.totals, 1).front(),
                       double(s.launch.constants.metric_scale));
  for (const optim::AdamWMemory& memory : s.memory) report.elements += memory.count;
  report.nonfinite = of_gradients.nonfinite;
  report.skipped = was_skipped;
  report.grad_norm = of_gradients.norm;
  return report;
}

optim::StepReport adamw_step(optim::Strategy strategy, optim::Format format,
                             std::span<const optim::AdamWMemory> memory,
                             const optim::AdamWOptions& options, std::int64_t step,
                             const Stream& stream, double max_grad_norm) {
  AdamWList list(strategy, format, memory, stream);
  list.step(options, step, max_grad_norm);
  return list.report();
}

}  // namespace mct::cuda
