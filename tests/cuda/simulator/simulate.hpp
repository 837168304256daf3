// Runs a block program on a grid, block after block, the threads of each in an order from a seed.
#pragma once

#include <memory>
#include <random>
#include <utility>

#include "cuda/base/launch.hpp"
#include "tests/cuda/simulator/simulated_team.hpp"

namespace mct::cuda {

struct Simulation {
  unsigned seed = 0;
  TensorCore tensor_core = TensorCore::rounded;
  Faults faults = {};
};

/// What runs in a program's place wherever a test simulates it: specialized by tests of what a
/// compiler made of programs (tests/cuda/ptx/compiled.hpp).
template <class Program>
struct InPlaceOf {
  static constexpr bool any = false;
};

/// The program as it is. Throws SimulationError for what the simulator finds.
template <class Program>
void simulate_itself(const Program& program, const Grid& grid, GlobalMemory& memory,
                     Simulation how = {}) {
  using Shared = SharedOf<Program, SimulatedTeam>;
  std::mt19937 order(how.seed);
  memory.begin_launch();
  const int blocks = grid.x * grid.y * grid.z;
  for (int number = 0; number < blocks; ++number) {
    const auto shared = std::make_unique<Shared>();  // products of the block may be reading it
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
    SimulatedTeam::block = &block;
    SimulatedTeam::memory = &memory;
    block.run(
        [&] {
          SimulatedTeam team;
          program(team, *shared);
          if (block.self().products.any())
            throw SimulationError("a product that nobody waits for: thread " +
                                  std::to_string(block.current));
        },
        order);
  }
}

/// Throws SimulationError for what the simulator finds.
template <class Program>
void simulate(const Program& program, const Grid& grid, GlobalMemory& memory, Simulation how = {}) {
  if constexpr (InPlaceOf<Program>::any) {
    if (InPlaceOf<Program>::exists())
      return simulate_itself(InPlaceOf<Program>::of(program), grid, memory, std::move(how));
  }
  simulate_itself(program, grid, memory, std::move(how));
}

}  // namespace mct::cuda
