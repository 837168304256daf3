// Runs the kernels of instructions.cu from their PTX.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <random>
#include <vector>

#include "tests/cuda/ptx/from_ptx.hpp"
#include "tests/cuda/ptx/instructions.hpp"
#include "tests/cuda/simulator/simulate.hpp"

namespace mct::cuda {
namespace ptx {
extern const Module instructions;
}

/// Runs the kernel of `Operands` in the place of a program.
template <class Operands, int SharedInts>
class Runner {
 public:
  static constexpr int threads = Operands::threads;
  template <class Team>
  using Shared = ptx::SharedBytes<4 * SharedInts>;

  explicit Runner(const Operands& operands)
      : operands_(operands), entry_(ptx::find_entry(ptx::instructions, typeid(Operands))) {}
  void operator()(const SimulatedTeam& team, ptx::SharedMemory& shared) const {
    ptx::Thread thread(team, shared, &operands_, entry_, ptx::instructions);
    entry_.run(thread);
  }

 private:
  Operands operands_;
  const ptx::Entry& entry_;
};

template <class Operands, int SharedInts = 1, class In, class Out>
std::vector<Out> run(std::vector<In>& in, std::vector<Out> out, const Grid& grid = {}) {
  out.resize(std::size_t(Operands::results * Operands::threads * grid.x * grid.y * grid.z));
  GlobalMemory memory;
  memory.add(in).add_output(out);
  simulate(Runner<Operands, SharedInts>({in.data(), out.data()}), grid, memory);
  return out;
}

/// Three operands of every thread, and what they must give; the same bits but for NaN.
template <class Operands, class In, class Out, class Expect>
void expect_results(std::vector<In> in, Out, const Expect& expect) {
  ASSERT_EQ(in.size(), 96U);
  const auto out = run<Operands>(in, std::vector<Out>());
  for (std::size_t thread = 0; thread < 32; ++thread) {
    const In* const x = &in[3 * thread];
    const std::vector<Out> want = expect(x[0], x[1], x[2], int(thread));
    ASSERT_EQ(want.size(), std::size_t(Operands::results));
    for (std::size_t i = 0; i < want.size(); ++i) {
      const Out got = out[Operands::results * thread + i];
      if (want[i] != want[i]) {
        EXPECT_NE(got, got) << "result " << i << " of " << x[0] << ' ' << x[1] << ' ' << x[2];
        continue;
      }
      EXPECT_EQ(ptx::to_bits(got), ptx::to_bits(want[i]))
          << "result " << i << " of " << x[0] << ' ' << x[1] << ' ' << x[2] << ": " << got
          << " instead of " << want[i];
    }
  }
}

template <class T>
std::vector<T> triples(std::initializer_list<std::array<T, 3>> operands) {
  std::vector<T> r;
  for (const auto& x : operands) r.insert(r.end(), x.begin(), x.end());
  return r;
}

/// How many zeros are above the highest bit.
template <class T>
int zeros_above(T x) {
  int r = int(8 * sizeof x);
  for (; x != 0; x >>= 1) --r;
  return r;
}
/// prmt: the bytes of a and b that the nibbles of the selector name.
inline unsigned bytes_by(unsigned a, unsigned b, unsigned selector) {
  unsigned char both[8], chosen[4];
  std::memcpy(both, &a, 4);
  std::memcpy(both + 4, &b, 4);
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned nibble = selector >> (4 * i) & 15;
    chosen[i] = both[nibble & 7];
    if (nibble >= 8) chosen[i] = chosen[i] >= 128 ? 0xff : 0;
  }
  unsigned r;
  std::memcpy(&r, chosen, 4);
  return r;
}

}  // namespace mct::cuda
