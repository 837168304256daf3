// How many blocks a multiprocessor holds, as CUDA's own header computes it: for each line
// "major minor shared_of_sm threads registers shared" of the standard input one number.
// tests/cuda/machine_code.py compares its arithmetic with that.
#include <cuda_occupancy.h>

#include <iostream>

int main() {
  cudaOccDeviceProp chip;
  chip.maxThreadsPerBlock = 1024;
  chip.maxThreadsPerMultiprocessor = 2048;
  chip.regsPerBlock = chip.regsPerMultiprocessor = 65536;
  chip.warpSize = 32;
  chip.sharedMemPerBlock = 48 << 10;
  chip.reservedSharedMemPerBlock = 1024;
  chip.numSms = 132;
  cudaOccFuncAttributes kernel;
  int threads = 0;
  std::size_t of_sm = 0;
  std::size_t shared = 0;
  while (std::cin >> chip.computeMajor >> chip.computeMinor >> of_sm >> threads >> kernel.numRegs >>
         shared) {
    chip.sharedMemPerMultiprocessor = of_sm;
    chip.sharedMemPerBlockOptin = of_sm - 1024;
    kernel.maxThreadsPerBlock = threads;
    kernel.maxDynamicSharedSizeBytes = of_sm - 1024;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    cudaOccDeviceState state;
    cudaOccResult result;
    const auto error =
        cudaOccMaxActiveBlocksPerMultiprocessor(&result, &chip, &kernel, &state, threads, shared);
    std::cout << (error == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : -1) << '\n';
  }
}
