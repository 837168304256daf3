// Where the host's side of a computation sends its programs.
//
// A queue has
//   run(program, grid)          starts a program after those before it
//   allocate<T>(count)          a buffer with data(), freed behind the programs that use it
//   upload(vector)              a buffer with its values
//   download(pointer, count)    waits for the programs before, and copies to a vector
// This one is a stream of a device; tests have one that runs a program from its source or from what
// a compiler made of it (tests/cuda/simulator/simulated_queue.hpp).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cuda/device/run.hpp"
#include "mctensor/device/memory.hpp"

namespace mct::cuda {

class StreamQueue {
 public:
  explicit StreamQueue(Stream stream) : stream_(std::move(stream)) {}

  template <class T>
  class Buffer {
   public:
    explicit Buffer(DeviceMemory memory) : memory_(std::move(memory)) {}
    T* data() const { return static_cast<T*>(memory_.data()); }

   private:
    DeviceMemory memory_;
  };

  template <class Program>
  void run(const Program& program, const Grid& grid) const {
    cuda::run(program, grid, stream_);
  }
  template <class T>
  Buffer<T> allocate(std::int64_t count) const {
    return Buffer<T>(DeviceMemory::allocate(std::size_t(count) * sizeof(T), stream_));
  }
  template <class T>
  Buffer<T> upload(const std::vector<T>& values) const {
    auto buffer = allocate<T>(std::int64_t(values.size()));
    copy(buffer.data(), values.data(), values.size() * sizeof(T), stream_);
    return buffer;
  }
  template <class T>
  std::vector<T> download(const T* from, std::int64_t count) const {
    std::vector<T> values(static_cast<std::size_t>(count));
    copy(values.data(), from, values.size() * sizeof(T), stream_);
    return values;
  }

 private:
  Stream stream_;
};

}  // namespace mct::cuda
