// Arrays of AdamW in the memory of the simulated device.
#pragma once

#include <vector>

#include "mctensor/device/memory.hpp"
#include "tests/cuda/adamw_arrays.hpp"
#include "tests/cuda/simulator/device.hpp"

namespace mct::cuda::testing {

/// Arrays of `from` in the memory of the simulated device.
class ArraysThere {
 public:
  explicit ArraysThere(Tensors& from) : here_(&from), list_(from.memory()) {
    for (std::size_t t = 0; t < list_.size(); ++t)
      for (std::size_t k = 0; k <= kept_arrays.size(); ++k) {
        auto& bytes = here_->bytes(t, k);
        memory_.push_back(DeviceMemory::allocate(bytes.size(), default_stream()));
        void* const there = memory_.back().data();
        copy(there, bytes.data(), bytes.size(), default_stream());
        if (k == kept_arrays.size()) {
          list_[t].grad = there;
        } else {
          list_[t].*kept_arrays[k].data = there;
        }
      }
  }
  const std::vector<AdamWMemory>& list() const { return list_; }
  /// What is there now.
  Tensors& fetch() const {
    std::size_t i = 0;
    for (std::size_t t = 0; t < list_.size(); ++t)
      for (std::size_t k = 0; k <= kept_arrays.size(); ++k, ++i)
        copy(here_->bytes(t, k).data(), memory_[i].data(), memory_[i].bytes(), default_stream());
    return *here_;
  }

 private:
  Tensors* here_;
  std::vector<AdamWMemory> list_;
  std::vector<DeviceMemory> memory_;
};

}  // namespace mct::cuda::testing
