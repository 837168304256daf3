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

namespace {

template <class T>
constexpr optim::Format format_of =
    std::is_same_v<T, half> ? optim::Format::float16 : optim::Format::bfloat16;

using Bytes = std::vector<unsigned char>;

/// theta and low of a parameter on the host, as they are on the device.
class HostWeights {
 public:
  HostWeights(optim::Strategy strategy, const optim::AdamWMemory& there, const Stream& stream)
      : there_(there), stream_(stream), layout_(optim::layout_of(strategy)) {
    here_.count = there.count;
    here_.theta = fetch(there.theta, theta_, optim::kept_arrays[theta_place], layout_.theta);
    here_.low = fetch(there.low, low_, optim::kept_arrays[low_place], layout_.low);
    here_.marks = fetch(there.marks, marks_, optim::kept_arrays[marks_place], layout_.marks);
    stream_.synchronize();
  }
  const optim::AdamWMemory& memory() const { return here_; }
  void write_back() const {
    copy_async(there_.theta, theta_.data(), theta_.size(), stream_);
    copy_async(there_.marks, marks_.data(), marks_.size(), stream_);
    copy(there_.low, low_.data(), low_.size(), stream_);
  }

 private:
  static constexpr std::size_t theta_place = optim::place_of("theta");
  static constexpr std::size_t low_place = optim::place_of("low");
  static constexpr std::size_t marks_place = optim::place_of("marks");

  void* fetch(const void* from, Bytes& to, const optim::KeptArray& array, std::size_t size) const {
    to.resize(std::size_t(array.elements(there_.count, layout_)) * size);
    copy_async(to.data(), from, to.size(), stream_);
    return to.data();
  }

  optim::AdamWMemory there_, here_;
  Stream stream_;
  optim::Layout layout_;
  Bytes theta_, low_, marks_;
};

}  // namespace

template <class T>
McAdamW<T>::McAdamW(std::vector<DeviceTensor<T>> parameters, std::vector<DeviceTensor<T>> gradients,
                    optim::Strategy strategy, const optim::AdamWOptions& options,
                    const Stream& stream)
    : parameters_(std::move(parameters)),
      gradients_(std::move(gradients)),
      strategy_(strategy),
      options_(options),
      stream_(stream),
      memory_(parameters_.size()) {
  optim::validate(options_, strategy_, format_of<T>);
  const optim::Layout layout = optim::layout_of(strategy_);
  if (layout.theta != sizeof(T))
    throw DomainError("McAdamW: tensors of " + std::to_string(8 * sizeof(T)) +
                      "-bit numbers cannot be the weights of " + optim::to_string(strategy_));
  check_gradients(gradients_);
  std::int64_t first = 0;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    optim::AdamWMemory& memory = memory_[i];
    memory.count = parameters_[i].numel();
    memory.first = first;  // random numbers of its own, as optim::McAdamW has them
    first += (memory.count + optim::scale_group - 1) / optim::scale_group * optim::scale_group;
    for (const optim::KeptArray& array : optim::kept_arrays) {
      if (!array.is_kept(layout) || array.data == &optim::AdamWMemory::theta) continue;
      const auto elements = std::size_t(array.elements(memory.count, layout));
      states_.push_back(DeviceMemory::zeros(elements * layout.*array.size, stream_));
      memory.*array.data = states_.back().data();
    }
    memory.theta = parameters_[i].data();
    memory.grad = gradients_[i].data();
  }
  list_ = std::make_unique<AdamWList>(strategy_, format_of<T>, memory_, stream_);
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
  const auto take_back = [&] { steps_ -= std::exchange(counts_, false) ? 1 : 0; };
  try {
    const optim::StepReport report = list_->report();
    if (report.skipped) take_back();
    return report;
  } catch (const DomainError&) {  // skipped as well
    take_back();
    throw;
  }
}

template <class T>
Tensor<float> McAdamW<T>::exact_value(std::size_t i) const {
  const Ordered ordered(stream_, parameters_.at(i));
  const HostWeights weights(strategy_, memory_[i], stream_);
  auto value = Tensor<float>::uninitialized(parameters_[i].shape());
  optim::get_weights(strategy_, format_of<T>, weights.memory(), value.data());
  return value;
}

template <class T>
void McAdamW<T>::set_value(std::size_t i, const Tensor<float>& value) {
  if (value.shape() != parameters_.at(i).shape())
    throw ShapeError("McAdamW: a value of shape " + mct::to_string(value.shape()) +
                     " for a parameter of shape " + mct::to_string(parameters_[i].shape()));
  const Tensor<float> from = value.contiguous();
  const Ordered ordered(stream_, parameters_[i]);
  const HostWeights weights(strategy_, memory_[i], stream_);
  optim::set_weights(strategy_, format_of<T>, from.data(), weights.memory());
  weights.write_back();
}

template class McAdamW<bfloat16>;
template class McAdamW<half>;
template class McAdamW<float>;

}  // namespace mct::cuda
