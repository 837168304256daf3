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
  bool written() const { return writer_.block >= 0; }
  bool pending() const { return pending_; }
  void set_written() { writer_ = {0x7fffffff, -1, -1, 0}; }
  void set_pending(bool pending) { pending_ = pending; }

  /// Empty, or what is wrong with reading now.
  std::string read(const Moment& now) {
    if (pending_) return "read of what is still being copied";
    if (!written()) return "read of what was never written";
    if (unordered(writer_, now)) return race("read", "written", writer_, now);
    const bool others =
        reader_.block == now.block && reader_.epoch == now.epoch && reader_.thread != now.thread;
    const bool elsewhere = reader_.block >= 0 && reader_.block != now.block;
    reader_ = {elsewhere ? many : now.block, others ? many : now.thread, now.epoch, 0};
    return {};
  }
  /// The same for a product of a warpgroup, which reads until finish_product_read.
  std::string start_product_read(const Block& block) {
    // by no thread alone: what any of the block's wrote must be behind a barrier
    std::string wrong = read({block.number, many, block.epoch});
    if (wrong.empty() && writer_.block == block.number &&
        block.thread(writer_.thread).published == writer_.published)
      wrong = "read by a product of what " + name(writer_) + " wrote and has not published";
    ++product_reads_;
    return wrong;
  }
  void finish_product_read() { --product_reads_; }
  std::string write(const Moment& now) {
    if (product_reads_ > 0) return "written while a product reads it";
    if (unordered(writer_, now)) return race("written", "written", writer_, now);
    if (unordered(reader_, now)) return race("written", "read", reader_, now);
    writer_ = now;
    return {};
  }

 private:
  static constexpr int many = 0x7ffffffe;
  static constexpr int from_the_start = 0x7fffffff;

  static bool unordered(const Moment& before, const Moment& now) {
    if (before.block < 0 || before.block == from_the_start) return false;
    if (before.block != now.block) return true;
    return before.epoch == now.epoch && before.thread != now.thread;
  }
  static std::string name(const Moment& m) {
    return m.thread == many || m.block == many
               ? "several threads"
               : "thread " + std::to_string(m.thread) + " of block " + std::to_string(m.block);
  }
  static std::string race(const char* now_what, const char* before_what, const Moment& before,
                          const Moment& now) {
    return std::string("race: ") + now_what + " by " + name(now) + ", " + before_what + " by " +
           name(before) + " with no barrier between";
  }

  Moment writer_, reader_;
  bool pending_ = false;
  int product_reads_ = 0;
};

}  // namespace mct::cuda
