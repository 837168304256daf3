// Devices, streams, copies, products, AdamW and attention on a GPU; without one, that everything
// says why.
#include <gtest/gtest.h>

#include <cmath>

#include "cuda/attention/attention_launch.hpp"
#include "mctensor/attention/bias.hpp"
#include "mctensor/attention/device_attention.hpp"
#include "mctensor/attention/streaming.hpp"
#include "mctensor/c_api.h"
#include "mctensor/device/all.hpp"
#include "mctensor/embed/device_train.hpp"
#include "mctensor/error.hpp"
#include "mctensor/expansion/all.hpp"
#include "mctensor/geometry/device_geometry.hpp"
#include "mctensor/geometry/device_optim.hpp"
#include "mctensor/geometry/optim/half_space_rows.hpp"
#include "mctensor/geometry/optim/manifold_rows.hpp"
#include "mctensor/geometry/optim/radam.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "mctensor/linalg/device_products.hpp"
#include "mctensor/linalg/products.hpp"
#include "mctensor/optim/device_mc_adamw.hpp"
#include "mctensor/optim/mc_adamw.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "tests/temporary_directory.hpp"

namespace {

using namespace mct::cuda;

class WithoutDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (why_no_device().empty()) GTEST_SKIP() << "there is a device";
  }
  /// Everything that needs a device throws DeviceError with the reason.
  template <class F>
  static void expect_reason(const F& f) {
    try {
      f();
      FAIL() << "nothing was thrown";
    } catch (const mct::DeviceError& error) {
      EXPECT_EQ(error.what(), "no GPU can be used: " + why_no_device());
    }
  }
};

TEST_F(WithoutDevice, ThereAreNoneAndAReason) {
  EXPECT_TRUE(devices().empty());
  EXPECT_NE(why_no_device(), "");
}

TEST_F(WithoutDevice, UseSaysWhy) {
  expect_reason([] { require_device(); });
  expect_reason([] { Stream(); });
  expect_reason([] { Stream::wrap(nullptr, 0); });
  expect_reason([] { default_stream(); });
  expect_reason([] { to_device(mct::Tensor<double, 2>({2, 3})); });
  expect_reason([] { DeviceTensor<float>::uninitialized({1}); });
  double x = 0;
  expect_reason([&] { DeviceTensor<double>::from_memory(&x, {1}); });
  EXPECT_THROW(release_unused_memory(), mct::DeviceError);
  EXPECT_THROW(page_locked(1), mct::DeviceError);
}

TEST_F(WithoutDevice, AdamWSaysWhy) {
  expect_reason([] { AdamWList(mct::optim::Strategy::plus, mct::optim::Format::bfloat16, {}); });
  expect_reason([] { McAdamW<mct::bfloat16>({}, {}, mct::optim::Strategy::plus); });
}

/// A node under each other node's half.
std::shared_ptr<const mct::embed::Graph> small_tree() {
  auto names = std::make_shared<mct::embed::NameTable>();
  std::vector<std::int32_t> sources, targets;
  for (std::int32_t v = 0; v < 100; ++v) {
    names->enter(std::to_string(v));
    if (v > 0) sources.push_back(v);
    if (v > 0) targets.push_back(v / 2);
  }
  return std::make_shared<const mct::embed::Graph>(names, sources, targets);
}

TEST_F(WithoutDevice, TrainingSaysWhy) {
  expect_reason([] { device_trainer(small_tree(), {}); });
}

TEST_F(WithoutDevice, FunctionsOfCSayWhy) {
  const std::string reason = "no GPU can be used: " + why_no_device();
  int count = -1;
  EXPECT_EQ(mct_cuda_device_count(&count), MCT_NO_DEVICE);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(mct_last_error(), reason);
  mct_cuda_adamw* list = nullptr;
  EXPECT_EQ(mct_cuda_adamw_create("plus", MCT_BFLOAT16, nullptr, 0, 0, nullptr, &list),
            MCT_NO_DEVICE);
  EXPECT_EQ(list, nullptr);
  EXPECT_EQ(mct_last_error(), reason);
  mct_adamw_options options;
  mct_adamw_default_options(&options);
  EXPECT_EQ(mct_cuda_adamw_step_many("plus", MCT_BFLOAT16, nullptr, 0, &options, 1, HUGE_VAL, 0,
                                     nullptr, nullptr),
            MCT_NO_DEVICE);
  EXPECT_EQ(mct_last_error(), reason);
  // what is wrong on any machine comes first
  EXPECT_EQ(mct_cuda_adamw_create("nonsense", MCT_BFLOAT16, nullptr, 0, 0, nullptr, &list),
            MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_cuda_adamw_step(nullptr, &options, 1, HUGE_VAL), MCT_BAD_ARGUMENT);
  EXPECT_STREQ(mct_last_error(), "list is null");
  EXPECT_EQ(mct_cuda_adamw_report(nullptr, nullptr, nullptr), MCT_BAD_ARGUMENT);
}

TEST(Device, AnEmptyTensorIsOnNoDevice) {
  const DeviceTensor<double, 2> x;
  EXPECT_EQ(x.shape(), mct::Shape{0});
  EXPECT_EQ(x.data(), nullptr);
  EXPECT_THROW(x.stream(), mct::DeviceError);
  EXPECT_THROW(to_host(x), mct::DeviceError);
}

TEST(Device, ErrorsCarryTheCallAndTheReason) {
  const mct::DeviceError error("cudaStreamCreate", "out of memory");
  EXPECT_STREQ(error.what(), "cudaStreamCreate: out of memory");
  EXPECT_EQ(error.call(), "cudaStreamCreate");
  EXPECT_EQ(error.reason(), "out of memory");
  EXPECT_EQ(mct::DeviceError("text").call(), "");
}

class WithDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!why_no_device().empty()) GTEST_SKIP() << why_no_device();
  }
};

TEST_F(WithDevice, IsDescribed) {
  const Device device = devices().front();
  EXPECT_NE(device.name, "");
  EXPECT_GT(device.memory, 0);
  EXPECT_GT(device.multiprocessors, 0);
  EXPECT_GT(device.clock, 0);
  EXPECT_THROW(Stream(int(devices().size())), mct::DeviceError);
  EXPECT_THROW(Stream(-1), mct::DeviceError);
}

TEST_F(WithDevice, CopiesThereAndBack) {
  const auto x = mct::randn<double, 3>({5, 7}, 1);
  const Stream stream;
  EXPECT_EQ(to_host(to_device(x.t(), stream)).values(), x.t().contiguous().values());
  const auto locked = page_locked_tensor<double, 3>({5, 7});
  locked.copy_(x);
  const auto there = to_device_async(locked, stream);
  const auto back = page_locked_tensor<double, 3>({5, 7});
  to_host_async(there, back, stream);
  const Event end(stream);
  end.synchronize();
  EXPECT_TRUE(end.is_done());
  EXPECT_EQ(back.values(), x.values());
}

TEST_F(WithDevice, EventsMeasureTime) {
  const Stream stream;
  const Event start(stream);
  const auto x = to_device(mct::zeros<double>({1 << 20}), stream);
  const Event end(stream);
  end.synchronize();
  EXPECT_GT(end.seconds_since(start), 0);
}

TEST_F(WithDevice, TrainingIsTheHostsBits) {
  for (const auto optimizer : {mct::embed::Optimizer::rsgd, mct::embed::Optimizer::radam}) {
    mct::embed::TrainOptions options;
    options.optimizer = optimizer;
    options.lr = 0.3;
    options.negatives = 20;
    options.burn_in = 1;
    options.radius_lr = optimizer == mct::embed::Optimizer::radam ? 0.01 : 0;
    mct::embed::Trainer host(small_tree(), options);
    auto device = device_trainer(small_tree(), options);
    for (int epoch = 0; epoch < 3; ++epoch) {
      EXPECT_TRUE(host.advance(1000));
      EXPECT_TRUE(device.advance(1000));
      EXPECT_EQ(device.last_epoch().loss, host.last_epoch().loss);
      EXPECT_EQ(device.radius(), host.radius());
    }
    EXPECT_EQ(device.embedding().coordinates().values(), host.embedding().coordinates().values());
  }
}

TEST_F(WithDevice, GeometryIsTheHostsBits) {
  const mct::geometry::PoincareBall<mct::f64x2> ball(mct::f64x2(1.0));
  const auto x = random_normal(ball, {100, 3}, 1).clone();
  const auto y = random_normal(ball, {100, 3}, 2).clone();
  const auto u = logmap(ball, to_device(x), to_device(y));
  EXPECT_EQ(to_host(u).values(), logmap(ball, x, y).values());
  EXPECT_EQ(to_host(expmap(ball, to_device(x), u)).values(),
            expmap(ball, x, logmap(ball, x, y)).values());
  EXPECT_EQ(to_host(dist(ball, to_device(x), to_device(y))).values(), dist(ball, x, y).values());
}

TEST_F(WithDevice, RowsFollowGradientsAsOnTheHost) {
  using Ball = mct::geometry::PoincareBall<double>;
  const Ball ball(1.0);
  const mct::geometry::RadamOptions options{.lr = 0.1, .amsgrad = true};
  const auto points = random_normal(ball, {100, 3}, 1).clone();
  Radam there(ball, to_device(points), options);
  mct::geometry::Radam<mct::geometry::ManifoldRows<Ball>> here(
      mct::geometry::ManifoldRows<Ball>(ball), points, options);
  for (std::uint64_t step = 0; step < 5; ++step) {
    const auto gradient = mct::randn<double>({100, 3}, 10 + step);
    here.step(gradient);
    there.step(to_device(gradient));
  }
  EXPECT_EQ(to_host(there.points()).values(), points.values());
}

TEST_F(WithDevice, ProductsAreTheHostsBits) {
  const auto a = mct::randn<double, 2>({70, 37}, 1);
  const auto b = mct::randn<double, 2>({37, 66}, 2);
  const auto c = mm(to_device(a), to_device(b, Stream()));
  EXPECT_EQ(to_host(c).values(), mct::mm(a, b).values());
}

/// Two clipped steps of a device and of the host, for every strategy of a 16-bit format.
template <class T>
void expect_same_steps() {
  using mct::Tensor;
  for (const auto strategy : mct::optim::all_strategies()) {
    const auto format = mct::optim::format_of<T>;
    const auto parts = mct::optim::composition_of(strategy);
    if (!parts.has_format(format) || parts.theta == mct::optim::Number::float32) continue;
    SCOPED_TRACE(to_string(strategy) + " " + to_string(format));
    const auto weights = mct::convert<T, 1>(mct::randn<float, 1>({5003}, 1));
    const auto gradient = mct::convert<T, 1>(mct::randn<float, 1>({5003}, 2));
    mct::Variable<T> variable(weights, true);
    variable.set_grad(gradient);
    mct::optim::McAdamW<T, T> host({variable}, strategy);
    McAdamW<T> device({to_device(weights)}, {to_device(gradient)}, strategy);
    for (int step = 0; step < 2; ++step) {
      const auto want = host.step(10);
      device.step(10);
      EXPECT_NEAR(device.report().grad_norm, want.grad_norm, 1e-12 * want.grad_norm);
    }
    EXPECT_EQ(device.exact_value(0).values(), host.exact_value(0).values());
  }
}
TEST_F(WithDevice, AdamWStepsAreTheHostsBits) {
  expect_same_steps<mct::bfloat16>();
  expect_same_steps<mct::half>();
}

/// The numbers of queries or keys of a score, in its domain.
mct::Tensor<float> numbers_of(mct::attention::Score score, bool query, std::int64_t count) {
  using mct::attention::Score;
  if (score != Score::umbral && score != Score::penumbral) return {};
  const auto height = mct::rand<float>({2, count, 1}, query ? 5 : 6) + 0.25F;
  if (score == Score::umbral) return height.contiguous();
  std::vector<mct::Tensor<float>> columns{height, sqrt((1.5F - height) * (1.5F + height))};
  if (query) columns.push_back(height * 0.0F + 1.5F);
  return mct::cat(columns, -1).contiguous();
}

/// How far a device's results are from the host's, in units of the largest of these.
template <class Device>
float distance(const Device& device, const mct::Tensor<float>& host) {
  const auto here = mct::convert<float, 1>(to_host(device));
  float worst = 0, size = 0;
  for (std::int64_t i = 0; i < host.numel(); ++i) {
    const float error = std::fabs(here.data()[i] - host.data()[i]);
    worst = error <= worst ? worst : error;  // NaN stays
    size = std::fmax(size, std::fabs(host.data()[i]));
  }
  return worst / size;
}

/// With products by warps, and by warpgroups where the device has them.
TEST_F(WithDevice, AttentionIsTheHosts) {
  using mct::bfloat16;
  using mct::attention::Score;
  const auto draw = [](const mct::Shape& shape, std::uint64_t seed) {
    return mct::convert<bfloat16, 1>(mct::randn<float, 1>(shape, seed) * 0.3F);
  };
  for (const Score score :
       {Score::dot_product, Score::gaussian, Score::laplacian, Score::umbral, Score::penumbral})
    for (const std::int64_t d : {64, 128}) {
      SCOPED_TRACE(std::to_string(int(score)) + ' ' + std::to_string(d));
      const auto x = draw({2, 200, d}, 1);
      const auto y = draw({2, 300, d}, 2);
      const auto v = draw({2, 300, d}, 3);
      const auto g = draw({2, 200, d}, 4);
      const auto wide = [](const auto& t) { return mct::convert<float, 1>(t); };
      const mct::attention::Operands<float> of{wide(x), numbers_of(score, true, 200), wide(y),
                                               numbers_of(score, false, 300), wide(v)};
      mct::attention::Mask<float> causal;
      causal.causal = true;
      const auto want = mct::attention::attend(score, of, causal);
      const auto slopes = mct::attention::attend_backward(score, of, causal, want, wide(g));
      const auto numbers = [](const mct::Tensor<float>& n) {
        return n.numel() == 0 ? DeviceTensor<float>() : to_device(n);
      };
      const AttentionOperands<bfloat16> there{to_device(x), numbers(of.a), to_device(y),
                                              numbers(of.b), to_device(v)};
      for (const bool warpgroups : {true, false}) {
        warpgroups_are_wanted() = warpgroups;
        const auto got = attend(score, there, {true}, true);
        const auto to = attend_backward(score, there, {true}, got, to_device(g));
        EXPECT_LE(distance(got.values, want.values), 0x1p-5F);
        EXPECT_LE(distance(to.x, slopes.x), 0x1p-5F);
        EXPECT_LE(distance(to.y, slopes.y), 0x1p-5F);
        EXPECT_LE(distance(to.v, slopes.v), 0x1p-5F);
      }
      warpgroups_are_wanted() = false;
    }
}

/// Of floats, with ALiBi's bias.
TEST_F(WithDevice, AttentionOfFloatsWithABiasIsTheHosts) {
  using mct::attention::Score;
  const auto draw = [](const mct::Shape& shape, std::uint64_t seed) {
    return (mct::randn<float, 1>(shape, seed) * 0.3F).contiguous();
  };
  const mct::Variable<float> slopes(mct::Tensor<float>::from_values({0.25F, 0.0625F}, {2, 1}),
                                    false);
  for (const Score score : {Score::dot_product, Score::gaussian})
    for (const std::int64_t d : {64, 128}) {
      const mct::attention::Operands<float> of{
          draw({2, 200, d}, 1), {}, draw({2, 300, d}, 2), {}, draw({2, 300, d}, 3)};
      const auto g = draw({2, 200, d}, 4);
      mct::attention::Mask<float> mask;
      mask.causal = mask.by_offset = true;
      mask.bias = mct::attention::alibi(slopes, 200, 300).value();
      const auto want = mct::attention::attend(score, of, mask);
      const auto slopes_here = mct::attention::attend_backward(score, of, mask, want, g);
      const AttentionOperands<float> there{
          to_device(of.x), {}, to_device(of.y), {}, to_device(of.v)};
      const AttentionMask mask_there{true, to_device(mask.bias), true};
      const auto got = attend(score, there, mask_there);
      const auto to = attend_backward(score, there, mask_there, got, to_device(g));
      const auto expect_near = [&](const auto& device, const mct::Tensor<float>& host) {
        const auto here = to_host(device);
        float worst = 0, size = 0;
        for (std::int64_t i = 0; i < host.numel(); ++i) {
          worst = std::fmax(worst, std::fabs(here.data()[i] - host.data()[i]));
          size = std::fmax(size, std::fabs(host.data()[i]));
        }
        EXPECT_LE(worst, 0x1p-11F * size) << int(score) << ' ' << d;
      };
      expect_near(got.values, want.values);
      expect_near(to.x, slopes_here.x);
      expect_near(to.y, slopes_here.y);
      expect_near(to.v, slopes_here.v);
    }
}

/// Sparse gradients, and a run that moves from the device to the CPU.
TEST_F(WithDevice, NamedRowsAndFilesAreTheHosts) {
  using Space = mct::geometry::McHalfSpace<double, 2>;
  using Rows = mct::geometry::HalfSpaceRows<Space, double, 2, 2>;
  const mct::testing::TemporaryDirectory folder;
  const auto path = folder.path() / "state";
  const auto points = mct::randn<double, 2>({5000, 2}, 1).clone();
  for (std::int64_t row = 0; row < 5000; ++row) points.set({row, 1}, mct::f64x2(1.0));
  Radam there(Space(1.5), to_device(points), {.lr = 0.1});
  mct::geometry::Radam<Rows> here(Rows(1.5), points, {.lr = 0.1});
  std::vector<std::int64_t> named;
  for (std::int64_t i = 0; i < 7000; ++i) named.push_back(i * 37 % 4001);
  const auto rows = mct::Tensor<std::int64_t>::from_values(named);
  for (std::uint64_t step = 0; step < 3; ++step) {
    const auto gradient = mct::randn<double>({7000, 2}, 10 + step);
    here.step(rows, gradient);
    there.step(rows, to_device(gradient));
  }
  EXPECT_EQ(to_host(there.points()).values(), points.values());
  there.save(path);
  mct::geometry::Radam<Rows> later(Rows(1), points, {.lr = 0.1});
  later.load(path);
  EXPECT_EQ(later.second_moment(7), here.second_moment(7));
}

}  // namespace
