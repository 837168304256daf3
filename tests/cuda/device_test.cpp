// What the library's device functions ask of a device, on a simulated one: memory, copies, the
// order of streams, matrix products.
#include <gtest/gtest.h>

#include <limits>

#include "cuda/linalg/guarded_sums.hpp"
#include "cuda/linalg/integer_product.hpp"
#include "cuda/linalg/packed_factor.hpp"
#include "mctensor/device/all.hpp"
#include "mctensor/linalg/device_products.hpp"
#include "mctensor/linalg/products.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/cuda/simulator/device.hpp"

namespace mct::cuda {
MCT_FOR_EACH_VECTOR_PRODUCT(MCT_SIMULATE_PROGRAM)
MCT_FOR_EACH_INTEGER_PRODUCT(MCT_SIMULATE_PROGRAM)
}  // namespace mct::cuda

namespace {

using namespace mct::cuda;
using mct::Shape;
using mct::Tensor;
using Log = std::vector<std::string>;

class SimulatedDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    default_stream();
    before_ = simulated_allocations();
    take_simulated_log();
  }
  void TearDown() override { EXPECT_EQ(simulated_allocations(), before_) << "memory was kept"; }

 private:
  int before_ = 0;
};

TEST_F(SimulatedDevice, IsListed) {
  EXPECT_EQ(devices().size(), 2u);
  EXPECT_EQ(why_no_device(), "");
  EXPECT_NO_THROW(require_device());
  EXPECT_THROW(Stream(2), mct::DeviceError);
  EXPECT_THROW(Stream(-1), mct::DeviceError);
}

TEST_F(SimulatedDevice, CopiesThereAndBack) {
  const auto x = mct::randn<double, 3>({5, 7}, 1);
  const auto there = to_device(x.t());
  EXPECT_EQ(there.shape(), (Shape{7, 5}));
  EXPECT_NE(static_cast<const void*>(there.data()), static_cast<const void*>(x.data()));
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(there.data(k)) % there.plane_alignment, 0u);
  EXPECT_EQ(to_host(there).values(), x.t().contiguous().values());
  EXPECT_EQ(to_host(there.reshape({-1, 1})).values(), x.t().contiguous().values());
  EXPECT_EQ(to_host(there.plane(2)).values(), x.t().contiguous().plane(2).values());
  EXPECT_EQ(to_host(there.flatten()).shape(), Shape{35});
  EXPECT_THROW(there.reshape({2, -1}), mct::ShapeError);
  EXPECT_THROW(there.plane(3), mct::ShapeError);
  EXPECT_THROW(to_device_async(x.t()), mct::ShapeError);
  EXPECT_THROW(to_host_async(there, x, there.stream()), mct::ShapeError);
}

TEST_F(SimulatedDevice, EmptyAndScalarTensors) {
  const auto empty = to_device(Tensor<float, 2>(Shape{0, 3}));
  EXPECT_EQ(to_host(empty).shape(), (Shape{0, 3}));
  EXPECT_EQ(to_host(to_device(Tensor<mct::bfloat16>::scalar(mct::bfloat16(1.5f)))).item(),
            mct::bfloat16(1.5f));
}

TEST_F(SimulatedDevice, ZerosAreMadeThere) {
  take_simulated_log();
  const auto x = zeros<double, 3>({5, 7});
  EXPECT_EQ(take_simulated_log(), Log{"clear on 1"});
  EXPECT_EQ(to_host(x).values(), (Tensor<double, 3>(Shape{5, 7}).values()));
  EXPECT_EQ(to_host(zeros<mct::bfloat16>({0, 2})).shape(), (Shape{0, 2}));
}

TEST_F(SimulatedDevice, TooLargeTensorsSayTheirShape) {
  for (const Shape& shape : {Shape{1 << 28, 4}, Shape{std::int64_t(1) << 60}}) try {
      DeviceTensor<double, 2>::uninitialized(shape);
      ADD_FAILURE();
    } catch (const mct::MemoryError& error) {
      EXPECT_NE(std::string(error.what()).find(mct::to_string(shape)), std::string::npos)
          << error.what();
    }
  EXPECT_THROW(DeviceTensor<float>::uninitialized({-1}), mct::ShapeError);
}

TEST_F(SimulatedDevice, MemoryGoesBackOnItsStream) {
  {
    const Stream stream;
    const auto x = DeviceTensor<double>::uninitialized({4}, stream);
    auto copy = x;
    EXPECT_EQ(simulated_stream_number(stream.handle()), 2);
  }
  EXPECT_EQ(take_simulated_log(), Log{"free on 2"});
}

TEST_F(SimulatedDevice, OthersMemoryIsReleasedAfterTheStream) {
  const auto memory = DeviceMemory::allocate(64 * sizeof(double), default_stream());
  auto* const data = static_cast<double*>(memory.data());
  {
    const auto x = DeviceTensor<double, 2>::from_memory(data, {3, 5}, default_stream(), 32,
                                                        [] { log_simulated("release"); });
    EXPECT_EQ(x.data(1), data + 32);
  }
  EXPECT_EQ(take_simulated_log(), (Log{"wait for 1", "release"}));
  EXPECT_THROW((DeviceTensor<double, 2>::from_memory(data, {3, 5}, default_stream(), 14)),
               mct::ShapeError);
}

TEST_F(SimulatedDevice, StreamsWaitForEachOther) {
  const Stream one;
  const Stream two;
  const std::string a = std::to_string(simulated_stream_number(one.handle()));
  const std::string b = std::to_string(simulated_stream_number(two.handle()));
  const auto x = to_device(mct::rand<double, 2>({3, 4}, 1), one);
  const auto y = to_device(mct::rand<double, 2>({4, 3}, 2), two);
  take_simulated_log();
  const auto z = mm(x, y);
  const Log log = take_simulated_log();
  EXPECT_TRUE(z.stream() == one);
  ASSERT_FALSE(log.empty());
  EXPECT_EQ(log.front(), "stream " + a + " waits for " + b);
  EXPECT_EQ(log.back(), "stream " + b + " waits for " + a);
  EXPECT_EQ(std::count(log.begin(), log.end(), "launch on " + a), 4);
  to_host(z, two);
  const Log copies = take_simulated_log();
  EXPECT_EQ(copies, (Log{"stream " + b + " waits for " + a, "copy on " + b, "copy on " + b,
                         "stream " + a + " waits for " + b, "wait for " + b}));
}

template <class T, int N>
void expect_product(std::int64_t m, std::int64_t k, std::int64_t n) {
  const auto a = mct::randn<T, N>({m, k}, 1);
  const auto b = mct::randn<T, N>({k, n}, 2);
  const auto c = to_host(mm(to_device(a), to_device(b)));
  ASSERT_EQ(c.shape(), (Shape{m, n}));
  EXPECT_EQ(c.values(), mct::mm(a, b).values()) << m << ' ' << k << ' ' << n;
}

TEST_F(SimulatedDevice, ProductsAreTheLibrarysBits) {
  expect_product<double, 2>(66, 21, 70);
  expect_product<double, 2>(3, 65, 5);
  expect_product<double, 3>(5, 9, 65);
}

TEST_F(SimulatedDevice, NormwiseProductsAreTheLibrarysBits) {
  const auto a = mct::randn<double, 2>({20, 30}, 1);
  const auto b = mct::randn<double, 2>({30, 10}, 2);
  const auto normwise = mct::MatmulAccuracy::normwise;
  EXPECT_EQ(to_host(mm(to_device(a), to_device(b), normwise)).values(),
            mct::mm(a, b, normwise).values());
}

TEST_F(SimulatedDevice, ProductsOfSpecialShapes) {
  EXPECT_EQ(to_host(mm(to_device(Tensor<double, 2>(Shape{0, 3})),
                       to_device(Tensor<double, 2>(Shape{3, 2}))))
                .shape(),
            (Shape{0, 2}));
  const auto nothing = to_host(
      mm(to_device(Tensor<float, 2>(Shape{2, 0})), to_device(Tensor<float, 2>(Shape{0, 3}))));
  EXPECT_EQ(nothing.values(), (Tensor<float, 2>(Shape{2, 3}).values()));
  const auto x = to_device(Tensor<double, 2>(Shape{2, 3}));
  EXPECT_THROW(mm(x, x), mct::ShapeError);
  EXPECT_THROW(mm(x.flatten(), x), mct::ShapeError);
}

TEST_F(SimulatedDevice, ProductsOfSpecialValues) {
  const double inf = std::numeric_limits<double>::infinity();
  auto a = Tensor<double, 2>({2, 2});
  a.fill_(mct::f64x2(1));
  a.set({1, 0}, mct::f64x2(inf));
  const auto there = to_device(a);
  const auto c = to_host(mm(there, there));
  EXPECT_EQ(c.at({0, 0}).limb[0], inf);
  EXPECT_EQ(c.at({0, 1}).limb[0], 2);
  EXPECT_EQ(c.at({1, 1}).limb[0], inf);
}

}  // namespace
