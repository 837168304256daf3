// Reductions of a GPU, on a simulated one: bit for bit the library's. Compiled as the library's
// reduce.cpp, for the baseline of the processor.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "cuda/tensor/programs.hpp"
#include "mctensor/device/reduce.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/reduce.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/cuda/tensor_bits.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

#define MCT_REDUCTIONS(T, N) MCT_REDUCTION_PROGRAMS(MCT_SIMULATE_PROGRAM, T, N)
MCT_FOR_EACH_DEVICE_TYPE(MCT_REDUCTIONS)
#undef MCT_REDUCTIONS

}  // namespace mct::cuda

namespace {

using namespace mct::cuda;
using mct::Shape;
using mct::Tensor;
using mct::testing::expect_bits;
using mct::testing::mixed_values;

template <class T, int N>
void expect_all(const Tensor<T, N>& x, const std::string& what) {
  const auto there = to_device(x);
  for (const Over over : {Over::all, Over::last_dim}) {
    const Shape dims = over == Over::all ? Shape{} : Shape{-1};
    const std::string name = what + (over == Over::all ? " all" : " last");
    expect_bits(to_host(sum(there, over)), mct::sum(x, dims), name + " sum");
    expect_bits(to_host(mean(there, over)), mct::mean(x, dims), name + " mean");
    expect_bits(to_host(mct::cuda::max(there, over)), mct::max(x, dims), name + " max");
    expect_bits(to_host(mct::cuda::min(there, over)), mct::min(x, dims), name + " min");
  }
}

/// Rows of odd and even lengths, shorter and longer than the virtual lanes, and of several pieces.
template <class T, int N>
void expect_all_lengths() {
  for (const std::int64_t length : {1, 2, 15, 16, 31, 33, 64, 130})
    expect_all(mct::randn<T, N>({3, length}, 7), std::to_string(length));
  expect_all(mct::randn<T, N>({2, (1 << 13) + 37}, 8), "two pieces");
}

TEST(Reduce, DoublesAreTheLibrarys) {
  expect_all_lengths<double, 1>();
  expect_all_lengths<double, 2>();
  expect_all_lengths<double, 3>();
}
TEST(Reduce, FloatsAreTheLibrarys) {
  expect_all_lengths<float, 1>();
  expect_all_lengths<float, 2>();
}
TEST(Reduce, ShortFloatsAreTheLibrarys) { expect_all_lengths<mct::bfloat16, 2>(); }

/// Values that cancel, so that the order of a sum shows in its last bits.
TEST(Reduce, SumsThatCancel) {
  auto x = mct::randn<double, 2>({3 * (1 << 13) + 5}, 3);
  for (std::int64_t i = 0; i + 1 < x.numel(); i += 2)
    x.set({i + 1}, -x(i) * (1 + 1e-20 * double(i)));
  expect_all(x, "cancelling");
}

TEST(Reduce, NoElements) {
  const auto none = to_device(Tensor<double, 2>(Shape{3, 0}));
  expect_bits(to_host(sum(none)), mct::sum(Tensor<double, 2>(Shape{3, 0})), "sum of none");
  expect_bits(to_host(sum(none, Over::last_dim)), Tensor<double, 2>(Shape{3}), "rows of none");
  expect_bits(to_host(mean(none)), mct::mean(Tensor<double, 2>(Shape{3, 0})), "mean of none");
  EXPECT_THROW(mct::cuda::max(none), mct::ShapeError);
  EXPECT_THROW(mct::cuda::min(none, Over::last_dim), mct::ShapeError);
  const auto no_rows = to_device(Tensor<double, 2>(Shape{0, 3}));
  EXPECT_EQ(to_host(sum(no_rows, Over::last_dim)).shape(), Shape{0});
  EXPECT_EQ(to_host(mct::cuda::max(no_rows, Over::last_dim)).shape(), Shape{0});
  EXPECT_THROW(sum(to_device(Tensor<double, 2>(Shape{})), Over::last_dim), mct::ShapeError);
}

/// Rows of few different values, with zeros of both signs and NaN: of equal ones the library's.
template <class T, int N>
void expect_ties() {
  for (const std::int64_t length : {2, 3, 7, 33, 100, 8192 + 77}) {
    auto x = mixed_values<T, N>({2, length}, unsigned(length));
    std::mt19937 random(1);
    for (std::int64_t i = 0; i < length; ++i)
      for (int l = 0; l < N; ++l) x.data(l)[i] = T(l == 0 ? (random() % 2 == 0 ? -0.0 : 0.0) : 0.0);
    const auto there = to_device(x);
    expect_bits(to_host(mct::cuda::max(there, Over::last_dim)), mct::max(x, {-1}), "max of ties");
    expect_bits(to_host(mct::cuda::min(there, Over::last_dim)), mct::min(x, {-1}), "min of ties");
  }
}
TEST(Reduce, OfEqualElementsTheLibrarys) {
  expect_ties<double, 2>();
  expect_ties<float, 1>();
  expect_ties<mct::bfloat16, 2>();
}

/// Sums that are not finite: by infinities, NaN, and overflow on the way.
TEST(Reduce, SpecialSums) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double huge = std::numeric_limits<double>::max();
  const std::vector<std::vector<double>> rows = {
      {1, inf, 2},        {1, -inf, 2},       {inf, -inf, 1},      {nan, 1, 2},
      {nan, inf, -inf},   {huge, huge, 1},    {huge, huge, -huge}, {huge, -huge, huge},
      {-huge, -huge, 0},  {huge, huge, -inf}, {inf, -huge, -huge}, {1, 2, 3},
      {huge / 2, inf, 1}, {0, 0, 0},
  };
  Tensor<double, 2> x({std::int64_t(rows.size()), 3});
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < 3; ++j)
      x.set({std::int64_t(i), std::int64_t(j)}, mct::f64x2(rows[i][j]));
  const auto there = to_device(x);
  expect_bits(to_host(sum(there, Over::last_dim)), mct::sum(x, {-1}), "sum");
  expect_bits(to_host(mean(there, Over::last_dim)), mct::mean(x, {-1}), "mean");
  expect_all(mixed_values<double, 3>({4, 50}, 3), "mixed");
  expect_all(mixed_values<float, 1>({4, 50}, 3), "mixed");
  Tensor<float, 1> large({5});
  large.fill_(3e38F);
  expect_all(large, "overflows float alone");
}

/// More rows than a block of GuardedRowSums has, and of PieceSums.
TEST(Reduce, ManyRows) {
  auto x = mct::randn<double, 2>({600, 4}, 3);
  x.set({299, 1}, mct::f64x2(std::numeric_limits<double>::infinity()));
  x.set({599, 3}, mct::f64x2(-std::numeric_limits<double>::infinity()));
  expect_all(x, "600 rows");
}

#if MCT_ON_DEVICE
TEST(Reduce, ManyPieces) {
  expect_all(mct::randn<float, 1>({(150 << 13) + 4}, 9), "151 pieces");
  expect_all(mct::randn<double, 2>({2, (150 << 13) + 3}, 9), "151 pieces");
  expect_all(mct::randn<double, 3>({(150 << 13) + 1}, 9), "151 pieces");
}
#else
/// Sums of rows whose pieces have these sums, against one addition after the other.
template <int N>
void expect_joined(std::int64_t pieces, const std::vector<mct::Expansion<double, N>>& parts) {
  const std::int64_t rows = std::int64_t(parts.size()) / pieces;
  std::vector<double> planes;
  for (int l = 0; l < N; ++l)
    for (const auto& part : parts) planes.push_back(part.limb[l]);
  std::vector<double> out(std::size_t(N * rows));
  GlobalMemory memory;
  memory.add(std::as_const(planes)).add_output(out);
  const JoinSums<double, N> program{
      {{nullptr, 0}, rows, pieces << 13, {out.data(), rows}, false, true},
      {planes.data(), std::int64_t(parts.size())}};
  simulate(program, blocks_for(rows, JoinSums<double, N>::rows_of_block), memory, {1});
  for (std::int64_t row = 0; row < rows; ++row) {
    auto want = parts[std::size_t(row * pieces)];
    for (std::int64_t p = 1; p < pieces; ++p) want = want + parts[std::size_t(row * pieces + p)];
    for (int l = 0; l < N; ++l) {
      const double got = out[std::size_t(l * rows + row)];
      EXPECT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(want.limb[l]))
          << pieces << " pieces, row " << row << ", limb " << l;
    }
  }
}

TEST(Reduce, ManyPiecesAreJoinedInOrder) {
  for (const std::int64_t pieces : {2, 31, 32, 33, 64, 128, 129, 300}) {
    std::vector<mct::f64x2> two;
    std::vector<mct::f64x3> three;
    for (std::int64_t i = 0; i < 5 * pieces; ++i) {
      const double x = std::sin(double(i)) * std::exp2(double(i * 7 % 90));
      two.push_back(mct::f64x2(x) + mct::f64x2(x * 0x1p-60));
      three.push_back(mct::f64x3(x) + mct::f64x3(x * 0x1p-60));
    }
    // sums that are zero on the way, negative zeros, and what is not finite
    two[1] = -two[0];
    for (std::int64_t p = 0; p < pieces; ++p) two[std::size_t(pieces + p)] = mct::f64x2(-0.0);
    two[std::size_t(3 * pieces - 1)] = mct::f64x2(std::numeric_limits<double>::infinity());
    two[std::size_t(3 * pieces)] = mct::f64x2(std::numeric_limits<double>::max());
    expect_joined<2>(pieces, two);
    expect_joined<3>(pieces, three);
  }
}

TEST(Reduce, ResultsInMemoryThatIsThere) {
  const auto x = mct::randn<float, 2>({4, 7}, 3);
  const auto there = to_device(x);
  const auto out = DeviceTensor<float, 2>::uninitialized({4});
  reduce_to(out, Reduction::max, there, Over::last_dim);
  expect_bits(to_host(out), mct::max(x, {-1}), "max");
  EXPECT_THROW(reduce_to(out, Reduction::sum, there), mct::ShapeError);
}

TEST(Reduce, FaultsAreFound) {
  auto x = Tensor<double, 2>({2, 3});
  x.fill_(mct::f64x2(std::numeric_limits<double>::infinity()));
  const auto there = to_device(x);
  const auto out = sum(there, Over::last_dim);
  const GuardedRowSums<double, 2> program{
      {{there.data(), there.plane_stride()}, 2, 3, {out.data(), out.plane_stride()}, false, true}};
  const auto error_with = [&](const Faults& faults) {
    return mct::testing::message_of<SimulationError>([&] {
      simulate(program, {}, simulated_memory(), {1, TensorCore::rounded, faults});
    });
  };
  EXPECT_EQ(error_with({}), "");
  for (const int site : {0, 1, 2}) EXPECT_NE(error_with(Faults::without_barrier(site)), "") << site;
}
#endif

}  // namespace
