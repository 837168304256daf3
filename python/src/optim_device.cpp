// AdamW over parameters of PyTorch in the memory of a GPU. The Python side passes addresses and
// streams of PyTorch; this file does not call PyTorch.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "lent.hpp"
#include "tensor_batch.hpp"

namespace mct::python {

namespace {

/// The memory that a step reads and writes, lent to the simulated device.
class LentStep : private Lent {
 public:
  LentStep(const std::vector<cuda::AdamWGroup>& groups, const cuda::AdamWSignals& signals) {
    if (!cuda::device_is_simulated()) return;
    for (const cuda::AdamWGroup& group : groups) add_group(group);
    add(signals.grad_scale, sizeof(float));
    add(signals.found_inf, sizeof(float));
    add(signals.vote, sizeof(std::int32_t));
  }

 private:
  void add_group(const cuda::AdamWGroup& group) {
    const Layout layout = layout_of(group.strategy);
    for (const AdamWMemory& memory : group.memory) {
      for (const KeptArray& array : kept_arrays)
        add(memory.*array.data, array.bytes(memory.count, layout));
      if (group.floats.empty()) add(memory.grad, std::size_t(memory.count) * layout.grad);
    }
    for (std::size_t i = 0; i < group.floats.size(); ++i) {
      const std::size_t bytes = std::size_t(group.memory[i].count) * sizeof(float);
      add(group.floats[i].grad, bytes);
      add(group.floats[i].theta, bytes);
    }
    add(group.steps, sizeof(*group.steps));
    add(group.lr, sizeof(float));
    add(group.long_lr, sizeof(double));
  }
};

/// Steps on one device.
class DeviceAdamW {
 public:
  DeviceAdamW(int device, Address stream, std::int64_t skipped, std::int64_t in_a_row)
      : device_(device), steps_(stream_of(stream, device), {skipped, in_a_row}) {}

  /// steps: counters of int64, one for each batch; rates: (address, whether it is a double).
  void look(const std::vector<const TensorBatch*>& batches,
            const std::vector<const AdamWOptions*>& options, const std::vector<Address>& steps,
            const std::vector<std::pair<Address, bool>>& rates, const std::vector<double>& peaks,
            const std::vector<Address>& signals, Address stream) {
    groups_.clear();
    for (std::size_t i = 0; i < batches.size(); ++i) {
      if (batches[i] == nullptr || options.at(i) == nullptr)
        throw nb::type_error("batches and options must not be None");
      cuda::AdamWGroup group = batches[i]->group_there(*options.at(i));
      group.steps = at<std::int64_t>(steps.at(i));
      const auto& [rate, is_double] = rates.at(i);
      if (is_double) {
        group.long_lr = at<const double>(rate);
      } else {
        group.lr = at<const float>(rate);
      }
      group.peak_lr = peaks.at(i);
      groups_.push_back(group);
    }
    signals_ = {at<const float>(signals.at(0)), at<const float>(signals.at(1)),
                at<std::int32_t>(signals.at(2))};
    const LentStep lent(groups_, signals_);
    steps_.look(groups_, signals_, stream_of(stream, device_));
  }
  void step(double max_grad_norm) {
    const auto groups = std::exchange(groups_, {});  // their memory is lent for one step
    const LentStep lent(groups, signals_);
    steps_.step(max_grad_norm);
  }
  StepReport report() const { return steps_.report(); }
  std::pair<std::int64_t, std::int64_t> skips() const {
    const cuda::SkipCounts counts = steps_.skips();
    return {counts.all, counts.in_a_row};
  }

 private:
  int device_;
  cuda::AdamWGroups steps_;
  std::vector<cuda::AdamWGroup> groups_;  // of the last look; batches own their memory
  cuda::AdamWSignals signals_;
};

}  // namespace

void bind_optim_device(nb::module_& m) {
  const auto free = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<DeviceAdamW>(m, "DeviceAdamW", "Steps of batches in the memory of a GPU.")
      .def(nb::init<int, Address, std::int64_t, std::int64_t>(), "device"_a, "stream"_a,
           "skipped"_a = 0, "in_a_row"_a = 0)
      .def("look", &DeviceAdamW::look, "batches"_a, "options"_a, "steps"_a, "rates"_a, "peaks"_a,
           "signals"_a, "stream"_a,
           "Begins a step: gradients are read. Waits for nothing, but where batches are new.")
      .def("step", &DeviceAdamW::step, "max_grad_norm"_a = std::numeric_limits<double>::infinity(),
           "Ends it: everything is updated, or nothing.")
      .def("report", &DeviceAdamW::report, free, "What the last step did. Waits for it.")
      .def("skips", &DeviceAdamW::skips, free,
           "Steps that were skipped, and those since the last one that was not. Waits.");
  m.def("device_is_simulated", &cuda::device_is_simulated,
        "Whether the device is that of the tests, which takes tensors of the CPU.");
}

}  // namespace mct::python
