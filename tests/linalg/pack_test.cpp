// Packed panels element by element, and that nothing is written after them: a product would not
// notice, for its workspace is mostly longer.
#include <gtest/gtest.h>

#include <vector>

#include "src/linalg/kernels/pack_kernels.hpp"

namespace mct {
namespace {

constexpr double guard = -12345;

/// Limb k of the element in row i and column j: whole numbers that differ, and small enough that
/// the sum of an element's limbs is exact.
double limb_at(std::int64_t k, std::int64_t i, std::int64_t j) {
  return k == 0 ? double(1024 * (i + 1) + 16 * (j + 1)) : double(k + 1) / 64;
}

/// Packs a matrix of A limbs of T, whose rows or columns lie together, as K limbs of S: each limb
/// as it is for K = A, their sum for K = 1.
template <class T, class S, int K, int A>
void expect_packed(std::int64_t depth, std::int64_t columns, std::int64_t width, bool rows_together,
                   std::int64_t step) {
  static_assert(K == A || K == 1);
  SCOPED_TRACE(::testing::Message()
               << depth << " rows, " << columns << " columns in panels of " << width
               << (rows_together ? ", rows" : ", columns") << " together, step " << step);
  const std::int64_t plane = depth * columns * step;
  linalg_detail::MatrixView<const T> x;
  x.plane = plane;
  x.row_stride = rows_together ? columns * step : step;
  x.column_stride = rows_together ? step : depth * step;
  std::vector<T> data(std::size_t(A * plane), T(guard));
  x.data = data.data();
  for (std::int64_t k = 0; k < A; ++k)
    for (std::int64_t i = 0; i < depth; ++i)
      for (std::int64_t j = 0; j < columns; ++j)
        data[std::size_t(k * plane + i * x.row_stride + j * x.column_stride)] = T(limb_at(k, i, j));

  const std::int64_t panels = (columns + width - 1) / width;
  const std::int64_t size = panels * depth * K * width;
  std::vector<S> out(std::size_t(size + 4 * width * K + 64), S(guard));
  kernels::pack_kernel<T, S, K, A>(x, depth, columns, width, out.data());
  for (std::int64_t j = 0; j < panels * width; ++j)
    for (std::int64_t i = 0; i < depth; ++i)
      for (std::int64_t k = 0; k < K; ++k) {
        double expected = 0;
        for (std::int64_t l = K == A ? k : 0; l <= (K == A ? k : A - 1); ++l)
          expected += limb_at(l, i, j);
        const std::int64_t at = ((j / width * depth + i) * K + k) * width + j % width;
        ASSERT_EQ(double(out[std::size_t(at)]), j < columns ? expected : 0)
            << "row " << i << ", column " << j << ", limb " << k;
      }
  for (std::size_t at = std::size_t(size); at < out.size(); ++at)
    ASSERT_EQ(double(out[at]), guard) << at - std::size_t(size) << " behind the end";
}

template <class T, class S, int K, int A>
void expect_packed_in_every_way() {
  const auto lanes = std::int64_t(kernels::lanes<kernels::widest_batch<S>>);
  for (const std::int64_t width : {std::int64_t(1), lanes, 3 * lanes})
    for (const std::int64_t depth : {1, 2, 5, 9})
      for (const std::int64_t columns : {1, 2, 5, 7, 8, 13})
        for (const bool rows_together : {true, false})
          for (const std::int64_t step : {1, 3})
            expect_packed<T, S, K, A>(depth, columns, width, rows_together, step);
}

TEST(Pack, LimbsAsTheyAre) {
  expect_packed_in_every_way<double, double, 1, 1>();
  expect_packed_in_every_way<double, double, 2, 2>();
  expect_packed_in_every_way<double, double, 3, 3>();
  expect_packed_in_every_way<float, float, 1, 1>();
}

TEST(Pack, LimbsInOneDouble) {
  expect_packed_in_every_way<float, double, 1, 1>();
  expect_packed_in_every_way<float, double, 1, 2>();
  expect_packed_in_every_way<half, double, 1, 3>();
}

}  // namespace
}  // namespace mct
