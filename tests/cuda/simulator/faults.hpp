// Faults that a test plants, to see whether the simulator finds them.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/cuda/simulator/call_site.hpp"

namespace mct::cuda {

class Faults {
 public:
  using At = CallSite;

  /// Without the barrier whose place in the source is number `site`, in the order in which threads
  /// first come to them.
  static Faults without_barrier(int site) {
    Faults f;
    f.dropped_site_ = site;
    return f;
  }
  /// Every wait for copies lets so many more groups be under way.
  static Faults impatient(int groups) {
    Faults f;
    f.unawaited_ = groups;
    return f;
  }
  /// The same of products of a warpgroup.
  static Faults impatient_for_products(int groups) {
    Faults f;
    f.unawaited_products_ = groups;
    return f;
  }
  /// Without the fences of registers before products, or of shared memory before they read it.
  static Faults without_fences_of_products() {
    Faults f;
    f.fences_products_ = false;
    return f;
  }
  static Faults without_publishing() {
    Faults f;
    f.publishes_ = false;
    return f;
  }

  bool drops(const At& at) {
    if (dropped_site_ < 0) return false;
    const std::pair<unsigned, unsigned> site(at.line(), at.column());
    const auto found = std::find(sites_.begin(), sites_.end(), site);
    const auto number = found - sites_.begin();
    if (found == sites_.end()) sites_.push_back(site);
    return number == dropped_site_;
  }
  int unawaited() const { return unawaited_; }
  int unawaited_products() const { return unawaited_products_; }
  bool fences_products() const { return fences_products_; }
  bool publishes() const { return publishes_; }

 private:
  int dropped_site_ = -1;
  int unawaited_ = 0;
  int unawaited_products_ = 0;
  bool fences_products_ = true, publishes_ = true;
  std::vector<std::pair<unsigned, unsigned>> sites_;
};

}  // namespace mct::cuda
