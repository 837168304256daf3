// Random tensors of a GPU, on a simulated one: bit for bit the library's. Compiled as the library's
// create.cpp, for the baseline of the processor.
#include <gtest/gtest.h>

#include "cuda/tensor/programs.hpp"
#include "mctensor/device/create.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/cuda/tensor_bits.hpp"

namespace mct::cuda {

#define MCT_RANDOM(T, N) MCT_RANDOM_PROGRAMS(MCT_SIMULATE_PROGRAM, T, N)
MCT_FOR_EACH_DEVICE_TYPE(MCT_RANDOM)
#undef MCT_RANDOM

}  // namespace mct::cuda

namespace {

using mct::Shape;
using mct::testing::expect_bits;

template <class T, int N>
void expect_the_same() {
  for (const std::int64_t count : {0, 1, 2, 7, 8, 1027})
    for (const std::uint64_t seed : {std::uint64_t(1), std::uint64_t(0xfedcba9876543210u)}) {
      expect_bits(to_host(mct::cuda::rand<T, N>({count}, seed)), mct::rand<T, N>({count}, seed),
                  "uniform");
      expect_bits(to_host(mct::cuda::randn<T, N>({count}, seed)), mct::randn<T, N>({count}, seed),
                  "normal");
    }
}

TEST(Random, DoublesAreTheLibrarys) {
  expect_the_same<double, 1>();
  expect_the_same<double, 2>();
  expect_the_same<double, 3>();
}
TEST(Random, FloatsAreTheLibrarys) {
  expect_the_same<float, 1>();
  expect_the_same<float, 2>();
}
TEST(Random, ShortFloatsAreTheLibrarys) { expect_the_same<mct::bfloat16, 2>(); }

TEST(Random, ShapesAndStreams) {
  const mct::cuda::Stream stream;
  const auto x = mct::cuda::rand<float>({2, 3}, 4, stream);
  EXPECT_TRUE(x.stream() == stream);
  EXPECT_EQ(to_host(x).values(), mct::rand<float>({2, 3}, 4).values());
}

}  // namespace
