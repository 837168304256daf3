#include <string>
#include <type_traits>
#include <utility>

#include "cuda/device/run.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/device_mc_adamw.hpp"
#include "mctensor/optim/weights.hpp"
#include "mctensor/tensor/convert.hpp"

namespace mct::cuda {

using optim::KeptArray;

namespace {

template <class T>
constexpr optim::Format format_of =
    std::is_same_v<T, half> ? optim::Format::float16 : optim::Format::bfloat16;

template <class T>
std::vector<Shape> shapes_of(const std::vector<DeviceTensor<T>>& tensors) {
  std::vector<Shape> shapes;
  for (const DeviceTensor<T>& tensor : tensors) shapes.push_back(tensor.shape());
  return shapes;
}

}  // namespace

template <class T>
McAdamW<T>::McAdamW(std::vector<DeviceTensor<T>> parameters, std::vector<DeviceTensor<T>> gradients,
                    optim::Strategy strategy, const optim::AdamWOptions& options,
                    const Stream& stream)
    : AdamWState("McAdamW", strategy, format_of<T>, options, shapes_of(parameters)),
      parameters_(std::move(parameters)),
      gradients_(std::move(gradients)),
      stream_(stream) {
  if (layout_.theta != sizeof(T))
    throw DomainError("McAdamW: tensors of " + std::to_string(8 * sizeof(T)) +
                      "-bit numbers cannot be the weights of " + optim::to_string(strategy_));
  check_gradients(gradients_);
  const auto allocate_there = [this](std::size_t bytes) -> std::shared_ptr<void> {
    const auto memory = std::make_shared<DeviceMemory>(DeviceMemory::zeros(bytes, stream_));
    return {memory, memory->data()};
  };
  allocate([](const KeptArray& array, std::size_t) { return !array.is_theta(); }, allocate_there);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    memory_[i].theta = parameters_[i].data();
    memory_[i].grad = gradients_[i].data();
  }
  list_ = std::make_unique<AdamWList>(strategy_, format_, memory_, stream_);
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    set_value(i, convert<float, 1>(to_host(parameters_[i], stream_)));
}

template <class T>
void McAdamW<T>::check_gradients(const std::vector<DeviceTensor<T>>& gradients) const {
  if (gradients.size() != parameters_.size())
    throw ShapeError("McAdamW: " + std::to_string(gradients.size()) + " gradients for " +
                     std::to_string(parameters_.size()) + " parameters");
  for (std::size_t i = 0; i < gradients.size(); ++i)
    if (gradients[i].shape() != parameters_[i].shape())
      throw ShapeError("McAdamW: a gradient of shape " + mct::to_string(gradients[i].shape()) +
                       " for a parameter of shape " + mct::to_string(parameters_[i].shape()));
}

template <class T>
void McAdamW<T>::set_gradients(std::vector<DeviceTensor<T>> gradients) {
  check_gradients(gradients);
  std::vector<const void*> places;
  for (const DeviceTensor<T>& gradient : gradients) places.push_back(gradient.data());
  list_->set_gradients(places);
  gradients_ = std::move(gradients);
}

template <class T>
void McAdamW<T>::step(double max_grad_norm) {
  Ordered ordered(stream_);
  for (const auto* tensors : {&parameters_, &gradients_})
    for (const DeviceTensor<T>& tensor : *tensors) ordered.add(tensor.stream());
  list_->step(options_, steps_ + 1, max_grad_norm);
  ++steps_;
  counts_ = true;
}

template <class T>
optim::StepReport McAdamW<T>::report() {
  const auto take_back = [&] {
    if (!std::exchange(counts_, false)) return;
    --steps_;
    ++skipped_;
  };
  try {
    const optim::StepReport report = list_->report();
    if (report.skipped) take_back();
    return report;
  } catch (const DomainError&) {  // a step that was refused is skipped, too
    take_back();
    throw;
  }
}

template <class T>
optim::AdamWState McAdamW<T>::fetch_weights(std::size_t i) const {
  AdamWState here(owner_, strategy_, format_, {}, {parameters_.at(i).shape()});  // takes no step
  here.allocate([](const KeptArray& array, std::size_t) { return array.is_of_weights(); });
  copy_arrays(memory_[i], here.memory(0));
  return here;
}

template <class T>
void McAdamW<T>::copy_arrays(const optim::AdamWMemory& from, const optim::AdamWMemory& to) const {
  for (const KeptArray& array : optim::kept_arrays)
    if (from.*array.data != nullptr && to.*array.data != nullptr)
      copy_async(to.*array.data, from.*array.data, array.bytes(from.count, layout_), stream_);
  stream_.synchronize();
}

template <class T>
Tensor<float> McAdamW<T>::exact_value(std::size_t i) const {
  const Ordered ordered(stream_, parameters_.at(i));
  return fetch_weights(i).weights(0);
}

template <class T>
void McAdamW<T>::set_value(std::size_t i, const Tensor<float>& value) {
  if (value.shape() != parameters_.at(i).shape())
    throw ShapeError("McAdamW: a value of shape " + mct::to_string(value.shape()) +
                     " for a parameter of shape " + mct::to_string(parameters_[i].shape()));
  const Tensor<float> from = value.contiguous();
  const Ordered ordered(stream_, parameters_[i]);
  const AdamWState here = fetch_weights(i);
  optim::set_weights(strategy_, format_, from.data(), here.memory(0));
  copy_arrays(here.memory(0), memory_[i]);
}

template <class T>
optim::AdamWState McAdamW<T>::new_state() const {
  AdamWState here(owner_, strategy_, format_, options_, shapes_);
  here.allocate([](const KeptArray&, std::size_t) { return true; });
  return here;
}

template <class T>
void McAdamW<T>::save(const std::filesystem::path& path) {
  if (counts_) report();  // a step that was skipped does not count
  AdamWState here = new_state();
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const Ordered ordered(stream_, parameters_[i]);
    copy_arrays(memory_[i], here.memory(i));
  }
  here.set_counts({steps_, skipped_, std::vector<std::int64_t>(shapes_.size(), steps_)});
  optim::StateWriter writer;
  here.save_to(writer);
  writer.save(path);
}

template <class T>
void McAdamW<T>::load(const std::filesystem::path& path) {
  optim::StateReader reader(path, description());
  AdamWState here = new_state();
  here.load_from(reader);
  const optim::StateCounts counts = here.counts();
  for (const std::int64_t updates : counts.updates)
    if (updates != counts.updates[0])
      reader.fail("updates", "holds different counts; a device steps all parameters together");
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const Ordered ordered(stream_, parameters_[i]);
    copy_arrays(here.memory(i), memory_[i]);
  }
  steps_ = counts.updates.empty() ? counts.steps : counts.updates[0];
  skipped_ = counts.skipped;
  counts_ = false;
  options_.seed = here.options().seed;
}

template class McAdamW<bfloat16>;
template class McAdamW<half>;
template class McAdamW<float>;

}  // namespace mct::cuda
