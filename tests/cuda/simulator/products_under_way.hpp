// Products of a warpgroup that a thread has started and not yet waited for.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tests/cuda/simulator/matrix_factor.hpp"

namespace mct::cuda {

/// What an instruction reads of shared memory, for as long as a thread of its warpgroup has not
/// waited for it.
class FactorReading {
 public:
  ~FactorReading() {
    for (const auto& [memory, byte] : places_) memory->finish_read(byte);
  }
  float read(const MatrixMemory& memory, int byte, const CallSite& at) {
    const float x = memory.start_read(byte, at);
    places_.emplace_back(&memory, byte);
    return x;
  }

 private:
  std::vector<std::pair<const MatrixMemory*, int>> places_;
};

/// Until a wait, the registers of the sums hold a NaN of no other origin: who reads them computes
/// NaN, who writes to them is found by the wait, as is who changes the left fragments.
///
/// Functions return what is wrong, or nothing.
class ProductsUnderWay {
 public:
  void fence() { fenced_ = true; }

  /// What a product starts from: the registers' values, or those that are under way to them.
  std::string begin(std::span<float* const> sums, bool add, std::vector<float>& values) const;
  /// The product has these sums in the end. left: registers of the thread, if it has any.
  void start(std::span<float* const> sums, const std::vector<float>& values,
             std::span<const std::uint32_t* const> left, std::shared_ptr<FactorReading> reading);
  void commit() { ++group_; }
  /// Until at most `left` of the latest groups are under way.
  std::string wait(int left);
  bool any() const { return !sums_.empty(); }

 private:
  struct Sum {
    float value;
    std::size_t shape;  // registers of the product
    int group;
  };
  struct Product {
    int group;
    std::vector<std::pair<const std::uint32_t*, std::uint32_t>> left;  // and what they held
    std::shared_ptr<FactorReading> reading;
  };

  bool fenced_ = false;
  int group_ = 0;  // the open one
  std::map<float*, Sum> sums_;
  std::vector<Product> products_;
};

}  // namespace mct::cuda
