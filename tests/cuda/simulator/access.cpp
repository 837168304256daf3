#include "tests/cuda/simulator/access.hpp"

namespace mct::cuda {
namespace {

bool unordered(const Moment& before, const Moment& now) {
  if (before.block < 0 || before.block == Access::from_the_start) return false;
  if (before.block != now.block) return true;
  return before.epoch == now.epoch && before.thread != now.thread;
}
std::string name(const Moment& m) {
  return m.thread == Access::many || m.block == Access::many
             ? "several threads"
             : "thread " + std::to_string(m.thread) + " of block " + std::to_string(m.block);
}
std::string race(const char* now_what, const char* before_what, const Moment& before,
                 const Moment& now) {
  return std::string("race: ") + now_what + " by " + name(now) + ", " + before_what + " by " +
         name(before) + " with no barrier between";
}

}  // namespace

std::string Access::read(const Moment& now) {
  if (pending_) return "read of what is still being copied";
  if (!written()) return "read of what was never written";
  if (unordered(writer_, now)) return race("read", "written", writer_, now);
  const bool others =
      reader_.block == now.block && reader_.epoch == now.epoch && reader_.thread != now.thread;
  const bool elsewhere = reader_.block >= 0 && reader_.block != now.block;
  reader_ = {elsewhere ? many : now.block, others ? many : now.thread, now.epoch, 0};
  return {};
}

std::string Access::start_product_read(const Block& block) {
  // by no thread alone: what any of the block's wrote must be after a barrier
  std::string wrong = read({block.number, many, block.epoch});
  if (wrong.empty() && writer_.block == block.number &&
      block.thread(writer_.thread).published == writer_.published)
    wrong = "read by a product of what " + name(writer_) + " wrote and has not published";
  ++product_reads_;
  return wrong;
}

std::string Access::write(const Moment& now) {
  if (product_reads_ > 0) return "written while a product reads it";
  if (unordered(writer_, now)) return race("written", "written", writer_, now);
  if (unordered(reader_, now)) return race("written", "read", reader_, now);
  writer_ = now;
  return {};
}

}  // namespace mct::cuda
