// Runs a block program on a grid, block after block, the threads of each in an order from a seed.
#pragma once

#include <memory>
#include <random>

#include "cuda/base/grid.hpp"
#include "tests/cuda/simulator/simulated_team.hpp"

namespace mct::cuda {

/// The programs as they are written.
struct FromSource {
  template <class Program>
  using Of = Program;
};

struct Simulation {
  unsigned seed = 0;
  TensorCore tensor_core = TensorCore::rounded;
  Faults faults = {};
};

/// Throws SimulationError for what the simulator finds.
template <class Program>
void simulate(const Program& program, const Grid& grid, GlobalMemory& memory, Simulation how = {}) {
  using Shared = typename Program::template Shared<SimulatedTeam>;
  std::mt19937 order(how.seed);
  memory.begin_launch();
  const int blocks = grid.x * grid.y * grid.z;
  for (int number = 0; number < blocks; ++number) {
    Block block(Program::threads);
    block.number = number;
    block.x = number % grid.x;
    block.y = number / grid.x % grid.y;
    block.z = number / (grid.x * grid.y);
    block.blocks_x = grid.x;
    block.blocks_y = grid.y;
    block.blocks_z = grid.z;
    block.tensor_core = how.tensor_core;
    block.faults = &how.faults;
    const auto shared = std::make_unique<Shared>();
    SimulatedTeam::block = &block;
    SimulatedTeam::memory = &memory;
    block.run(
        [&] {
          SimulatedTeam team;
          program(team, *shared);
        },
        order);
  }
}

}  // namespace mct::cuda
