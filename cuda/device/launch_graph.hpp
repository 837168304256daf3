// A sequence of launches that a stream gets as one (CUDA's graphs), which saves the CPU the
// microseconds of each launch.
#pragma once

#include <memory>

#include "cuda/device/stream_queue.hpp"

namespace mct::cuda {

class LaunchGraph {
 public:
  /// Records what `give` runs on the queue's stream: only programs, whose operands keep their
  /// places as long as this object lives. Nothing runs yet.
  template <class F>
  LaunchGraph(const StreamQueue& queue, const F& give) : queue_(queue) {
    const runtime::DeviceScope scope(stream().device());
    runtime::begin_recording(stream().handle());
    try {
      give();
    } catch (...) {
      try {
        runtime::destroy_recorded(runtime::end_recording(stream().handle()));
      } catch (const Error&) {  // the first error counts
      }
      throw;
    }
    launches_ = {runtime::end_recording(stream().handle()), &runtime::destroy_recorded};
  }

  /// Runs all of them, after the earlier work of the stream.
  void run() const {
    const runtime::DeviceScope scope(stream().device());
    runtime::run_recorded(launches_.get(), stream().handle());
  }

 private:
  const Stream& stream() const { return queue_.stream_; }

  StreamQueue queue_;
  std::shared_ptr<void> launches_;
};

}  // namespace mct::cuda
