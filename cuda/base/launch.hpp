// Starts block programs from code that sees no CUDA.
#pragma once

#include <cstdint>

#include "mctensor/error.hpp"

namespace mct::cuda {

/// How many blocks a program is run by.
struct Grid {
  int x = 1, y = 1, z = 1;

  /// The most that CUDA takes.
  static constexpr int max_x = 0x7fffffff, max_y = 0xffff;
};

/// Blocks for `items`, `of_block` each. Throws ShapeError if no grid has as many.
inline Grid blocks_for(std::int64_t items, std::int64_t of_block) {
  const std::int64_t blocks = (items + of_block - 1) / of_block;
  if (blocks > Grid::max_x) throw ShapeError("a device tensor has too many elements for a launch");
  return {int(blocks)};
}

/// Starts a program on the current device, in the order of a cudaStream_t. Compiled in a .cu file
/// (run_block.hpp), by a test for the simulator, or, in a library without CUDA, nowhere.
template <class Program>
void launch(const Program& program, const Grid& grid, void* stream);

/// Whether the current device has code of a program that is compiled for some architectures alone.
/// Compiled as launch is.
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
