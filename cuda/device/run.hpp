// Runs block programs on tensors of a device.
#pragma once

#include <vector>

#include "cuda/base/launch.hpp"
#include "cuda/device/runtime.hpp"
#include "mctensor/device/stream.hpp"

namespace mct::cuda {

/// Starts a program on the device of a stream, in the stream's order.
template <class Program>
void run(const Program& program, const Grid& grid, const Stream& stream) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
  const runtime::DeviceScope scope(stream.device());
  launch(program, grid, stream.handle());
}

/// For operands that may be on other streams. While the object lives, new work of the stream runs
/// after the earlier work of the operands' streams. Later work of those streams then runs after it.
class Ordered {
 public:
  template <class... Tensors>
  explicit Ordered(const Stream& stream, const Tensors&... operands) : stream_(stream) {
    (add(operands.stream()), ...);
  }
  ~Ordered() {
    try {
      for (const Stream& other : others_) other.wait(stream_);
    } catch (const Error&) {  // a device that accepts no more work reports it to waiting code
    }
  }
  Ordered(const Ordered&) = delete;
  Ordered& operator=(const Ordered&) = delete;

  void add(const Stream& other) {
    if (other == stream_) return;
    stream_.wait(other);
    others_.push_back(other);
  }

 private:
  Stream stream_;
  std::vector<Stream> others_;
};

}  // namespace mct::cuda
