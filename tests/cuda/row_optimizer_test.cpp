// Riemannian optimizers on a simulated GPU: bit for bit those of the library.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cuda/geometry/start_row_optimizer.hpp"
#include "mctensor/geometry/device_optim.hpp"
#include "mctensor/geometry/optim/half_space_rows.hpp"
#include "mctensor/geometry/optim/manifold_rows.hpp"
#include "mctensor/geometry/optim/radam.hpp"
#include "mctensor/geometry/optim/rsgd.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/cuda/tensor_bits.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

using geometry::RadamOptions;
using geometry::RsgdOptions;

#if !MCT_ON_DEVICE
// of the dimensions some
#define MCT_SIMULATE_STEPS(kind, N, n)                                                   \
  template <>                                                                            \
  void start_row_optimizer(const RowOptimizerLaunch<RsgdOptions, RowKind::kind, N>& of,  \
                           const Stream& stream) {                                       \
    row_optimizer_detail::start_among(of, stream, std::integer_sequence<int, n>());      \
  }                                                                                      \
  template <>                                                                            \
  void start_row_optimizer(const RowOptimizerLaunch<RadamOptions, RowKind::kind, N>& of, \
                           const Stream& stream) {                                       \
    row_optimizer_detail::start_among(of, stream, std::integer_sequence<int, n>());      \
  }
MCT_SIMULATE_STEPS(manifold, 1, 3)
MCT_SIMULATE_STEPS(manifold, 2, 2)
MCT_SIMULATE_STEPS(half_space, 2, 3)
MCT_SIMULATE_STEPS(half_space, 3, 2)
#endif

namespace {

using mct::testing::expect_bits;

template <class Options>
struct Optimizers;
template <>
struct Optimizers<RsgdOptions> {
  template <class Rows>
  using Host = geometry::Rsgd<Rows>;
  template <int N, RowKind kind>
  using Device = Rsgd<N, kind>;
};
template <>
struct Optimizers<RadamOptions> {
  template <class Rows>
  using Host = geometry::Radam<Rows>;
  template <int N, RowKind kind>
  using Device = Radam<N, kind>;
};

template <class V>
double coordinate_of(const geometry::Point<V>& vector, std::int64_t c) {
  return double(vector[int(c)]);
}
template <std::size_t n>
double coordinate_of(const std::array<double, n>& vector, std::int64_t c) {
  return vector[std::size_t(c)];
}
/// vector(row): that of the library.
template <int N, class F>
void expect_same_vectors(const DeviceTensor<double, N>& there, const F& vector) {
  const auto got = to_host(there);
  const std::int64_t n = got.size(1);
  for (std::int64_t i = 0; i < got.numel(); ++i)
    ASSERT_EQ(got.data()[i], double(coordinate_of(vector(i / n), i % n))) << "number " << i;
}
template <class Host, class Device>
void expect_same_states(const Host& host, const Device& device, const RadamOptions&) {
  const auto squares = to_host(device.squares());
  for (std::int64_t row = 0; row < squares.numel(); ++row)
    ASSERT_EQ(squares.data()[row], host.second_moment(row)) << row;
  expect_same_vectors(device.vectors(), [&](std::int64_t row) { return host.first_moment(row); });
}
template <class Host, class Device>
void expect_same_states(const Host& host, const Device& device, const RsgdOptions& options) {
  if (options.momentum > 0)
    expect_same_vectors(device.vectors(), [&](std::int64_t row) { return host.momentum(row); });
}

/// Some steps, in which some rows have gradients that are no numbers, or too long.
template <RowKind kind, int N, class M, class Rows, class Options>
void expect_same_steps(const M& manifold, const Rows& space, const Tensor<double, N>& points,
                       const Options& options) {
  simulated_how() = {6};
  const std::int64_t rows = points.size(0);
  const std::int64_t n = points.size(1);
  typename Optimizers<Options>::template Device<N, kind> device(manifold, to_device(points),
                                                                options);
  typename Optimizers<Options>::template Host<Rows> host(space, points, options);
  for (std::uint64_t step = 0; step < 4; ++step) {
    const auto gradient = randn<double>({rows, n}, 10 + step).clone();
    if (step == 1) gradient.data()[5 * n] = std::numeric_limits<double>::quiet_NaN();
    if (step == 2) gradient.data()[7 * n + 1] = 1e300;
    const auto outcome = host.step(gradient);
    device.step(to_device(gradient, Stream()));
    EXPECT_EQ(device.report().updated, outcome.updated);
    EXPECT_EQ(device.report().nonfinite, outcome.nonfinite);
    expect_bits(to_host(device.points()), points, "step " + std::to_string(step));
    expect_same_states(host, device, options);
  }
}
template <template <class> class Model, int N, class Options>
void expect_same_steps(const Options& options) {
  using Value = typename Tensor<double, N>::Value;
  using Rows = geometry::ManifoldRows<Model<Value>>;
  const Model<Value> manifold(Value(1.5));
  const int n = (N == 1 ? 3 : 2) + int(Rows::is_surface);
  expect_same_steps<RowKind::manifold>(manifold, Rows(manifold),
                                       random_normal(manifold, {140, n}, 1).clone(), options);
}
/// Of rows of half-spaces in several components, some far from the origin.
template <int M, int n, class Options>
void expect_same_half_space_steps(const Options& options) {
  using Space = geometry::XmcHalfSpace<double, M>;
  const auto points = randn<double, M>({140, n}, 1).clone();
  const auto up = randn<double>({140}, 2);
  for (std::int64_t i = 0; i < 140; ++i)
    points.set({i, n - 1}, typename Tensor<double, M>::Value(std::exp(4 * up.data()[i])));
  expect_same_steps<RowKind::half_space>(
      Space(1.5), geometry::HalfSpaceRows<Space, double, M, n>(1.5), points, options);
}
template <class Options>
void expect_same_steps_everywhere(const Options& options) {
  expect_same_steps<geometry::PoincareBall, 1>(options);
  expect_same_steps<geometry::HalfSpace, 1>(options);
  expect_same_steps<geometry::Lorentz, 1>(options);
  expect_same_half_space_steps<2, 3>(options);
}

TEST(CudaRsgd, StepsAreTheLibrarysBits) { expect_same_steps_everywhere(RsgdOptions{.lr = 0.1}); }
TEST(CudaRsgd, MomentumAndDecay) {
  expect_same_steps_everywhere(
      RsgdOptions{.lr = 0.1, .momentum = 0.8, .dampening = 0.2, .weight_decay = 0.05});
}
TEST(CudaRsgd, NesterovsMomentumAndBurnIn) {
  const RsgdOptions options{.lr = 0.1, .momentum = 0.8, .nesterov = true, .burn_in = {2, 0.1}};
  expect_same_steps_everywhere(options);
  expect_same_steps<geometry::Lorentz, 2>(options);
  expect_same_half_space_steps<3, 2>(options);
}
TEST(CudaRadam, StepsAreTheLibrarysBits) {
  expect_same_steps_everywhere(RadamOptions{.lr = 0.1});
  expect_same_steps<geometry::HalfSpace, 2>(RadamOptions{.lr = 0.1});
}
TEST(CudaRadam, LargestMomentsAndDecay) {
  expect_same_steps_everywhere(
      RadamOptions{.lr = 0.1, .beta2 = 0.5, .amsgrad = true, .weight_decay = 0.05});
}
TEST(CudaRadam, DecayApart) {
  auto options = geometry::radamw_defaults();
  options.lr = 0.1;
  expect_same_steps_everywhere(options);
  expect_same_steps<geometry::PoincareBall, 2>(options);
  expect_same_half_space_steps<3, 2>(options);
}

TEST(CudaRadam, CorrectionsGoOn) {
  // more updates than the first table has
  const geometry::PoincareBall<double> ball(1.0);
  const auto points = random_normal(ball, {2, 3}, 1).clone();
  const RadamOptions options{.lr = 1e-3, .beta2 = 0.9999};
  Radam<1> device(ball, to_device(points), options);
  geometry::Radam<geometry::ManifoldRows<geometry::PoincareBall<double>>> host(
      geometry::ManifoldRows<geometry::PoincareBall<double>>(ball), points, options);
  const auto gradient = randn<double>({2, 3}, 2).clone();
  const auto there = to_device(gradient);
  for (int step = 0; step < 1030; ++step) {
    host.step(gradient);
    device.step(there);
  }
  expect_bits(to_host(device.points()), points, "points");
}

TEST(CudaRsgd, WhatDoesNotFitIsRefused) {
  const geometry::PoincareBall<double> ball(1.0);
  const auto of = [](const Shape& shape) { return DeviceTensor<double>::uninitialized(shape); };
  EXPECT_EQ(testing::message_of<DomainError>([&] {
              Rsgd<1>(ball, of({4, 7}), {});
            }),
            "Rsgd on a device: points of 7 dimensions in 1 components; there are 2, 3, 5, 10");
  EXPECT_THROW(Rsgd<1>(ball, of({4}), {}), ShapeError);
  EXPECT_THROW(Rsgd<1>(ball, of({4, 3}), {.lr = -1}), DomainError);
  EXPECT_THROW(Rsgd<1>(ball, of({4, 3}), {.momentum = 1}), DomainError);
  EXPECT_THROW(Radam<1>(ball, of({4, 3}), {.beta1 = 1}), DomainError);
  Rsgd<1> optimizer(ball, of({4, 3}), {});
  EXPECT_THROW(optimizer.report(), DomainError);
  EXPECT_EQ(testing::message_of<ShapeError>([&] {
              optimizer.step(of({3, 3}));
            }),
            "Rsgd on a device: a gradient of shape (3, 3) for points of shape (4, 3)");
  EXPECT_EQ(optimizer.steps(), 0);
  if (devices().size() < 2) return;  // as the simulated device has
  const auto elsewhere =
      DeviceTensor<double>::from_memory(of({4, 3}).data(), {4, 3}, Stream::wrap(nullptr, 1));
  EXPECT_EQ(testing::message_of<DeviceError>([&] { optimizer.step(elsewhere); }),
            "Rsgd: points and gradient on devices 0 and 1");
  EXPECT_EQ(optimizer.steps(), 0);
}

}  // namespace
}  // namespace mct::cuda
