#include "mctensor/device/stream.hpp"

#include <string>
#include <vector>

#include "cuda/device/runtime.hpp"
#include "mctensor/device/devices.hpp"
#include "mctensor/error.hpp"

namespace mct::cuda {

struct Stream::State {
  int device;
  void* handle;
  bool owned;

  ~State() {
    if (owned) runtime::destroy_stream(handle);
  }
};

namespace {

/// Throws DeviceError unless kernels of this library run on the device.
void check_device(int number) {
  static const std::vector<Device> all = devices();
  if (all.empty()) require_device();
  if (number < 0 || number >= int(all.size()))
    throw DeviceError("there is no device " + std::to_string(number) + ", only 0 to " +
                      std::to_string(all.size() - 1));
  const Device& device = all[std::size_t(number)];
  if (device.major < least_compute_capability)
    throw DeviceError("device " + std::to_string(number) + " (" + device.name +
                      ") has compute capability " + std::to_string(device.major) + "." +
                      std::to_string(device.minor) + ", kernels need " +
                      std::to_string(least_compute_capability) + ".0");
}

}  // namespace

Stream::Stream(int device) {
  check_device(device);
  const runtime::DeviceScope scope(device);
  state_ = std::shared_ptr<State>(new State{device, nullptr, false});
  state_->handle = runtime::create_stream();
  state_->owned = true;
}

Stream Stream::wrap(void* handle, int device) {
  check_device(device);
  return Stream(std::shared_ptr<State>(new State{device, handle, false}));
}

int Stream::device() const { return state_->device; }
void* Stream::handle() const { return state_->handle; }
void Stream::synchronize() const {
  const runtime::DeviceScope scope(device());
  runtime::synchronize(handle());
}
bool Stream::is_done() const {
  const runtime::DeviceScope scope(device());
  return runtime::stream_is_done(handle());
}
void Stream::wait(const Event& event) const {
  const runtime::DeviceScope scope(device());
  runtime::stream_waits(handle(), event.handle());
}
void Stream::wait(const Stream& other) const {
  if (!(*this == other)) wait(Event(other));
}

Event::Event(const Stream& stream) {
  const runtime::DeviceScope scope(stream.device());
  handle_ = runtime::create_event();
  try {
    runtime::record(handle_, stream.handle());
  } catch (...) {
    runtime::destroy_event(handle_);
    throw;
  }
}
Event::~Event() {
  if (handle_ != nullptr) runtime::destroy_event(handle_);
}
void Event::synchronize() const { runtime::synchronize_event(handle_); }
bool Event::is_done() const { return runtime::event_is_done(handle_); }
double Event::seconds_since(const Event& start) const {
  return runtime::seconds_between(start.handle_, handle_);
}

const Stream& default_stream() {
  // never destroyed: at the end of the process CUDA may be gone before it
  static const Stream& stream = *new Stream(0);
  return stream;
}

}  // namespace mct::cuda
