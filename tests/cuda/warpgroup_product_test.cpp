// Products of a warpgroup in the simulator: where factors and sums lie, and what it must find.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "mctensor/eft/half.hpp"
#include "tests/cuda/simulator/simulate.hpp"
#include "tests/message_of.hpp"

namespace {

using namespace mct::cuda;
using mct::bfloat16;

int left(int row, int k) { return (row * 7 + k * 3) % 11 - 5; }
int right(int k, int column) { return (k * 5 + column * 2) % 13 - 6; }
int product(int row, int column) {
  int sum = 0;
  for (int k = 0; k < 16; ++k) sum += left(row, k) * right(k, column);
  return sum;
}

/// The place of 16-bit element e of line `line`, lines of 64: NVIDIA's picture of the swizzle of
/// 128 bytes, written out here, not taken from the simulator.
int place(int line, int e) {
  constexpr int units[8][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6},
                               {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4},
                               {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2},
                               {6, 7, 4, 5, 2, 3, 0, 1}, {7, 6, 5, 4, 3, 2, 1, 0}};
  return line * 64 + units[line % 8][e / 8] * 8 + e % 8;
}

/// A program of two warpgroups, with factors in shared memory:
/// x  left(row, k) in lines of a row, from element 16 on
/// y  right(k, column), 96 columns, in lines of a column, from element 32 on
/// z  right(k, column), 72 columns, in lines of a coordinate: 64 columns, the others in 16 lines
///    that are 2048 elements further
template <class Body>
struct Warpgroups {
  static constexpr int threads = 256, blocks_per_sm = 1;
  float* out;  // (threads, 48)
  Body body;

  template <class Team>
  struct Shared {
    typename Team::template Array<bfloat16, 64 * 64, 1024> x;
    typename Team::template Array<bfloat16, 96 * 64, 1024> y;
    typename Team::template Array<bfloat16, 2048 + 16 * 64, 1024> z;
  };
  template <class Team>
  void operator()(Team& team, Shared<Team>& shared) const {
    const int rank = team.rank();
    const auto put = [](auto& array, int at, int x) {
      array.template write<1>(at, {{bfloat16(float(x))}});
    };
    for (int k = 0; k < 16; ++k) {
      if (rank < 64) put(shared.x, place(rank, 16 + k), left(rank, k));
      if (rank < 96) put(shared.y, place(rank, 32 + k), right(k, rank));
      if (rank < 72) put(shared.z, rank / 64 * 2048 + place(k, rank % 64), right(k, rank));
    }
    body(team, shared, *this);
  }
  template <int Count, class Team>
  void show(Team& team, const float (&sums)[Count][4]) const {
    for (int i = 0; i < 4 * Count; ++i)
      team.template store<1>(out + team.rank() * 48 + i, {{sums[i / 4][i % 4]}});
  }
};

template <class Body>
std::vector<float> run(const Body& body, const Simulation& how = {}) {
  std::vector<float> out(256 * 48);
  GlobalMemory memory;
  memory.add_output(out);
  simulate(Warpgroups<Body>{out.data(), body}, {}, memory, how);
  return out;
}
template <class Body>
std::string error_of(const Body& body, const Faults& faults = {}) {
  return mct::testing::message_of<SimulationError>([&] {
    run(body, {1, TensorCore::hopper, faults});
  });
}
void expect_error(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

/// Sums of every thread: element i is of this row and column.
template <class Want>
void expect_sums(const std::vector<float>& out, int columns, const Want& want) {
  for (int thread = 0; thread < 256; ++thread)
    for (int i = 0; i < columns / 2; ++i) {
      const int warp = thread / 32 % 4;
      const int row = 16 * warp + thread % 32 / 4 + (i % 4 >= 2 ? 8 : 0);
      const int column = i / 4 * 8 + thread % 4 * 2 + i % 2;
      ASSERT_EQ(out[std::size_t(thread * 48 + i)], float(want(row, column))) << thread << ' ' << i;
    }
}

/// Left fragments of a thread, by NVIDIA's table.
void fragments(int rank, std::uint32_t (&a)[4]) {
  const auto bits = [](int x) { return bfloat16(float(x)).bits(); };
  for (int i = 0; i < 4; ++i) {
    const int row = rank % 128 / 32 * 16 + rank % 32 / 4 + (i % 2 == 0 ? 0 : 8);
    const int k = rank % 4 * 2 + (i < 2 ? 0 : 8);
    a[i] = bits(left(row, k)) | std::uint32_t(bits(left(row, k + 1))) << 16;
  }
}

const auto of_memory = [](auto& team, auto& shared, const auto& program) {
  float sums[12][4];
  team.publish();
  team.barrier();
  const auto a = team.describe(shared.x, 0, 0, 1024).moved(32);
  const auto b = team.describe(shared.y, 0, 0, 1024).moved(64);
  team.fence_products();
  team.template start_product<12>(sums, a, b, false);
  team.template start_product<12>(sums, a, b, true);
  team.commit_products();
  team.template wait_for_products<0>();
  team.template take_sums<12>(sums);
  program.show(team, sums);
};

TEST(CudaWarpgroupProduct, OfFactorsInSharedMemory) {
  for (unsigned seed = 0; seed < 3; ++seed)
    expect_sums(run(of_memory, {seed}), 96,
                [](int row, int column) { return 2 * product(row, column); });
}

/// Starts to add the product of left fragments and columns in shared memory.
template <class Team, class Shared>
void start_of_registers(Team& team, Shared& shared, float (&sums)[9][4], std::uint32_t (&a)[4],
                        int leading = 4096, int stride = 1024) {
  fragments(team.rank(), a);
  team.publish();
  team.barrier();
  team.fence_products();
  team.template start_product<9>(sums, a, team.describe(shared.z, 0, leading, stride), true);
  team.commit_products();
}

const auto of_registers = [](auto& team, auto& shared, const auto& program) {
  float sums[9][4];
  for (auto& tile : sums)
    for (float& sum : tile) sum = 100;
  std::uint32_t a[4];
  start_of_registers(team, shared, sums, a);
  team.template wait_for_products<0>();
  team.template take_sums<9>(sums);
  program.show(team, sums);
};

TEST(CudaWarpgroupProduct, OfRegistersAndColumnsInSharedMemory) {
  expect_sums(run(of_registers), 72,
              [](int row, int column) { return 100 + product(row, column); });
}

TEST(CudaWarpgroupProduct, FindsMissingFencesAndWaits) {
  expect_error(error_of(of_memory, Faults::without_fences_of_products()),
               "without a fence of products before");
  expect_error(error_of(of_memory, Faults::without_publishing()), "has not published");
  expect_error(error_of(of_memory, Faults::without_barrier(0)), "race");
  expect_error(error_of(of_memory, Faults::impatient_for_products(1)), "nobody waits for");
  // sums that are not there yet are no numbers
  const auto early = run([](auto& team, auto& shared, const auto& program) {
    float sums[9][4] = {};
    std::uint32_t a[4];
    start_of_registers(team, shared, sums, a);
    program.show(team, sums);
    team.template wait_for_products<0>();
  });
  EXPECT_TRUE(std::isnan(early[0]));
}

/// Starts a product of registers, then what a test does, then waits.
template <class Then>
std::string error_of_registers(const Then& then, int leading = 4096, int stride = 1024) {
  return error_of([&](auto& team, auto& shared, const auto&) {
    float sums[9][4] = {};
    std::uint32_t a[4];
    start_of_registers(team, shared, sums, a, leading, stride);
    then(team, shared, sums, a);
    team.template wait_for_products<0>();
  });
}

TEST(CudaWarpgroupProduct, FindsUsesOfWhatIsUnderWay) {
  EXPECT_EQ(error_of_registers([](auto&&...) {}), "");
  expect_error(error_of_registers([](auto&, auto&, auto& sums, auto&) { sums[8][3] = 1; }),
               "a sum was written to");
  expect_error(error_of_registers([](auto&, auto&, auto&, auto& a) { a[2] += 1; }),
               "a left fragment was written to");
  const auto overwrites = [](auto& team, auto& shared, auto&&...) {
    team.barrier();
    if (team.rank() == 200) shared.z.template write<1>(place(3, 5), {{bfloat16(1)}});
  };
  expect_error(error_of_registers(overwrites), "written while a product reads it");
  // one thread of a warpgroup has waited, the others have not
  const auto too_early = [](auto& team, auto& shared, auto&&...) {
    team.template wait_for_products<0>();
    if (team.rank() == 3) shared.z.template write<1>(place(3, 5), {{bfloat16(1)}});
  };
  EXPECT_NE(error_of_registers(too_early), "");
  const auto another_shape = [](auto& team, auto& shared, auto& sums, auto& a) {
    team.template start_product<8>(sums, a, team.describe(shared.z, 0, 0, 1024), true);
  };
  expect_error(error_of_registers(another_shape), "of another shape");
}

TEST(CudaWarpgroupProduct, FindsWrongDescriptors) {
  // what lies there was never written, or there is nothing
  EXPECT_NE(error_of_registers([](auto&&...) {}, 2048), "");
  EXPECT_NE(error_of_registers([](auto&&...) {}, 4096, 2048), "");
  expect_error(error_of([](auto& team, auto& shared, const auto&) {
                 float sums[8][4];
                 std::uint32_t a[4] = {};
                 team.publish();
                 team.barrier();
                 team.fence_products();
                 const int other = team.rank() / 32 % 2 * 16;
                 team.template start_product<8>(
                     sums, a, team.describe(shared.z, 0, 0, 1024).moved(other), false);
               }),
               "a warpgroup with different products");
}

std::string message_of(std::uint64_t bits) {
  return mct::testing::message_of<std::invalid_argument>([&] { DecodedDescriptor{bits}; });
}
std::uint64_t descriptor(int start, int leading, int stride, int mode) {
  return std::uint64_t(start / 16) | std::uint64_t(leading / 16) << 16 |
         std::uint64_t(stride / 16) << 32 | std::uint64_t(mode) << 62;
}

/// The first and some other places of every mode, by the tables of the PTX ISA.
TEST(CudaWarpgroupProduct, DecodesDescriptors) {
  const DecodedDescriptor none(descriptor(4096, 256, 512, 0));
  EXPECT_EQ(none.of_coordinates(3, 5), 4096 + 3 * 16 + 10);
  EXPECT_EQ(none.of_coordinates(11, 13), 4096 + 512 + 3 * 16 + 256 + 10);
  EXPECT_EQ(none.of_lines(11, 13), 4096 + 512 + 3 * 2 + 256 + 5 * 16);
  const DecodedDescriptor of_128(descriptor(4096 + 32, 256, 1024, 1));
  EXPECT_EQ(of_128.of_coordinates(0, 0), 4096 + 32);
  EXPECT_EQ(of_128.of_coordinates(1, 0), 4096 + 128 + 48);
  EXPECT_EQ(of_128.of_coordinates(15, 9), 4096 + 1024 + 7 * 128 + (3 ^ 7) * 16 + 2);
  const DecodedDescriptor lines(descriptor(2048, 8192, 1024, 1));
  EXPECT_EQ(lines.of_lines(65, 0), 2048 + 8192 + 2);
  EXPECT_EQ(lines.of_lines(8, 9), 2048 + 1024 + 128);
  const DecodedDescriptor of_64(descriptor(0, 4096, 512, 2));
  EXPECT_EQ(of_64.of_coordinates(2, 0), 128 + 16);  // a line of 128 bytes has two rows
  EXPECT_EQ(of_64.of_coordinates(3, 8), 192 + 0);
  EXPECT_EQ(of_64.of_lines(32, 4), 4096 + 256 + 32);
  const DecodedDescriptor of_32(descriptor(0, 4096, 256, 3));
  EXPECT_EQ(of_32.of_coordinates(4, 0), 128 + 16);
  EXPECT_EQ(of_32.of_coordinates(3, 8), 96 + 16);
  EXPECT_EQ(of_32.of_lines(16, 8), 4096 + 256);
  EXPECT_NE(message_of(std::uint64_t(1) << 14), "");
  EXPECT_NE(message_of(std::uint64_t(1) << 49), "");
  EXPECT_NE(message_of(descriptor(128, 0, 1024, 1)), "");
  EXPECT_EQ(message_of(descriptor(1024 + 96, 0, 1024, 1)), "");
}

/// What encodes them.
TEST(CudaWarpgroupProduct, EncodesDescriptors) {
  const auto of = MatrixDescriptor::of(0x12340, 0x8000, 1024);
  EXPECT_EQ(of.bits(), descriptor(0x12340, 0x8000, 1024, 1));
  EXPECT_EQ(of.moved(96).bits(), descriptor(0x12340 + 96, 0x8000, 1024, 1));
  EXPECT_EQ(of.moved(2048, -2048).bits(), descriptor(0x12340 + 2048, 0x8000 - 2048, 1024, 1));
}

}  // namespace
