// Rows of multi-component half-spaces on a simulated GPU: bit for bit those of the compiled
// kernels.
#include "cuda/geometry/half_space_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mctensor/device/devices.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/device_geometry.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/cuda/tensor_bits.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

MCT_FOR_EACH_HALF_SPACE_ROWS(MCT_SIMULATE_PROGRAM)

namespace {

using geometry::PointStorage;
using mct::testing::expect_bits;

/// Points at heights of many magnitudes, with components below the leading one.
template <int M>
Tensor<double, M> points_of(std::int64_t rows, std::int64_t n, PointStorage storage,
                            std::uint64_t seed) {
  const auto x = mct::randn<double, M>({rows, n}, seed).clone();
  const auto up = mct::randn<double>({rows}, seed + 1).values();
  for (std::int64_t i = 0; i < rows; ++i) {
    typename Tensor<double, M>::Value height(std::exp(6 * up[std::size_t(i)]));
    if constexpr (M > 1)
      if (storage == PointStorage::mc_half_space) height.limb[1] = height.limb[0] * 0x1p-60;
    x.set({i, n - 1}, height);
  }
  return x;
}

template <int M>
void expect_library_bits(std::int64_t n, PointStorage storage) {
  simulated_how() = {4};
  const std::int64_t rows = 150;
  const auto p = points_of<M>(rows, n, storage, 1);
  const auto q = points_of<M>(rows, n, storage, 7);
  q.narrow(0, 0, 1).copy_(p.narrow(0, 0, 1));
  p.set({3, 0}, std::numeric_limits<double>::quiet_NaN());
  const auto there = to_device(p);
  for (const double radius : {1.0, 1.5})
    expect_bits(to_host(half_space_dist(there, to_device(q), radius)),
                geometry::half_space_dist(p, q, radius), "distance");
  const auto frame = mct::randn<double>({rows, n}, 3).clone();
  double* const vectors = frame.data();
  vectors[0] = 1e4;  // longer than any step
  vectors[2 * n] = std::numeric_limits<double>::infinity();
  vectors[5 * n + n - 1] = -800;  // to the lowest height
  geometry::half_space_expmap_(storage, p, frame);
  half_space_expmap_(storage, there, to_device(frame, Stream()));
  expect_bits(to_host(there), p, "points");
}

TEST(CudaHalfSpaceRows, AreTheLibrarysBits) {
  expect_library_bits<1>(2, PointStorage::xmc_half_space);
  expect_library_bits<2>(2, PointStorage::xmc_half_space);
  expect_library_bits<2>(11, PointStorage::mc_half_space);
  expect_library_bits<3>(4, PointStorage::xmc_half_space);
  expect_library_bits<4>(3, PointStorage::mc_half_space);
}

TEST(CudaHalfSpaceRows, WhatDoesNotFitIsRefused) {
  const auto of = [](const Shape& shape) { return DeviceTensor<double, 2>::uninitialized(shape); };
  const auto frame = [](const Shape& shape) { return DeviceTensor<double>::uninitialized(shape); };
  EXPECT_EQ(testing::message_of<ShapeError>([&] {
              half_space_dist(of({3, 2}), of({4, 2}));
            }),
            "half_space_dist on a device: operands of shapes (3, 2) and (4, 2), expected [rows, n] "
            "with n >= 2");
  EXPECT_THROW(half_space_dist(of({3, 1}), of({3, 1})), ShapeError);
  EXPECT_THROW(half_space_dist(of({2, 3, 2}), of({2, 3, 2})), ShapeError);
  EXPECT_THROW(half_space_dist(of({3, 2}), of({3, 2}), 0), DomainError);
  EXPECT_THROW(half_space_expmap_(PointStorage::xmc_half_space, of({3, 2}), frame({3, 3})),
               ShapeError);
  if (devices().size() < 2) return;  // as the simulated device has
  const auto elsewhere =
      DeviceTensor<double>::from_memory(frame({3, 2}).data(), {3, 2}, Stream::wrap(nullptr, 1));
  EXPECT_THROW(half_space_expmap_(PointStorage::xmc_half_space, of({3, 2}), elsewhere),
               DeviceError);
}

}  // namespace
}  // namespace mct::cuda
