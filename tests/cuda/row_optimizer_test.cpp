// Riemannian optimizers on a simulated GPU: bit for bit those of the library.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "cuda/geometry/start_row_optimizer.hpp"
#include "mctensor/device/devices.hpp"
#include "mctensor/geometry/device_optim.hpp"
#include "mctensor/geometry/optim/half_space_rows.hpp"
#include "mctensor/geometry/optim/manifold_rows.hpp"
#include "mctensor/geometry/optim/radam.hpp"
#include "mctensor/geometry/optim/rsgd.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/cuda/tensor_bits.hpp"
#include "tests/files.hpp"
#include "tests/message_of.hpp"

MCT_SIMULATE_PROGRAM(SortTiles)
MCT_SIMULATE_PROGRAM(MergeRuns)

namespace mct::cuda {

using geometry::RadamOptions;
using geometry::RsgdOptions;

#if !MCT_ON_DEVICE
// of the dimensions some
template <class Options, class Space>
void simulate_steps(const RowOptimizerLaunch<Options, Space>& of, const Stream& stream) {
  using Dimensions =
      std::conditional_t<std::is_same_v<OptimizedDimensions<Space>, std::integer_sequence<int, 2>>,
                         std::integer_sequence<int, 2>, std::integer_sequence<int, 2, 3>>;
  row_optimizer_detail::start_among(of, stream, Dimensions());
}
#define MCT_SIMULATE_STEPS(...)                                                     \
  template <>                                                                       \
  void start_row_optimizer(const RowOptimizerLaunch<RsgdOptions, __VA_ARGS__>& of,  \
                           const Stream& stream) {                                  \
    simulate_steps(of, stream);                                                     \
  }                                                                                 \
  template <>                                                                       \
  void start_row_optimizer(const RowOptimizerLaunch<RadamOptions, __VA_ARGS__>& of, \
                           const Stream& stream) {                                  \
    simulate_steps(of, stream);                                                     \
  }
MCT_SIMULATE_STEPS(geometry::PoincareBall<double>)
MCT_SIMULATE_STEPS(geometry::HalfSpace<double>)
MCT_SIMULATE_STEPS(geometry::Lorentz<double>)
MCT_SIMULATE_STEPS(geometry::PoincareBall<f64x2>)
MCT_SIMULATE_STEPS(geometry::HalfSpace<f64x2>)
MCT_SIMULATE_STEPS(geometry::Lorentz<f64x2>)
MCT_SIMULATE_STEPS(geometry::XmcHalfSpace<double, 2>)
MCT_SIMULATE_STEPS(geometry::XmcHalfSpace<double, 3>)
MCT_SIMULATE_STEPS(geometry::McHalfSpace<double, 2>)
MCT_SIMULATE_STEPS(geometry::McHalfSpace<double, 3>)
#endif

namespace {

using mct::testing::expect_bits;

template <class Options>
struct Optimizers;
template <>
struct Optimizers<RsgdOptions> {
  template <class Rows>
  using Host = geometry::Rsgd<Rows>;
  template <class Space>
  using Device = Rsgd<Space>;
};
template <>
struct Optimizers<RadamOptions> {
  template <class Rows>
  using Host = geometry::Radam<Rows>;
  template <class Space>
  using Device = Radam<Space>;
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

/// Some steps, in which some rows have gradients that are no numbers, or too long; the last one
/// names some of the rows, in any order and some of them several times.
template <class M, int N, class Rows, class Options>
void expect_same_steps(const M& manifold, const Rows& space, const Tensor<double, N>& points,
                       const Options& options) {
  simulated_how() = {6};
  const std::int64_t rows = points.size(0);
  const std::int64_t n = points.size(1);
  typename Optimizers<Options>::template Device<M> device(manifold, to_device(points), options);
  typename Optimizers<Options>::template Host<Rows> host(space, points, options);
  for (std::uint64_t step = 0; step < 5; ++step) {
    const auto gradient = mct::randn<double>({rows, n}, 10 + step).clone();
    if (step == 1) gradient.data()[5 * n] = std::numeric_limits<double>::quiet_NaN();
    if (step == 2) gradient.data()[7 * n + 1] = 1e300;
    geometry::RowStep outcome;
    if (step == 4) {
      gradient.data()[9 * n] = -std::numeric_limits<double>::infinity();
      std::vector<std::int64_t> named;
      for (std::int64_t i = 0; i < rows; ++i) named.push_back((i * 37 + 11) % (rows / 2));
      const auto index = Tensor<std::int64_t>::from_values(named);
      outcome = host.step(index, gradient);
      device.step(index, to_device(gradient, Stream()));
      EXPECT_LT(outcome.updated, rows / 2);
      EXPECT_GT(outcome.updated, rows / 2 - 4);
    } else {
      outcome = host.step(gradient);
      device.step(to_device(gradient, Stream()));
    }
    EXPECT_EQ(device.report().updated, outcome.updated);
    EXPECT_EQ(device.report().nonfinite, outcome.nonfinite);
    EXPECT_EQ(device.nonfinite_rows(), host.nonfinite_rows());
    expect_bits(to_host(device.points()), points, "step " + std::to_string(step));
    expect_same_states(host, device, options);
  }
}
template <template <class> class Model, int N, int dimension, class Options>
void expect_same_steps(const Options& options) {
  using Value = typename Tensor<double, N>::Value;
  using Rows = geometry::ManifoldRows<Model<Value>>;
  const Model<Value> manifold(Value(1.5));
  const int n = dimension + int(Rows::is_surface);
  expect_same_steps(manifold, Rows(manifold), random_normal(manifold, {140, n}, 1).clone(),
                    options);
}
/// Of rows of half-spaces in several components, some far from the origin.
template <template <class, int> class Representation, int M, int n, class Options>
void expect_same_half_space_steps(const Options& options) {
  using Space = Representation<double, M>;
  const auto points = mct::randn<double, M>({140, n}, 1).clone();
  const auto up = mct::randn<double>({140}, 2);
  for (std::int64_t i = 0; i < 140; ++i)
    points.set({i, n - 1}, typename Tensor<double, M>::Value(std::exp(4 * up.data()[i])));
  expect_same_steps(Space(1.5), geometry::HalfSpaceRows<Space, double, M, n>(1.5), points, options);
}
template <class Options>
void expect_same_steps_everywhere(const Options& options) {
  expect_same_steps<geometry::PoincareBall, 1, 2>(options);
  expect_same_steps<geometry::HalfSpace, 1, 3>(options);
  expect_same_steps<geometry::Lorentz, 1, 2>(options);
  expect_same_half_space_steps<geometry::XmcHalfSpace, 2, 2>(options);
}

TEST(CudaRsgd, StepsAreTheLibrarysBits) { expect_same_steps_everywhere(RsgdOptions{.lr = 0.1}); }
TEST(CudaRsgd, MomentumAndDecay) {
  expect_same_steps_everywhere(
      RsgdOptions{.lr = 0.1, .momentum = 0.8, .dampening = 0.2, .weight_decay = 0.05});
}
TEST(CudaRsgd, NesterovsMomentumAndBurnIn) {
  const RsgdOptions options{.lr = 0.1, .momentum = 0.8, .nesterov = true, .burn_in = {2, 0.1}};
  expect_same_steps_everywhere(options);
  expect_same_steps<geometry::PoincareBall, 1, 3>(options);
  expect_same_steps<geometry::Lorentz, 1, 3>(options);
  expect_same_steps<geometry::Lorentz, 2, 2>(options);
  expect_same_half_space_steps<geometry::XmcHalfSpace, 2, 3>(options);
  expect_same_half_space_steps<geometry::XmcHalfSpace, 3, 2>(options);
  expect_same_half_space_steps<geometry::McHalfSpace, 2, 2>(options);
}
TEST(CudaRadam, StepsAreTheLibrarysBits) {
  expect_same_steps_everywhere(RadamOptions{.lr = 0.1});
  expect_same_steps<geometry::HalfSpace, 2, 2>(RadamOptions{.lr = 0.1});
}
TEST(CudaRadam, LargestMomentsAndDecay) {
  expect_same_steps_everywhere(
      RadamOptions{.lr = 0.1, .beta2 = 0.5, .amsgrad = true, .weight_decay = 0.05});
}
TEST(CudaRadam, DecayApart) {
  auto options = geometry::radamw_defaults();
  options.lr = 0.1;
  expect_same_steps_everywhere(options);
  expect_same_steps<geometry::PoincareBall, 2, 2>(options);
  expect_same_half_space_steps<geometry::XmcHalfSpace, 3, 2>(options);
  expect_same_half_space_steps<geometry::McHalfSpace, 3, 2>(options);
}

TEST(CudaRadam, CorrectionsGoOn) {
  // more updates than the first table has
  const geometry::PoincareBall<double> ball(1.0);
  const auto points = random_normal(ball, {2, 3}, 1).clone();
  const RadamOptions options{.lr = 1e-3, .beta2 = 0.9999};
  Radam device(ball, to_device(points), options);
  geometry::Radam<geometry::ManifoldRows<geometry::PoincareBall<double>>> host(
      geometry::ManifoldRows<geometry::PoincareBall<double>>(ball), points, options);
  const auto gradient = mct::randn<double>({2, 3}, 2).clone();
  const auto there = to_device(gradient);
  for (int step = 0; step < 1030; ++step) {
    host.step(gradient);
    device.step(there);
  }
  expect_bits(to_host(device.points()), points, "points");
}

/// Steps that change place in the middle: from a device to the CPU or back, by a file. Both are the
/// same file, and the steps those of an optimizer that stays.
template <template <class> class Model, int N, class Options>
void expect_same_after_file(const Options& options, bool from_device) {
  using Value = typename Tensor<double, N>::Value;
  using Rows = geometry::ManifoldRows<Model<Value>>;
  using Host = typename Optimizers<Options>::template Host<Rows>;
  using Device = typename Optimizers<Options>::template Device<Model<Value>>;
  const testing::TemporaryDirectory folder;
  const auto [there, here] = std::pair{folder.path() / "there", folder.path() / "here"};
  const Model<Value> manifold(Value(1.5));
  const Rows space(manifold);
  const int n = (N == 1 ? 3 : 2) + int(Rows::is_surface);
  const auto points = random_normal(manifold, {6, n}, 1).clone();
  auto device = std::make_unique<Device>(manifold, to_device(points), options);
  auto host = std::make_unique<Host>(space, points, options);
  const auto some = Tensor<std::int64_t>::from_values({4, 1});
  for (std::uint64_t step = 0; step < 4; ++step) {
    const auto gradient = mct::randn<double>({6, n}, 20 + step).clone();
    if (step == 1) gradient.data()[2 * n] = std::numeric_limits<double>::quiet_NaN();
    host->step(gradient);
    device->step(to_device(gradient));
    host->step(some, gradient.narrow(0, 0, 2).contiguous());
    device->step(some, to_device(gradient.narrow(0, 0, 2)));
    expect_bits(to_host(device->points()), points, "step " + std::to_string(step));
    expect_same_states(*host, *device, options);
    if (step != 1) continue;
    host->save(here);
    device->save(there);
    EXPECT_EQ(testing::bytes_of(there), testing::bytes_of(here));
    // of another radius, which the file knows better
    if (from_device) {
      host = std::make_unique<Host>(Rows(1), points, options);
      host->load(there);
    } else {
      device = std::make_unique<Device>(Model<Value>(Value(1)), to_device(points), options);
      device->load(here);
      EXPECT_EQ(device->radius(), 1.5);
    }
    EXPECT_EQ(device->steps(), host->steps());
    EXPECT_EQ(device->nonfinite_rows(), 1);
    EXPECT_EQ(host->nonfinite_rows(), 1);
  }
}

TEST(CudaRadam, FilesGoBothWays) {
  for (const bool from_device : {false, true}) {
    expect_same_after_file<geometry::PoincareBall, 1>(RadamOptions{.lr = 0.1, .amsgrad = true},
                                                      from_device);
    expect_same_after_file<geometry::HalfSpace, 2>(RadamOptions{.lr = 0.1}, from_device);
    expect_same_after_file<geometry::Lorentz, 1>(RsgdOptions{.lr = 0.1, .momentum = 0.9},
                                                 from_device);
  }
}

TEST(CudaRadam, FilesOfOthersAreRefused) {
  using Ball = geometry::PoincareBall<double>;
  const testing::TemporaryDirectory folder;
  const auto path = folder.path() / "state";
  const Ball ball(1.0);
  const auto points = to_device(random_normal(ball, {3, 3}, 1));
  const auto refusal = [&](auto& optimizer) {
    return testing::message_of<IoError>([&] { optimizer.load(path); }).substr(path.string().size());
  };
  Radam radam(ball, points, {});
  radam.step(to_device(mct::randn<double>({3, 3}, 2)));
  radam.save(path);
  Rsgd rsgd(ball, points, {});
  EXPECT_EQ(refusal(rsgd), ": its optimizer is 'Radam', expected 'Rsgd'");
  Radam elsewhere(geometry::HalfSpace<double>(1.0), points, {});
  EXPECT_EQ(refusal(elsewhere), ": its space is 'PoincareBall f64x1', expected 'HalfSpace f64x1'");
  Radam largest(ball, points, {.amsgrad = true});
  EXPECT_EQ(refusal(largest), ": its states is 'm v ', expected 'm v v_max '");
  Radam fewer(ball, to_device(random_normal(ball, {2, 3}, 1)), {});
  EXPECT_NE(refusal(fewer), "");
  EXPECT_EQ(fewer.steps(), 0);

  // a count that is no step's would be read after the table of corrections
  namespace detail = geometry::optim_detail;
  const detail::RowStates<geometry::ManifoldRows<Ball>> states(
      detail::kept_by(geometry::RadamOptions()), 3, 3);
  detail::save_rows(path, "Radam", "PoincareBall f64x1", {2, 0, {0, 3, 0}}, {0, {1}}, states);
  EXPECT_EQ(refusal(radam), ": entry 'updates' holds 3 updates of a row in 2 steps");
  detail::save_rows(path, "Radam", "PoincareBall f64x1", {2, 0, {0, 2, 0}}, {0, {2}}, states);
  EXPECT_NE(refusal(radam), "");
  EXPECT_EQ(radam.steps(), 1);
  detail::save_rows(path, "Radam", "PoincareBall f64x1", {std::int64_t(1) << 40, 0, {0, 2, 0}},
                    {0, {1}}, states);
  radam.load(path);
  radam.step(to_device(mct::randn<double>({3, 3}, 2)));  // with a table that ends where it is 1
  EXPECT_EQ(radam.report().updated, 3);
}

TEST(CudaRsgd, WhatDoesNotFitIsRefused) {
  const geometry::PoincareBall<double> ball(1.0);
  const auto of = [](const Shape& shape) { return DeviceTensor<double>::uninitialized(shape); };
  EXPECT_EQ(testing::message_of<DomainError>([&] {
              Rsgd(ball, of({4, 7}), {});
            }),
            "Rsgd on a device: points of 7 dimensions in 1 components; there are 2, 3, 5, 10");
  EXPECT_THROW(Rsgd(ball, of({4}), {}), ShapeError);
  EXPECT_THROW(Rsgd(ball, of({4, 3}), {.lr = -1}), DomainError);
  EXPECT_THROW(Rsgd(ball, of({4, 3}), {.momentum = 1}), DomainError);
  EXPECT_THROW(Radam(ball, of({4, 3}), {.beta1 = 1}), DomainError);
  Rsgd optimizer(ball, of({4, 3}), {});
  EXPECT_THROW(optimizer.report(), DomainError);
  EXPECT_EQ(testing::message_of<ShapeError>([&] {
              optimizer.step(of({3, 3}));
            }),
            "Rsgd on a device: a gradient of shape (3, 3) for points of shape (4, 3)");
  const auto named = [](const std::vector<std::int64_t>& rows) {
    return Tensor<std::int64_t>::from_values(rows);
  };
  EXPECT_EQ(testing::message_of<ShapeError>([&] {
              optimizer.step(named({1, 4}), of({2, 3}));
            }),
            "Rsgd on a device: row 4 does not exist; there are 4 rows, counted from 0");
  EXPECT_EQ(testing::message_of<ShapeError>([&] {
              optimizer.step(named({1, 1}), of({3, 3}));
            }),
            "Rsgd on a device: gradients of shape (3, 3) for 2 rows of points of shape (4, 3)");
  EXPECT_EQ(optimizer.steps(), 0);
  if (devices().size() < 2) return;  // as the simulated device has
  const auto elsewhere =
      DeviceTensor<double>::from_memory(of({4, 3}).data(), {4, 3}, Stream::wrap(nullptr, 1));
  EXPECT_EQ(testing::message_of<DeviceError>([&] { optimizer.step(elsewhere); }),
            "Rsgd: points and gradient on devices 0 and 1");
  EXPECT_EQ(optimizer.steps(), 0);
}

TEST(CudaRsgd, NoRowsMayBeNamed) {
  const geometry::PoincareBall<double> ball(1.0);
  Rsgd optimizer(ball, to_device(mct::zeros<double>({4, 3})), {});
  optimizer.step(Tensor<std::int64_t>(Shape{0}), to_device(mct::zeros<double>({0, 3})));
  EXPECT_EQ(optimizer.report().updated, 0);
}

}  // namespace
}  // namespace mct::cuda
