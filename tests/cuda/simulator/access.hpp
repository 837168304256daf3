// Who wrote and who read a place of memory: finds races.
#pragma once

#include <string>

#include "tests/cuda/simulator/block.hpp"

namespace mct::cuda {

/// A thread of a block between two barriers.
struct Moment {
  int block = -1, thread = -1, epoch = -1;
  int published = 0;  // of the thread, then

  static Moment now(const Block& block) {
    return {block.number, block.current, block.epoch, block.thread(block.current).published};
  }
};

/// The history of one place. Between blocks nothing is ordered, between the threads of a block only
/// what a barrier parts.
class Access {
 public:
  static constexpr int many = 0x7ffffffe;
  static constexpr int from_the_start = 0x7fffffff;

  bool written() const { return writer_.block >= 0; }
  bool pending() const { return pending_; }
  void set_written() { writer_ = {from_the_start, -1, -1, 0}; }
  void set_pending(bool pending) { pending_ = pending; }

  /// Empty, or what is wrong with reading now.
  std::string read(const Moment& now);
  /// The same for a product of a warpgroup, which reads until finish_product_read.
  std::string start_product_read(const Block& block);
  void finish_product_read() { --product_reads_; }
  std::string write(const Moment& now);

 private:
  Moment writer_, reader_;
  bool pending_ = false;
  int product_reads_ = 0;
};

}  // namespace mct::cuda
