// A sequence of launches that is given to a stream as one (CUDA's graphs): without the microseconds
// that each of them would take the CPU.
#pragma once

#include <memory>

#include "cuda/device/stream_queue.hpp"

namespace mct::cuda {

class LaunchGraph {
 public:
  /// Records what `give` runs on the queue's stream: programs alone, whose operands stay where they
  /// are as long as this. Nothing runs yet.
  template <class F>
  LaunchGraph(const StreamQueue& queue, const F& give) : queue_(queue) {
    const runtime::DeviceScope scope(stream().device());
    runtime::begin_recording(stream().handle());
    try {
      give();
    } catch (...) {
      try {
        runtime::destroy_recorded(runtime::end_recording(stream().handle()));
      } catch (const Error&) {  // what went wrong first counts
      }
      throw;
    }
    launches_ = {runtime::end_recording(stream().handle()), &runtime::destroy_recorded};
  }

  /// Runs them all, behind what the stream has.
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
