// A simulated device after the library's device functions: memory of the CPU that only block
// programs and copies may touch, programs run by the simulator, and a list of what was asked of it.
//
// A test that uses it instantiates launch() for the programs that it starts:
//   MCT_SIMULATE_PROGRAM(Gemm<double, 2>)
//
// With MCT_ON_DEVICE the library starts its programs on the device of this machine, and none of
// this is needed: bench/cuda_report.sh builds such tests.
#pragma once

#include <string>
#include <vector>

#include "tests/cuda/simulator/simulate.hpp"

#if MCT_ON_DEVICE

namespace mct::cuda {
inline Simulation& simulated_how() {
  static Simulation unused;
  return unused;
}
}  // namespace mct::cuda
#define MCT_SIMULATE_PROGRAM(...)

#else

namespace mct::cuda {

/// The device's memory.
GlobalMemory& simulated_memory();
/// How programs are simulated; to its seed that of a grid is added.
Simulation& simulated_how();
/// Allocations that have not been given back.
int simulated_allocations();
/// What was asked since the last call, in order: "launch on 1", "stream 2 waits for 1", ...
std::vector<std::string> take_simulated_log();
void log_simulated(const std::string& what);
/// The number of a stream, in the order in which they were made, from 1.
int simulated_stream_number(void* stream);

/// Whether the device has the programs of compute capability 9.0 alone.
inline bool& simulated_warpgroups() {
  static bool there = false;
  return there;
}
template <class Program>
bool runs_here() {
  return simulated_warpgroups();
}

/// Keeps a launch for later, if the stream is recorded now.
bool record_simulated(void* stream, OwnedFunction<void()> launch);

template <class Program>
void launch(const Program& program, const Grid& grid, void* stream) {
  const auto run = [program, grid, stream] {
    log_simulated("launch on " + std::to_string(simulated_stream_number(stream)));
    Simulation how = simulated_how();
    how.seed += unsigned(grid.x);
    simulate(program, grid, simulated_memory(), how);
  };
  if (!record_simulated(stream, run)) run();
}

#define MCT_SIMULATE_PROGRAM(...) \
  template void mct::cuda::launch(const __VA_ARGS__&, const mct::cuda::Grid&, void*);

}  // namespace mct::cuda

#endif
