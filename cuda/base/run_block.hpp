// The only kernel: it runs any block program.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda/base/check.hpp"
#include "cuda/base/device_team.hpp"
#include "cuda/base/launch.hpp"

namespace mct::cuda {

template <class Program>
__global__ void __launch_bounds__(Program::threads, Program::blocks_per_sm)
    run_block(const __grid_constant__ Program program) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  DeviceTeam team;
  program(team, *reinterpret_cast<SharedOf<Program, DeviceTeam>*>(bytes));
}

template <class Program>
void launch(const Program& program, const Grid& grid, void* stream) {
  constexpr std::size_t bytes = sizeof(SharedOf<Program, DeviceTeam>);
  constexpr std::size_t without_asking = 48 * 1024;
  if constexpr (bytes > without_asking)
    check(cudaFuncSetAttribute(run_block<Program>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               int(bytes)),
          "cudaFuncSetAttribute");
  const dim3 blocks(unsigned(grid.x), unsigned(grid.y), unsigned(grid.z));
  run_block<<<blocks, Program::threads, bytes, static_cast<cudaStream_t>(stream)>>>(program);
  check(cudaGetLastError(), "launch of a kernel");
}

template <class Program>
bool runs_here() {
  cudaFuncAttributes unused;
  const bool there = cudaFuncGetAttributes(&unused, run_block<Program>) == cudaSuccess;
  cudaGetLastError();  // so that a later call does not report that there is no code
  return there;
}

/// Compiles programs for launches in other files: an address is needed, so that the compiler keeps
/// them.
template <class... Programs>
struct CompiledPrograms {
  static void (*const launches[])();
};
template <class... Programs>
void (*const CompiledPrograms<Programs...>::launches[])() = {
    reinterpret_cast<void (*)()>(&launch<Programs>)...};

/// Compiles a program for launches in other files.
#define MCT_COMPILE_PROGRAM(...) \
  template void mct::cuda::launch(const __VA_ARGS__&, const mct::cuda::Grid&, void*);

}  // namespace mct::cuda
