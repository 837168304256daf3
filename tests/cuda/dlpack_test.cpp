// DLPack of tensors on a GPU, on a simulated one.
#include <gtest/gtest.h>

#include "mctensor/interop/dlpack_cuda.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/cuda/simulator/device.hpp"

namespace {

using namespace mct::cuda;
using mct::Shape;

TEST(DlpackCuda, ShowsTheSameMemory) {
  const auto x = mct::rand<float>({3, 4}, 1);
  auto there = to_device(x);
  take_simulated_log();
  DLManagedTensor* const shown = to_dlpack(there);
  EXPECT_EQ(take_simulated_log(), std::vector<std::string>{"wait for 1"});
  EXPECT_EQ(shown->dl_tensor.device.device_type, kDLCUDA);
  EXPECT_EQ(shown->dl_tensor.device.device_id, 0);
  EXPECT_EQ(shown->dl_tensor.data, there.data());
  EXPECT_EQ(shown->dl_tensor.strides[0], 4);
  there = {};
  {
    const auto back = from_dlpack<float>(shown);
    EXPECT_EQ(to_host(back).values(), x.values());
    EXPECT_EQ(simulated_allocations(), 1);
  }
  EXPECT_EQ(simulated_allocations(), 0);  // the deleter was called
}

/// Somebody else's tensor, which counts how often it is deleted.
class Foreign {
 public:
  DLManagedTensor managed{};
  int deleted = 0;
  Shape shape{2, 3}, strides{3, 1};
  DeviceMemory memory = DeviceMemory::allocate(64, default_stream());

  Foreign() {
    managed.dl_tensor = {memory.data(), {kDLCUDA, 0},   2, {kDLFloat, 32, 1},
                         shape.data(),  strides.data(), 4};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor* self) {
      log_simulated("deleted");
      ++static_cast<Foreign*>(self->manager_ctx)->deleted;
    };
  }
};

TEST(DlpackCuda, TakesOthersTensors) {
  Foreign foreign;
  {
    const auto x = from_dlpack<float>(&foreign.managed);
    EXPECT_EQ(x.data(), static_cast<float*>(foreign.memory.data()) + 1);
    EXPECT_EQ(x.shape(), (Shape{2, 3}));
    take_simulated_log();
  }
  EXPECT_EQ(take_simulated_log(), (std::vector<std::string>{"wait for 1", "deleted"}));
  EXPECT_EQ(foreign.deleted, 1);
}

TEST(DlpackCuda, RefusesWhatItCannotTake) {
  Foreign foreign;
  DLTensor& tensor = foreign.managed.dl_tensor;
  const auto refused = [&](auto exception) {
    EXPECT_THROW(from_dlpack<float>(&foreign.managed), decltype(exception));
    tensor = Foreign().managed.dl_tensor;
    tensor.data = foreign.memory.data();
    tensor.shape = foreign.shape.data();
    tensor.strides = foreign.strides.data();
  };
  tensor.device.device_type = kDLCPU;
  refused(mct::DeviceError(""));
  tensor.device.device_id = 1;
  refused(mct::DeviceError(""));
  tensor.dtype.bits = 64;
  refused(mct::DomainError(""));
  tensor.byte_offset = 2;
  refused(mct::DomainError(""));
  tensor.data = nullptr;
  refused(mct::DomainError(""));
  foreign.strides = {1, 2};
  refused(mct::ShapeError(""));
  foreign.strides = {3, 1};
  EXPECT_THROW(from_dlpack<float>(nullptr), mct::DomainError);
  EXPECT_THROW(mct::from_dlpack<float>(&foreign.managed), mct::DeviceError);  // not the CPU's
  EXPECT_EQ(foreign.deleted, 0);
  from_dlpack<float>(&foreign.managed);
  EXPECT_EQ(foreign.deleted, 1);
}

}  // namespace
