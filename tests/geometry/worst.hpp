// The worst error of many cases.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "validation/core/big.hpp"

namespace mct::geometry_test {

using validation::Big;

/// The worst error of a method in units of its bound; each case's failure names it.
class Worst {
 public:
  explicit Worst(std::string name) : name_(std::move(name)) {}
  Worst(const Worst&) = delete;
  Worst& operator=(const Worst&) = delete;
  ~Worst() {
    ::testing::Test::RecordProperty(name_, number_text(worst_));
    EXPECT_LE(worst_, 1) << name_ << ", case " << where_;
    if (std::getenv("WORST")) std::printf("%-22s %.4f\n", name_.c_str(), worst_);
  }

  /// error <= constant u^N reference + floor
  void add(const Big& error, const Big& unit, double constant, const Big& reference, int where,
           const Big& floor) {
    add(error, Big(constant) * unit * reference + floor, where);
  }
  /// |ours - truth| <= bound
  template <class V>
  void add(const V& ours, const Big& truth, const Big& bound, int where) {
    add(abs(Big(ours) - truth), bound, where);
  }
  /// error <= bound
  void add(const Big& error, const Big& bound, int where) {
    const double ratio = error.is_zero() ? 0 : double(error / bound);
    if (ratio > worst_ || ratio != ratio) {
      worst_ = ratio != ratio ? INFINITY : ratio;
      where_ = where;
    }
  }
  double worst() const { return worst_; }

 private:
  std::string name_;
  double worst_ = 0;
  int where_ = 0;
};

}  // namespace mct::geometry_test
