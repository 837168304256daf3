// Operations of manifolds on a simulated GPU: bit for bit those of the compiled kernels.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cuda/geometry/start_pointwise.hpp"
#include "mctensor/device/devices.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/device_geometry.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/cuda/tensor_bits.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

#if !MCT_ON_DEVICE
// of the dimensions some; those of one component are in simulated/pointwise.cpp
#define MCT_SIMULATE_POINTWISE(N, ...)                                                    \
  template <>                                                                             \
  void start_pointwise(const PointwiseLaunch<double, N>& of, const Stream& stream) {      \
    pointwise_detail::start_among(of, stream, std::integer_sequence<int, __VA_ARGS__>()); \
  }
MCT_SIMULATE_POINTWISE(2, 3)
MCT_SIMULATE_POINTWISE(3, 2)
#endif

namespace {

using mct::testing::expect_bits;

template <template <class> class Model, int N>
void expect_library_bits(int coordinates) {
  using Value = typename Tensor<double, N>::Value;
  simulated_how() = {2};
  const Model<Value> manifold(Value(1.5));
  const std::int64_t count = 75;
  const auto x = random_normal(manifold, {2, count, coordinates}, 1).clone();
  const auto y = random_normal(manifold, {2, count, coordinates}, 2).clone();
  // a point beside itself, and what is no point
  y.select(0, 0).narrow(0, 0, 1).copy_(x.select(0, 0).narrow(0, 0, 1));
  x.set({0, 3, 1}, Value(std::numeric_limits<double>::quiet_NaN()));
  y.set({1, 4, 0}, Value(std::numeric_limits<double>::infinity()));
  const auto u = logmap(manifold, x, y);
  // beyond what can be told from the boundary
  u.select(0, 1).copy_(u.select(0, 1) * Value(40.0));
  const auto there = to_device(x);
  const Stream other;
  expect_bits(to_host(dist(manifold, there, to_device(y, other))), dist(manifold, x, y), "dist");
  expect_bits(to_host(logmap(manifold, there, to_device(y))), logmap(manifold, x, y), "logmap");
  expect_bits(to_host(expmap(manifold, there, to_device(u))), expmap(manifold, x, u), "expmap");
}

TEST(CudaGeometry, BallIsTheLibrarysBits) {
  expect_library_bits<geometry::PoincareBall, 1>(2);
  expect_library_bits<geometry::PoincareBall, 1>(10);
  expect_library_bits<geometry::PoincareBall, 2>(3);
  expect_library_bits<geometry::PoincareBall, 3>(2);
}
TEST(CudaGeometry, HalfSpaceIsTheLibrarysBits) {
  expect_library_bits<geometry::HalfSpace, 1>(2);
  expect_library_bits<geometry::HalfSpace, 1>(10);
  expect_library_bits<geometry::HalfSpace, 2>(3);
  expect_library_bits<geometry::HalfSpace, 3>(2);
}
TEST(CudaGeometry, LorentzIsTheLibrarysBits) {
  expect_library_bits<geometry::Lorentz, 1>(3);
  expect_library_bits<geometry::Lorentz, 1>(11);
  expect_library_bits<geometry::Lorentz, 2>(4);
  expect_library_bits<geometry::Lorentz, 3>(3);
}

TEST(CudaGeometry, NothingIsNothing) {
  const geometry::PoincareBall<double> ball(1.0);
  const auto none = DeviceTensor<double>::uninitialized({0, 2});
  EXPECT_EQ(dist(ball, none, none).shape(), Shape{0});
  EXPECT_EQ(expmap(ball, none, none).shape(), (Shape{0, 2}));
}

TEST(CudaGeometry, WhatDoesNotFitIsRefused) {
  const geometry::PoincareBall<double> ball(1.0);
  const geometry::Lorentz<f64x3> lorentz(f64x3(1.0));
  const auto of = [](const Shape& shape) { return DeviceTensor<double>::uninitialized(shape); };
  const auto scalar = of({});
  EXPECT_EQ(testing::message_of<ShapeError>([&] {
              dist(ball, of({4, 2}), of({1, 2}));
            }),
            "dist on a device: operands of shapes (4, 2) and (1, 2), expected the same (.., n)");
  EXPECT_THROW(logmap(ball, scalar, scalar), ShapeError);
  EXPECT_EQ(testing::message_of<DomainError>([&] {
              expmap(ball, of({4, 7}), of({4, 7}));
            }),
            "expmap on a device: points of 7 dimensions in 1 components; there are 2, 3, 5, 10");
  const auto long_ones = DeviceTensor<double, 3>::uninitialized({4, 6});
  EXPECT_EQ(testing::message_of<DomainError>([&] { dist(lorentz, long_ones, long_ones); }),
            "dist on a device: points of 5 dimensions in 3 components; there are 2, 3");
  if (devices().size() < 2) return;  // as the simulated device has
  const auto elsewhere =
      DeviceTensor<double>::from_memory(of({4, 2}).data(), {4, 2}, Stream::wrap(nullptr, 1));
  EXPECT_EQ(testing::message_of<DeviceError>([&] {
              dist(ball, of({4, 2}), elsewhere);
            }),
            "dist: operands on devices 0 and 1");
}

}  // namespace
}  // namespace mct::cuda
