// What translated instructions do between threads and with memory.
#include "tests/cuda/ptx/run_instructions.hpp"

#include <algorithm>
#include <numeric>

namespace mct::cuda {
namespace {

TEST(CudaPtx, MatricesAndCopies) {
  std::vector<int> in(128);
  std::mt19937 random(5);
  for (int& x : in) x = int(random());
  auto copied = in;  // the last 16 bytes are zeros
  std::fill(copied.end() - 4, copied.end(), 0);
  const auto out = run<OfMatrices, 128>(in, std::vector<int>());
  const auto half = [&](int tile, int row, int column) {
    return unsigned(copied[std::size_t(32 * tile + 4 * row + column / 2)]) >> (16 * (column % 2)) &
           0xffff;
  };
  const auto byte = [&](int tile, int row, int column) {  // of tiles of 8 x 16
    return int(static_cast<signed char>(half(tile, row, column / 2) >> (8 * (column % 2))));
  };
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane / 4;
    const int pair = 2 * (lane % 4);
    std::vector<int> want;
    for (int t = 0; t < 4; ++t)
      want.push_back(int(half(t, group, pair) | half(t, group, pair + 1) << 16));
    for (int t = 0; t < 4; ++t)
      want.push_back(int(half(t, pair, group) | half(t, pair + 1, group) << 16));
    want.push_back(want[0]);
    // a: tiles 0, 2 above 1, 3; b: columns are the rows of tile 0 and of tile 3
    for (int i = 0; i < 4; ++i) {
      int sum = i + 1;
      for (int k = 0; k < 32; ++k)
        sum += byte(i / 2 + k / 16 * 2, group, k % 16) * byte(k / 16 * 3, pair + i % 2, k % 16);
      want.push_back(sum);
    }
    for (std::size_t i = 0; i < want.size(); ++i)
      EXPECT_EQ(out[std::size_t(OfMatrices::results * lane) + i], want[i]) << lane << ' ' << i;
  }
}

TEST(CudaPtx, ExchangesLocalMemoryAndSpecialRegisters) {
  std::vector<int> in(64);
  std::iota(in.begin(), in.end(), -20);
  const Grid grid{2, 3, 4};
  const auto out = run<OfWarps, 64>(in, std::vector<int>(), grid);
  for (int thread = 0; thread < 64 * 24; ++thread) {
    const int rank = thread % 64;
    const int block = thread / 64;
    const int lane = rank % 32;
    const int first = rank - lane;
    const auto of = [&](int i) { return in[std::size_t(first + i)]; };
    const int x = of(lane);
    int votes = 0, sum = 0, largest = of(0), odd = 0;
    for (int i = 0; i < 32; ++i) {
      votes |= int(unsigned(of(i) > 0) << i);
      sum += of(i);
      largest = std::max(largest, of(i));
      odd ^= of(i);
    }
    const int want[] = {of(3),
                        of(lane / 8 * 8 + (rank + 1) % 8),
                        of(lane < 2 ? lane : lane - 2),
                        of(lane > 26 ? lane : lane + 5),
                        of(lane ^ 9),
                        of(lane % 16 > 12 ? lane : lane + 3),
                        of(lane % 4 < 1 ? lane : lane - 1),
                        votes,
                        0,
                        1,
                        sum,
                        largest,
                        odd,
                        x + int(unsigned(x) & 7),
                        in[std::size_t(63 - rank)],
                        2341,
                        block % 2 * 100 + block / 2 % 3 * 10 + block / 6};
    for (std::size_t i = 0; i < std::size(want); ++i)
      EXPECT_EQ(out[std::size_t(OfWarps::results * thread) + i], want[i])
          << thread << " result " << i;
  }
}

}  // namespace
}  // namespace mct::cuda
