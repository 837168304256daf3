// How many blocks run a program.
#pragma once

namespace mct::cuda {

struct Grid {
  int x = 1, y = 1, z = 1;
};

}  // namespace mct::cuda
