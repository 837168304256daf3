#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuda/device/runtime.hpp"
#include "cuda/optim/adamw_launch.hpp"
#include "cuda/optim/device_words.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/device/devices.hpp"
#include "mctensor/optim/clip_factor.hpp"
#include "mctensor/optim/device_adamw_groups.hpp"
#include "mctensor/optim/grad_scaler.hpp"
#include "src/optim/adamw_constants.hpp"
#include "src/optim/memory_check.hpp"
#include "src/optim/precision_warning.hpp"

namespace mct::cuda {

namespace {

template <class T>
using Buffer = StreamQueue::Buffer<T>;
template <class T>
using MaybeBuffer = std::optional<Buffer<T>>;

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

bool has_other_lr(const AdamWGroup& group) {
  return group.lr != nullptr || group.long_lr != nullptr;
}

/// The group with the options that the host knows, for the constants of its step: the rate is 0 if
/// it lies in the device's memory, and the step is the first if the number of steps lies there.
AdamWGroup as_known_here(AdamWGroup group) {
  if (has_other_lr(group)) group.options.lr = group.options.schedule = 0;
  if (group.steps != nullptr) group.step = 1;
  return group;
}

/// Throws DomainError for options that a step cannot have.
void check_options(const AdamWGroup& given, const AdamWGroup& first) {
  const AdamWGroup group = as_known_here(given);
  optim_detail::check_step(group.strategy, group.format, group.options, group.step);
  optim_detail::constants_of(group.strategy, group.format, group.options, group.step);
  if (std::abs(group.options.grad_scale) != std::abs(first.options.grad_scale))
    throw DomainError("AdamW: grad_scale " + number_text(group.options.grad_scale) +
                      " of a group is not " + number_text(first.options.grad_scale) +
                      " of the first one");
  if (!has_other_lr(given))
    optim_detail::warn_of_lost_precision(group.strategy, group.format, group.options);
}

StepPlan plan_of(const AdamWGroup& group) {
  StepPlan plan;
  plan.options = group.options;
  if (!group.options.metrics) plan.options.metric_sample = 1;
  plan.step = group.step;
  plan.steps = group.steps;
  plan.lr = group.lr;
  plan.long_lr = group.long_lr;
  plan.peak_lr = group.peak_lr;
  plan.is_half = std::int64_t(group.format == optim::Format::float16);
  return plan;
}

/// Whether parameters are floats that show theta. Otherwise only gradients are floats, and a step
/// uses them without rounding.
bool shows_theta(const AdamWGroup& group) {
  return std::any_of(group.floats.begin(), group.floats.end(),
                     [](const optim::FloatSide& floats) { return floats.theta != nullptr; });
}
bool has_float_grad(const AdamWGroup& group) {
  return !group.floats.empty() && !shows_theta(group);
}

/// Throws DomainError if a step cannot take the floats beside the arrays of a group.
void check_floats(const AdamWGroup& group) {
  const auto fail = [](const std::string& what) { throw DomainError("AdamW: " + what); };
  if (group.floats.empty()) return;
  if (group.floats.size() != group.memory.size())
    fail("floats are given for " + std::to_string(group.floats.size()) + " of " +
         std::to_string(group.memory.size()) + " tensors, expected for all or for none");
  if (optim::layout_of(group.strategy).theta == sizeof(float))
    fail("floats are given, but the weights of strategy " + optim::to_string(group.strategy) +
         " are floats already");
  const bool shows = shows_theta(group);
  for (std::size_t i = 0; i < group.floats.size(); ++i) {
    const optim::FloatSide& floats = group.floats[i];
    if (group.memory[i].count == 0) continue;
    const std::string tensor = "tensor " + std::to_string(i) + ": ";
    if (floats.grad == nullptr || (floats.theta != nullptr) != shows || floats.rounds_grad != shows)
      fail(tensor +
           "a device takes floats as parameters with their gradients, which are rounded, or as the "
           "gradients of all tensors of a group, which are not");
    const auto places = reinterpret_cast<std::uintptr_t>(floats.grad) |
                        reinterpret_cast<std::uintptr_t>(floats.theta);
    if (places % sizeof(float) != 0)
      fail(tensor + "floats do not begin at a multiple of " + std::to_string(sizeof(float)) +
           " bytes");
  }
}

/// The arrays of tensor i of a group during its step. If floats show theta, their memory holds the
/// gradients while the step runs.
optim::AdamWMemory stepped_memory(const AdamWGroup& group, std::size_t i) {
  optim::AdamWMemory memory = group.memory[i];
  if (group.floats.empty()) return memory;
  const optim::FloatSide& floats = group.floats[i];
  memory.grad = floats.theta != nullptr ? floats.theta : floats.grad;
  return memory;
}
/// The floats beside these arrays.
optim::AdamWMemory floats_beside(const AdamWGroup& group, std::size_t i) {
  optim::AdamWMemory floats;
  floats.count = group.memory[i].count;
  floats.first = group.memory[i].first;
  if (!group.floats.empty()) {
    floats.theta = group.floats[i].theta;
    floats.grad = group.floats[i].grad;
  }
  return floats;
}
bool has_floats(std::span<const AdamWGroup> groups) {
  return std::any_of(groups.begin(), groups.end(), shows_theta);
}
bool are_same(const optim::AdamWMemory& a, const optim::AdamWMemory& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// A group's place in the tables of the device.
struct Place {
  std::size_t first_tensor, first_chunk;
  std::vector<TensorChunk> chunks;
  int first_block = 0;  // of the blocks that read gradients
};

}  // namespace

struct AdamWGroups::State {
  Stream home;    // memory is allocated and freed on it
  Stream stream;  // of the last step
  int most_blocks;
  Buffer<GradientTotals> total;
  Buffer<GradientReport> gradient_report;
  Buffer<SkipCounts> skips;
  MaybeBuffer<optim::LossScale> loss_scale;
  optim::GradScalerOptions scaler;

  // of the groups of the last step
  std::vector<optim::AdamWMemory> memory, floats;  // floats: as many as memory, or none
  std::vector<StepPlan> plans;
  std::vector<AdamWLaunch> launches;
  std::vector<Place> places;
  DeviceWords<optim::AdamWMemory> tensors_there, floats_there;
  DeviceWords<StepPlan> plans_there;
  MaybeBuffer<TensorChunk> chunks_there;
  MaybeBuffer<GradientTotals> of_blocks;
  MaybeBuffer<StepControl> controls;
  MaybeBuffer<AdamWTotals> totals;  // for each group: those of its blocks, then of the step
  int gradient_blocks = 0;
  AdamWSignals signals;
  bool looked = false;
  /// A recorded step writes the tables whenever it is replayed. This object does not notice it.
  bool was_recorded = false;

  State(const Stream& stream_, const SkipCounts& skipped)
      : home(stream_),
        stream(stream_),
        most_blocks(most_adamw_blocks(devices().at(std::size_t(home.device())).multiprocessors)),
        total(StreamQueue(home).allocate<GradientTotals>(1)),
        gradient_report(StreamQueue(home).upload(std::vector<GradientReport>(1))),
        skips(StreamQueue(home).upload(std::vector<SkipCounts>{skipped})) {}
  ~State() {
    try {
      home.wait(stream);
    } catch (const Error&) {  // the device accepts no more work
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  bool fits(std::span<const AdamWGroup> groups) const;
  bool has(const AdamWGroup& group, std::size_t g) const;
  void make_room(std::span<const AdamWGroup> groups);
  void write(std::span<const AdamWGroup> groups, bool is_recorded);
  void set_launch(const AdamWGroup& group, std::size_t i);
  /// Downloads on the stream of the last step, after that step.
  template <class T>
  T download(const T* from) const {
    return StreamQueue(stream).download(from, 1).front();
  }
};

/// Whether the tables have entries for these tensors, at whatever addresses.
bool AdamWGroups::State::fits(std::span<const AdamWGroup> groups) const {
  if (!of_blocks || groups.size() != places.size() ||
      has_floats(groups) != (floats_there.data() != nullptr))
    return false;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::size_t first = places[g].first_tensor;
    const std::size_t end = g + 1 < places.size() ? places[g + 1].first_tensor : memory.size();
    if (groups[g].memory.size() != end - first) return false;
    for (std::size_t i = first; i < end; ++i) {
      const optim::AdamWMemory& now = groups[g].memory[i - first];
      if (now.count != memory[i].count || now.first != memory[i].first) return false;
    }
  }
  return true;
}

/// Whether group g of the last step was this group, with the same addresses. The groups must fit.
bool AdamWGroups::State::has(const AdamWGroup& group, std::size_t g) const {
  const bool shows = shows_theta(group);
  if (group.strategy != launches[g].strategy || (launches[g].floats != nullptr) != shows ||
      launches[g].constants.float_grad != has_float_grad(group))
    return false;
  const std::size_t first = places[g].first_tensor;
  for (std::size_t i = 0; i < group.memory.size(); ++i)
    if (!are_same(stepped_memory(group, i), memory[first + i]) ||
        (shows && !are_same(floats_beside(group, i), floats[first + i])))
      return false;
  return true;
}

void AdamWGroups::State::make_room(std::span<const AdamWGroup> groups) {
  home.wait(stream);  // it may still use memory that is freed on `home`
  of_blocks.reset();  // empty until all tables are there
  places.clear();
  std::vector<TensorChunk> chunks;
  std::size_t tensors = 0;
  gradient_blocks = 0;
  for (const AdamWGroup& group : groups) {
    Place place{tensors, chunks.size(), chunks_of(group.memory), gradient_blocks};
    tensors += group.memory.size();
    chunks.insert(chunks.end(), place.chunks.begin(), place.chunks.end());
    gradient_blocks += std::min(int(place.chunks.size()), GradientSums<float>::blocks);
    places.push_back(std::move(place));
  }
  const StreamQueue queue(home);
  tensors_there = DeviceWords<optim::AdamWMemory>(tensors, queue);
  floats_there = has_floats(groups) ? DeviceWords<optim::AdamWMemory>(tensors, queue)
                                    : DeviceWords<optim::AdamWMemory>();
  plans_there = DeviceWords<StepPlan>(groups.size(), queue);
  chunks_there = queue.upload(chunks);
  controls = queue.allocate<StepControl>(std::int64_t(groups.size()));
  totals = queue.allocate<AdamWTotals>(std::int64_t(groups.size()) * (most_blocks + 1));
  of_blocks = queue.allocate<GradientTotals>(gradient_blocks);
}

void AdamWGroups::State::set_launch(const AdamWGroup& given, std::size_t i) {
  const AdamWGroup group = as_known_here(given);
  AdamWLaunch& launch = launches[i];
  launch.strategy = group.strategy;
  launch.format = group.format;
  launch.tensors = tensors_there.data() + places[i].first_tensor;
  if (shows_theta(group)) launch.floats = floats_there.data() + places[i].first_tensor;
  launch.chunks = chunks_there->data() + places[i].first_chunk;
  launch.chunk_count = int(places[i].chunks.size());
  launch.constants =
      optim_detail::constants_of(group.strategy, group.format, group.options, group.step);
  launch.constants.float_grad = has_float_grad(group);
  launch.strict = group.options.arithmetic == optim::Arithmetic::strict;
  launch.has_other_lr = has_other_lr(group);
  launch.control = controls->data() + i;
  launch.most_blocks = most_blocks;
  for (const optim::AdamWMemory& one : group.memory)
    launch.amsgrad = launch.amsgrad || one.v_max != nullptr;
  if (!group.options.metrics) return;
  launch.sample = group.options.metric_sample;
  launch.of_blocks = totals->data() + i * std::size_t(most_blocks + 1);
  launch.totals = launch.of_blocks + most_blocks;
}

void AdamWGroups::State::write(std::span<const AdamWGroup> groups, bool is_recorded) {
  memory.clear();
  floats.clear();
  plans.clear();
  launches.assign(groups.size(), {});
  const bool with_floats = has_floats(groups);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t i = 0; i < groups[g].memory.size(); ++i) {
      memory.push_back(stepped_memory(groups[g], i));
      if (with_floats) floats.push_back(floats_beside(groups[g], i));
    }
    plans.push_back(plan_of(groups[g]));
    set_launch(groups[g], g);
  }
  was_recorded = was_recorded || is_recorded;
  tensors_there.write(memory, was_recorded, stream);
  floats_there.write(floats, was_recorded, stream);
  plans_there.write(plans, was_recorded, stream);
}

AdamWGroups::AdamWGroups(const Stream& stream, const SkipCounts& skips)
    : state_(std::make_unique<State>(stream, skips)) {}
AdamWGroups::~AdamWGroups() = default;
AdamWGroups::AdamWGroups(AdamWGroups&&) noexcept = default;
AdamWGroups& AdamWGroups::operator=(AdamWGroups&&) noexcept = default;

void AdamWGroups::look(std::span<const AdamWGroup> groups, const AdamWSignals& signals,
                       const Stream& stream) {
  State& s = *state_;
  s.looked = false;
  const bool fits = s.fits(groups);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    check_options(groups[g], groups[0]);
    check_floats(groups[g]);
    if (fits && s.has(groups[g], g)) continue;
    optim_detail::check_tensors(groups[g].strategy, groups[g].memory);
    check_places(groups[g].strategy, groups[g].memory);
  }
  const bool is_recorded = runtime::is_recorded(stream.handle());
  if (!fits && is_recorded)
    throw DeviceError(
        "AdamW: before a step is recorded in a CUDA graph, take one step with gradients of the "
        "same parameters");
  if (!fits) s.make_room(groups);
  s.stream = stream;
  if (!fits) s.stream.wait(s.home);
  s.write(groups, is_recorded);
  s.signals = signals;
  for (std::size_t i = 0; i < s.launches.size(); ++i)
    start_gradient_sums(s.launches[i], s.of_blocks->data() + s.places[i].first_block, stream);
  run(SumGradients{s.of_blocks->data(), s.gradient_blocks, signals.found_inf, s.total.data(),
                   signals.vote},
      {}, stream);
  s.looked = true;
}

void AdamWGroups::step(double max_grad_norm) {
  State& s = *state_;
  if (!std::exchange(s.looked, false)) throw DomainError("AdamW: step() was called before look()");
  optim::clip_factor(0, max_grad_norm);  // refuses a norm that is not positive
  run(ControlSteps{s.total.data(), s.plans_there.data(), int(s.launches.size()), max_grad_norm,
                   s.signals.grad_scale, s.signals.found_inf, s.signals.vote,
                   s.loss_scale ? s.loss_scale->data() : nullptr, s.scaler, s.controls->data(),
                   s.gradient_report.data(), s.skips.data()},
      {}, s.stream);
  for (const AdamWLaunch& launch : s.launches) {
    if (launch.floats != nullptr) start_reading_floats(launch, s.stream);
    start(launch, s.stream);
    if (launch.floats != nullptr) start_showing_theta(launch, s.stream);
  }
}

optim::StepReport AdamWGroups::report() const {
  const State& s = *state_;
  const GradientReport found = s.download(s.gradient_report.data());
  if (found.refused > 0) {
    const AdamWLaunch& launch = s.launches.at(std::size_t(found.refused - 1));
    const std::string of_rate = launch.has_other_lr ? ", or what it makes of the learning rate, " +
                                                          number_text(found.lr) + ","
                                                    : "";
    throw DomainError("AdamW: the scale of the gradients, " + number_text(found.grad_scale) + "," +
                      of_rate +
                      " is infinite, 0 or negative in the format of the step, which was skipped");
  }
  optim::StepReport report;
  const bool was_skipped = found.skipped != 0;
  for (const AdamWLaunch& launch : s.launches)
    if (launch.totals != nullptr && !was_skipped)
      report +=
          report_of(s.download(launch.totals), double(s.download(launch.control).metric_scale));
  report.elements = 0;
  for (const optim::AdamWMemory& memory : s.memory) report.elements += memory.count;
  report.nonfinite = found.nonfinite;
  report.skipped = was_skipped;
  report.grad_norm = found.norm;
  return report;
}

SkipCounts AdamWGroups::skips() const { return state_->download(state_->skips.data()); }

void AdamWGroups::scale_loss(const optim::GradScalerOptions& options) {
  optim::validate(options);
  state_->scaler = options;
  const std::vector<optim::LossScale> first{{options.init_scale, 0}};
  state_->loss_scale = StreamQueue(state_->home).upload(first);
}
optim::LossScale AdamWGroups::loss_scale() const {
  if (!state_->loss_scale)
    throw DomainError(
        "AdamW: scale_loss() was not called for these parameters, so there is no scale of losses");
  return state_->download(state_->loss_scale->data());
}
const double* AdamWGroups::loss_scale_data() const {
  return state_->loss_scale ? &state_->loss_scale->data()->scale : nullptr;
}

}  // namespace mct::cuda
