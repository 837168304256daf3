// DLPack: the same memory in both directions, who owns it, and what is refused.
#include "mctensor/interop/dlpack.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct {
namespace {

/// A DLPack tensor of another library: counts the calls of its deleter.
struct Foreign {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  int deleted = 0;
  DLManagedTensor managed{};

  Foreign(void* data, int code, int bits, std::vector<std::int64_t> sizes,
          std::vector<std::int64_t> steps = {})
      : shape(std::move(sizes)), strides(std::move(steps)) {
    DLTensor& tensor = managed.dl_tensor;
    tensor.data = data;
    tensor.device.device_type = kDLCPU;
    tensor.ndim = std::int32_t(shape.size());
    tensor.dtype = {std::uint8_t(code), std::uint8_t(bits), 1};
    tensor.shape = shape.data();
    tensor.strides = strides.empty() ? nullptr : strides.data();
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor* self) {
      ++static_cast<Foreign*>(self->manager_ctx)->deleted;
    };
  }
  Foreign(const Foreign&) = delete;
  Foreign& operator=(const Foreign&) = delete;
};

template <class T>
class DlpackTest : public ::testing::Test {};
using Types = ::testing::Types<double, float, half, bfloat16, bool, std::int64_t>;
TYPED_TEST_SUITE(DlpackTest, Types);

TYPED_TEST(DlpackTest, RoundTripSharesMemory) {
  const auto base = Tensor<TypeParam>::from_values(
      {TypeParam(1), TypeParam(0), TypeParam(0), TypeParam(1), TypeParam(1), TypeParam(0)}, {2, 3});
  const std::vector<Tensor<TypeParam>> views{base,
                                             base.t(),
                                             base.slice(1, 2, -4, -1),
                                             base.select(0, 1),
                                             base.select(0, 1).select(0, 2),
                                             base.select(0, 0).expand({4, 3}),
                                             base.narrow(0, 1, 0)};
  for (const auto& x : views) {
    const auto y = from_dlpack<TypeParam>(to_dlpack(x));
    EXPECT_EQ(y.shape(), x.shape());
    EXPECT_EQ(y.strides(), x.strides());
    EXPECT_TRUE(x.numel() == 0 || y.data() == x.data());
    EXPECT_EQ(y.values(), x.values());
  }
}

TYPED_TEST(DlpackTest, DescribesTheTensor) {
  const Tensor<TypeParam> x({2, 3, 4});
  DLManagedTensor* const exported = to_dlpack(x.transpose(0, 2));
  const DLTensor& t = exported->dl_tensor;
  EXPECT_EQ(t.data, x.data());
  EXPECT_EQ(t.device.device_type, kDLCPU);
  EXPECT_EQ(t.byte_offset, 0u);
  EXPECT_EQ(Shape(t.shape, t.shape + t.ndim), (Shape{4, 3, 2}));
  EXPECT_EQ(Shape(t.strides, t.strides + t.ndim), (Shape{1, 4, 12}));
  EXPECT_EQ(t.dtype.bits, 8 * sizeof(TypeParam));
  EXPECT_EQ(t.dtype.lanes, 1);
  exported->deleter(exported);
}

TYPED_TEST(DlpackTest, ExportKeepsTheMemory) {
  Tensor<TypeParam> x({3});
  x.fill_(TypeParam(1));
  DLManagedTensor* const exported = to_dlpack(x);
  const Storage storage = x.storage();
  x = Tensor<TypeParam>();
  EXPECT_EQ(storage.use_count(), 2);
  EXPECT_EQ(static_cast<TypeParam*>(exported->dl_tensor.data)[2], TypeParam(1));
  exported->deleter(exported);
  EXPECT_EQ(storage.use_count(), 1);
}

TEST(Dlpack, TypeCodes) {
  const auto code = [](const auto& x) {
    DLManagedTensor* const exported = to_dlpack(x);
    const int result = exported->dl_tensor.dtype.code;
    exported->deleter(exported);
    return result;
  };
  EXPECT_EQ(code(Tensor<double>({1})), 2);
  EXPECT_EQ(code(Tensor<float>({1})), 2);
  EXPECT_EQ(code(Tensor<half>({1})), 2);
  EXPECT_EQ(code(Tensor<bfloat16>({1})), 4);
  EXPECT_EQ(code(Tensor<std::int64_t>({1})), 0);
  EXPECT_EQ(code(Tensor<bool>({1})), 6);
}

TEST(Dlpack, LayoutOfTheAbi) {
  EXPECT_EQ(sizeof(DLTensor), 48u);
  EXPECT_EQ(offsetof(DLTensor, device), 8u);
  EXPECT_EQ(offsetof(DLTensor, ndim), 16u);
  EXPECT_EQ(offsetof(DLTensor, dtype), 20u);
  EXPECT_EQ(offsetof(DLTensor, shape), 24u);
  EXPECT_EQ(offsetof(DLTensor, byte_offset), 40u);
  EXPECT_EQ(offsetof(DLManagedTensor, deleter), 56u);
}

TEST(Dlpack, ImportOwnsUntilTheLastHandleGoes) {
  std::array<double, 6> data{0, 1, 2, 3, 4, 5};
  Foreign foreign(data.data(), kDLFloat, 64, {2, 3});  // no strides: row-major
  {
    Tensor<double> row;
    {
      const auto x = from_dlpack<double>(&foreign.managed);
      EXPECT_EQ(x.strides(), (Shape{3, 1}));
      row = x.select(0, 1);
    }
    EXPECT_EQ(foreign.deleted, 0);
    row.set({2}, 7);
    EXPECT_EQ(data[5], 7);
  }
  EXPECT_EQ(foreign.deleted, 1);
}

TEST(Dlpack, NoDeleterIsAllowed) {
  double value = 3;
  Foreign foreign(&value, kDLFloat, 64, {});
  foreign.managed.deleter = nullptr;
  EXPECT_EQ(from_dlpack<double>(&foreign.managed).item(), 3);
}

TEST(Dlpack, OffsetsAndStridesAreHonoured) {
  std::array<float, 8> data{0, 1, 2, 3, 4, 5, 6, 7};
  Foreign foreign(data.data(), kDLFloat, 32, {2, 2}, {-4, 2});
  foreign.managed.dl_tensor.byte_offset = 5 * sizeof(float);
  EXPECT_EQ(from_dlpack<float>(&foreign.managed).values(), (std::vector<float>{5, 7, 1, 3}));
}

TEST(Dlpack, MasksOfBytes) {
  std::array<unsigned char, 4> data{1, 9, 0, 9};
  for (const int code : {6, int(kDLUInt)}) {
    Foreign foreign(data.data(), code, 8, {2}, {2});
    EXPECT_EQ(from_dlpack<bool>(&foreign.managed).values(), (std::vector<bool>{true, false}));
  }
  Foreign wrong(data.data(), kDLUInt, 8, {2, 2});
  EXPECT_THROW(from_dlpack<bool>(&wrong.managed), DomainError);
  EXPECT_EQ(wrong.deleted, 0);
}

TEST(Dlpack, EmptyTensorsHaveNoMemory) {
  Foreign foreign(nullptr, kDLFloat, 64, {0, 3});
  EXPECT_EQ(from_dlpack<double>(&foreign.managed).shape(), (Shape{0, 3}));
  EXPECT_EQ(foreign.deleted, 1);
  DLManagedTensor* const exported = to_dlpack(Tensor<double>({0}));
  EXPECT_EQ(exported->dl_tensor.data, nullptr);
  exported->deleter(exported);
}

TEST(Dlpack, RefusedTensorsStayTheCallers) {
  alignas(8) std::array<char, 64> data{};
  const auto refused = [&]<class E>(E, auto change) {
    Foreign foreign(data.data(), kDLFloat, 64, {2, 2});
    change(foreign.managed.dl_tensor);
    EXPECT_THROW(from_dlpack<double>(&foreign.managed), E);
    EXPECT_EQ(foreign.deleted, 0);
  };
  const DeviceError device("");
  const DomainError domain("");
  const ShapeError shape("");
  refused(device, [](DLTensor& t) { t.device.device_type = kDLCUDA; });
  refused(domain, [](DLTensor& t) { t.dtype.bits = 32; });
  refused(domain, [](DLTensor& t) { t.dtype.lanes = 2; });
  refused(domain, [](DLTensor& t) { t.dtype.code = kDLInt; });
  refused(domain, [](DLTensor& t) { t.data = nullptr; });
  refused(domain, [](DLTensor& t) { t.byte_offset = 4; });
  refused(shape, [](DLTensor& t) { t.ndim = -1; });
  refused(shape, [](DLTensor& t) { t.shape = nullptr; });
  refused(shape, [](DLTensor& t) { t.shape[0] = -2; });
  refused(shape, [](DLTensor& t) { t.shape[0] = t.shape[1] = std::int64_t(1) << 40; });
  refused(shape, [](DLTensor& t) { t.ndim = std::numeric_limits<std::int32_t>::min(); });
  EXPECT_THROW(from_dlpack<double>(nullptr), DomainError);
  Foreign bytes(data.data(), kDLUInt, 8, {2});
  EXPECT_THROW(from_dlpack<double>(&bytes.managed), DomainError);
  Foreign brain(data.data(), kDLBfloat, 16, {2});
  EXPECT_THROW(from_dlpack<half>(&brain.managed), DomainError);
  EXPECT_NO_THROW(from_dlpack<bfloat16>(&brain.managed));
}

TEST(Dlpack, ThousandsOfDimensionsAreRefused) {
  bool mask = true;
  for (const std::size_t dims : {std::size_t(65), std::size_t(3000000)}) {
    Foreign foreign(&mask, kDLUInt, 8, std::vector<std::int64_t>(dims, 1));
    EXPECT_THROW(from_dlpack<bool>(&foreign.managed), ShapeError);
    EXPECT_EQ(foreign.deleted, 0);
  }
  Foreign foreign(&mask, kDLUInt, 8, std::vector<std::int64_t>(64, 1));
  EXPECT_EQ(from_dlpack<bool>(&foreign.managed).dim(), 64);
}

TEST(Dlpack, BroadcastMasksAreCheckedOnce) {
  unsigned char byte = 1;
  const std::int64_t huge = std::int64_t(1) << 60;
  Foreign foreign(&byte, kDLUInt, 8, {huge}, {0});
  EXPECT_EQ(from_dlpack<bool>(&foreign.managed).numel(), huge);
  byte = 2;
  EXPECT_THROW(from_dlpack<bool>(&foreign.managed), DomainError);
}

TEST(Dlpack, OverlappingElementsAreReadOnly) {
  std::array<double, 8> data{1, 2, 3, 4, 5, 6, 7, 8};
  Foreign foreign(data.data(), kDLFloat, 64, {3, 2}, {1, 1});
  const auto x = from_dlpack<double>(&foreign.managed);
  EXPECT_EQ(x.values(), (std::vector<double>{1, 2, 2, 3, 3, 4}));
  EXPECT_EQ(sum(x).item(), 15);
  EXPECT_THROW(add_(x, 1.0), ShapeError);
  EXPECT_EQ(data[1], 2);
  EXPECT_NO_THROW(add_(x.clone(), 1.0));
}

}  // namespace
}  // namespace mct
