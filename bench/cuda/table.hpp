// Times work on a GPU and prints a table in Markdown.
#pragma once

#include <functional>
#include <string>

#include "mctensor/device/devices.hpp"
#include "mctensor/device/stream.hpp"

namespace mct::bench {

/// What a piece of work is measured by, and the least time that it can take.
struct Work {
  std::string name, size;
  double amount;     // operations or bytes
  const char* unit;  // of an amount of 1e12 in a second
  /// Cycles of every multiprocessor, from the machine code's instruction counts (docs/cuda.md);
  /// known for compute capability 9.0. 0: none.
  double cycles = 0;
  /// Bytes that go through memory, at the speed of the copy kernel. 0: none that matter.
  double bytes = 0;
};

class Table {
 public:
  /// copied: bytes a second of the copy kernel.
  Table(const cuda::Device& device, double copied);

  /// A row for work that `start` gives to the stream.
  void measure(const cuda::Stream& stream, const Work& work, const std::function<void()>& start);

 private:
  cuda::Device device_;
  double copied_;
};

struct Timing {
  double seconds;    // the best of some
  double megahertz;  // while it ran
};

/// Runs work again and again for about a quarter of a second.
Timing time_of(const cuda::Stream& stream, const std::function<void()>& start);

}  // namespace mct::bench
