// Starts block programs from code that is compiled without CUDA.
#pragma once

#include <cstdint>

#include "mctensor/error.hpp"

namespace mct::cuda {

/// The number of blocks of a launch.
struct Grid {
  int x = 1, y = 1, z = 1;

  /// CUDA's limits.
  static constexpr int max_x = 0x7fffffff, max_y = 0xffff;
};

/// The grid for `items`, `of_block` in each block. Throws ShapeError if no grid has enough blocks.
inline Grid blocks_for(std::int64_t items, std::int64_t of_block) {
  const std::int64_t blocks = (items + of_block - 1) / of_block;
  if (blocks > Grid::max_x) throw ShapeError("a device tensor has too many elements for a launch");
  return {int(blocks)};
}

/// Starts a program on the current device, in the order of a cudaStream_t. It is compiled in a .cu
/// file (run_block.hpp) or by a test for the simulator. A library without CUDA only has the version
/// below.
template <class Program>
void launch(const Program& program, const Grid& grid, void* stream);

/// Whether the current device has code of this program, which may be compiled for some
/// architectures only. Compiled as launch is.
template <class Program>
bool runs_here();

[[noreturn]] inline void refuse_launch() {
  throw DeviceError("the library was built without CUDA");
}

#if !MCT_HAVE_CUDA && !defined(__CUDACC__)
template <class Program>
void launch(const Program&, const Grid&, void*) {
  refuse_launch();
}
#endif

}  // namespace mct::cuda
