// What the simulator must find, and what it must let pass: small programs with one fault each.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <vector>

#include "tests/cuda/simulator/simulate.hpp"
#include "tests/message_of.hpp"

namespace {

using namespace mct::cuda;

/// Memory of every program below.
struct Operands {
  const int* in;
  int* out;
};

/// A program of 64 threads and 64 shared integers.
template <class Body>
struct Small {
  static constexpr int threads = 64, blocks_per_sm = 1;
  Operands operands;
  Body body;

  template <class Team>
  struct Shared {
    typename Team::template Array<int, 64> x;
  };
  template <class Team>
  void operator()(Team& team, Shared<Team>& shared) const {
    body(team, shared.x, operands);
  }
};

template <class Body>
std::vector<int> run(const Body& body, Grid grid = {}, Simulation how = {}) {
  std::vector<int> in(std::size_t(64 * grid.x));
  std::iota(in.begin(), in.end(), 100);
  std::vector<int> out(in.size());
  const auto& constant = in;
  GlobalMemory memory;
  memory.add(constant).add_output(out);
  simulate(Small<Body>{{in.data(), out.data()}, body}, grid, memory, how);
  return out;
}

template <class Body>
std::string error_of(const Body& body, Grid grid = {}, Simulation how = {}) {
  return mct::testing::message_of<SimulationError>([&] { run(body, grid, how); });
}

const auto reverse = [](auto& team, auto& x, const Operands& o) {
  const int i = team.rank();
  x.template write<1>(i, team.template load<1>(o.in + i));
  team.barrier();
  team.store(o.out + i, x.template read<1>(63 - i));
};

TEST(CudaSimulator, ReversesABlock) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const auto out = run(reverse, {}, {seed});
    for (int i = 0; i < 64; ++i) EXPECT_EQ(out[std::size_t(i)], 163 - i);
  }
}

TEST(CudaSimulator, FindsARaceWithoutTheBarrier) {
  const Simulation without{1, TensorCore::rounded, Faults::without_barrier(0)};
  const std::string message = error_of(reverse, {}, without);
  EXPECT_TRUE(message.find("race") != std::string::npos ||
              message.find("never written") != std::string::npos)
      << message;
}

TEST(CudaSimulator, FindsWritesOfTwoThreads) {
  EXPECT_NE(error_of([](auto& team, auto& x, const Operands&) {
              x.template write<1>(team.rank() / 2, {{1}});
            }).find("race: written"),
            std::string::npos);
}

TEST(CudaSimulator, FindsAWriteAfterAnothersRead) {
  EXPECT_NE(error_of([](auto& team, auto& x, const Operands&) {
              const int i = team.rank();
              x.template write<1>(i, {{i}});
              team.barrier();
              if (i > 0) x.template read<1>(i - 1);
              x.template write<1>(i, {{i}});
            }).find("race"),
            std::string::npos);
}

TEST(CudaSimulator, FindsReadsOfUnwrittenMemory) {
  EXPECT_NE(error_of([](auto& team, auto& x, const Operands&) {
              x.template read<1>(team.rank());
            }).find("never written: shared element"),
            std::string::npos);
  EXPECT_NE(error_of([](auto& team, auto&, const Operands& o) {
              team.template load<1>(o.out + team.rank());
            }).find("never written"),
            std::string::npos);
}

TEST(CudaSimulator, FindsBarriersThatDoNotMeet) {
  EXPECT_NE(error_of([](auto& team, auto&, const Operands&) {
              if (team.rank() < 32) team.barrier();
            }).find("barrier that not all threads reach"),
            std::string::npos);
  const auto two_barriers = [](auto& team, auto&, const Operands&) {
    if (team.rank() < 32)
      team.barrier();
    else
      team.barrier();
  };
  EXPECT_NE(error_of(two_barriers).find("divergent barrier"), std::string::npos);
}

TEST(CudaSimulator, FindsAnExchangeWithoutAllLanes) {
  EXPECT_NE(error_of([](auto& team, auto&, const Operands&) {
              if (team.rank() % 32 != 5) team.shuffle_xor(1, 1);
            }).find("exchange that not all threads reach"),
            std::string::npos);
}

TEST(CudaSimulator, FindsAccessesOutOfBoundsAndMisaligned) {
  EXPECT_NE(error_of([](auto& team, auto& x, const Operands&) {
              x.template write<1>(team.rank() + 1, {{1}});
            }).find("out of bounds: shared element 64"),
            std::string::npos);
  EXPECT_NE(error_of([](auto& team, auto&, const Operands& o) {
              if (team.rank() == 0) team.template load<1>(o.in + 64);
            }).find("read out of bounds of global memory"),
            std::string::npos);
  EXPECT_NE(error_of([](auto& team, auto&, const Operands& o) {
              team.template load<4>(o.in + team.rank());
            }).find("misaligned read of 16 bytes"),
            std::string::npos);
  EXPECT_NE(error_of([](auto& team, auto& x, const Operands&) {
              x.template write<2>(team.rank(), {{1, 2}});
            }).find("misaligned: shared element"),
            std::string::npos);
  EXPECT_NE(error_of([](auto& team, auto&, const Operands& o) {
              team.template store<1>(const_cast<int*>(o.in) + team.rank(), {{1}});
            }).find("write to constant memory"),
            std::string::npos);
}

TEST(CudaSimulator, FindsRacesBetweenBlocks) {
  EXPECT_NE(error_of(
                [](auto& team, auto&, const Operands& o) {
                  team.template store<1>(o.out + team.rank(), {{team.block_x()}});
                },
                {2})
                .find("race: written by thread"),
            std::string::npos);
  EXPECT_NE(error_of(
                [](auto& team, auto&, const Operands& o) {
                  const int i = team.rank() + 64 * team.block_x();
                  team.template store<1>(o.out + i, {{i}});
                  team.template load<1>(o.out + team.rank());
                },
                {2})
                .find("race: read by thread"),
            std::string::npos);
}

const auto copies = [](auto& team, auto& x, const Operands& o) {
  const int i = team.rank();
  if (i < 16) team.copy_async(x, 4 * i, o.in + 4 * i, i != 3);
  team.commit();
  team.template wait<0>();
  team.barrier();
  team.store(o.out + i, x.template read<1>(63 - i));
};

TEST(CudaSimulator, CopiesAsynchronously) {
  const auto out = run(copies);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[std::size_t(i)], (63 - i) / 4 == 3 ? 0 : 163 - i) << i;
}

TEST(CudaSimulator, FindsACopyThatNobodyAwaits) {
  EXPECT_NE(error_of(copies, {}, {1, TensorCore::rounded, Faults::impatient(1)})
                .find("still being copied"),
            std::string::npos);
}

TEST(CudaSimulator, ExchangesWithinAWarp) {
  const auto out = run([](auto& team, auto&, const Operands& o) {
    team.template store<1>(o.out + team.rank(), {{team.shuffle_xor(team.rank(), 5)}});
  });
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[std::size_t(i)], i ^ 5);
  const auto sent = run([](auto& team, auto&, const Operands& o) {
    team.template store<1>(o.out + team.rank(), {{team.shuffle(team.rank(), team.rank() % 4 * 8)}});
  });
  for (int i = 0; i < 64; ++i) EXPECT_EQ(sent[std::size_t(i)], i / 32 * 32 + i % 4 * 8);
}

TEST(CudaSimulator, AsksAWarpWhetherAnyLane) {
  const auto out = run([](auto& team, auto&, const Operands& o) {
    const bool first = team.any(team.rank() == 37);  // in the second warp
    team.template store<1>(o.out + team.rank(), {{first ? 1 : 0}});
  });
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[std::size_t(i)], i / 32);
}

/// A 16 x 16 matrix of small integers times one of 16 x 8, in fragments as NVIDIA's table has them:
/// written out here, not taken from the simulator.
struct Fragments {
  [[maybe_unused]] static constexpr int threads = 32, blocks_per_sm = 1;
  std::uint32_t* out;

  template <class Team>
  struct Shared {
    typename Team::template Array<std::uint16_t, 8 * 32> tiles;
  };
  static std::uint32_t bfloat(int x) { return std::bit_cast<std::uint32_t>(float(x)) >> 16; }
  static int left(int row, int k) { return (row * 7 + k * 3) % 11 - 5; }
  static int right(int k, int column) { return (k * 5 + column * 2) % 13 - 6; }

  template <class Team>
  void operator()(Team& team, Shared<Team>& shared) const {
    const int lane = team.rank();
    const int group = lane >> 2;
    const int in_group = lane & 3;
    const auto pair_of_a = [&](int row, int k) {
      return bfloat(left(row, k)) | bfloat(left(row, k + 1)) << 16;
    };
    const auto pair_of_b = [&](int k) {
      return bfloat(right(k, group)) | bfloat(right(k + 1, group)) << 16;
    };
    const std::uint32_t a[4] = {pair_of_a(group, in_group * 2), pair_of_a(group + 8, in_group * 2),
                                pair_of_a(group, in_group * 2 + 8),
                                pair_of_a(group + 8, in_group * 2 + 8)};
    const std::uint32_t b[2] = {pair_of_b(in_group * 2), pair_of_b(in_group * 2 + 8)};
    float d[4] = {1, 1, 1, 1};
    team.multiply_bfloat16(d, a, b);
    for (int i = 0; i < 4; ++i)
      team.template store<1>(out + lane * 4 + i, {{std::uint32_t(std::int32_t(d[i]))}});
    // element c of row r of tile t is 100 t + 10 r + c
    for (int i = 0; i < 8; ++i)
      shared.tiles.template write<1>(lane * 8 + i,
                                     {{std::uint16_t(lane / 8 * 100 + lane % 8 * 10 + i)}});
    team.barrier();
    std::uint32_t tiles[4], columns[4];
    team.load_matrix(shared.tiles, lane * 8, tiles);
    team.template load_matrix<true>(shared.tiles, lane * 8, columns);
    for (int t = 0; t < 4; ++t) {
      team.template store<1>(out + 128 + lane * 4 + t, {{tiles[t]}});
      team.template store<1>(out + 256 + lane * 4 + t, {{columns[t]}});
    }
  }
};

TEST(CudaSimulator, FragmentsOfMatrixInstructions) {
  std::vector<std::uint32_t> out(3 * 128);
  GlobalMemory memory;
  memory.add_output(out);
  simulate(Fragments{out.data()}, {}, memory);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i) {
      // c0, c1: row lane / 4, columns 2 (lane % 4) and the next; c2, c3: eight rows further
      const int row = lane / 4 + (i >= 2 ? 8 : 0);
      const int column = lane % 4 * 2 + (i & 1);
      int sum = 1;
      for (int k = 0; k < 16; ++k) sum += Fragments::left(row, k) * Fragments::right(k, column);
      EXPECT_EQ(std::int32_t(out[std::size_t(lane * 4 + i)]), sum) << lane << ' ' << i;
      const auto low = std::uint32_t(i * 100 + lane / 4 * 10 + lane % 4 * 2);
      EXPECT_EQ(out[std::size_t(128 + lane * 4 + i)], low | (low + 1) << 16);
      const auto top = std::uint32_t(i * 100 + lane % 4 * 20 + lane / 4);
      EXPECT_EQ(out[std::size_t(256 + lane * 4 + i)], top | (top + 10) << 16);
    }
}

}  // namespace
