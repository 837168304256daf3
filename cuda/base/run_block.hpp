// The only kernel: it runs any block program.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda/base/device_team.hpp"

namespace mct::cuda {

template <class Program>
using SharedOf = typename Program::template Shared<DeviceTeam>;

template <class Program>
__global__ void __launch_bounds__(Program::threads, Program::blocks_per_sm)
    run_block(const __grid_constant__ Program program) {
  extern __shared__ __align__(128) unsigned char bytes[];
  DeviceTeam team;
  program(team, *reinterpret_cast<SharedOf<Program>*>(bytes));
}

/// Starts a program on a grid of blocks.
template <class Program>
cudaError_t launch(const Program& program, dim3 grid, cudaStream_t stream) {
  constexpr std::size_t bytes = sizeof(SharedOf<Program>);
  constexpr std::size_t without_asking = 48 * 1024;
  if constexpr (bytes > without_asking) {
    const cudaError_t error = cudaFuncSetAttribute(
        run_block<Program>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
    if (error != cudaSuccess) return error;
  }
  run_block<<<grid, Program::threads, bytes, stream>>>(program);
  return cudaGetLastError();
}

}  // namespace mct::cuda
