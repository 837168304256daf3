// Devices, streams, copies and products on a GPU; without one, that everything says why.
#include <gtest/gtest.h>

#include "mctensor/device/all.hpp"
#include "mctensor/error.hpp"
#include "mctensor/expansion/all.hpp"
#include "mctensor/linalg/device_products.hpp"
#include "mctensor/linalg/products.hpp"
#include "mctensor/tensor/create.hpp"

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

TEST_F(WithDevice, ProductsAreTheHostsBits) {
  const auto a = mct::randn<double, 2>({70, 37}, 1);
  const auto b = mct::randn<double, 2>({37, 66}, 2);
  const auto c = mm(to_device(a), to_device(b, Stream()));
  EXPECT_EQ(to_host(c).values(), mct::mm(a, b).values());
}

}  // namespace
