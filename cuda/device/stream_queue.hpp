// A stream of a device for computations of the host, which start programs, hold buffers and copy
// vectors.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cuda/device/run.hpp"
#include "mctensor/device/memory.hpp"

namespace mct::cuda {

class StreamQueue {
 public:
  /// `count` numbers of T in the device's memory. It is freed after the programs that use it.
  template <class T>
  class Buffer {
   public:
    explicit Buffer(DeviceMemory memory) : memory_(std::move(memory)) {}
    T* data() const { return static_cast<T*>(memory_.data()); }

   private:
    DeviceMemory memory_;
  };

  explicit StreamQueue(Stream stream) : stream_(std::move(stream)) {}

  /// Starts a program after the earlier ones.
  template <class Program>
  void run(const Program& program, const Grid& grid) const {
    cuda::run(program, grid, stream_);
  }
  template <class T>
  Buffer<T> allocate(std::int64_t count) const {
    return Buffer<T>(DeviceMemory::allocate(std::size_t(count) * sizeof(T), stream_));
  }
  /// A buffer with these values. Waits for the earlier programs.
  template <class T>
  Buffer<T> upload(const std::vector<T>& values) const {
    auto buffer = allocate<T>(std::int64_t(values.size()));
    copy(buffer.data(), values.data(), values.size() * sizeof(T), stream_);
    return buffer;
  }
  /// Copies values to a buffer. Waits for the earlier programs.
  template <class T>
  void write(T* to, const std::vector<T>& values) const {
    copy(to, values.data(), values.size() * sizeof(T), stream_);
  }
  /// Waits for the earlier programs.
  template <class T>
  std::vector<T> download(const T* from, std::int64_t count) const {
    std::vector<T> values(static_cast<std::size_t>(count));
    copy(values.data(), from, values.size() * sizeof(T), stream_);
    return values;
  }

 private:
  friend class LaunchGraph;
  Stream stream_;
};

}  // namespace mct::cuda
