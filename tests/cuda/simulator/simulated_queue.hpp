// Where the host's side of a computation sends its programs: a stream of a device, or this.
//
// A queue has
//   run(program, grid)          starts a program after those before it
//   allocate<T>(count)          a buffer with data(), freed behind the programs that use it
//   upload(vector)              a buffer with its values
//   download(pointer, count)    waits for the programs before, and copies to a vector
#pragma once

#include <utility>

#include "tests/cuda/simulator/simulate.hpp"

namespace mct::cuda {

/// Form::Of<Program> is what runs in a program's place: its source, or what a compiler made of it.
template <class Form = FromSource>
class SimulatedQueue {
 public:
  explicit SimulatedQueue(Simulation how = {}) : how_(std::move(how)) {}

  /// What programs may touch; arrays of the caller are added to it.
  GlobalMemory& memory() { return memory_; }

  template <class T>
  class Buffer {
   public:
    Buffer(GlobalMemory& memory, std::vector<T> values, bool holds_values)
        : memory_(&memory), values_(std::move(values)) {
      if (holds_values) {
        memory_->add(values_);
      } else {
        memory_->add_output(values_);
      }
    }
    Buffer(Buffer&& other) noexcept
        : memory_(std::exchange(other.memory_, nullptr)), values_(std::move(other.values_)) {}
    Buffer& operator=(Buffer&&) = delete;
    ~Buffer() {
      if (memory_ != nullptr) memory_->remove(values_);
    }
    T* data() { return values_.data(); }

   private:
    GlobalMemory* memory_;
    std::vector<T> values_;
  };

  template <class Program>
  void run(const Program& program, const Grid& grid) {
    simulate(typename Form::template Of<Program>(program), grid, memory_, how_);
  }
  template <class T>
  Buffer<T> allocate(std::int64_t count) {
    return Buffer<T>(memory_, std::vector<T>(std::size_t(count)), false);
  }
  template <class T>
  Buffer<T> upload(const std::vector<T>& values) {
    return Buffer<T>(memory_, values, true);
  }
  template <class T>
  std::vector<T> download(const T* from, std::int64_t count) const {
    return {from, from + count};
  }

 private:
  Simulation how_;
  GlobalMemory memory_;
};

}  // namespace mct::cuda
