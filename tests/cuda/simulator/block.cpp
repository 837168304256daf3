#include "tests/cuda/simulator/block.hpp"

#include <boost/context/pooled_fixedsize_stack.hpp>
#include <numeric>

namespace mct::cuda {
namespace {

constexpr std::size_t stack_bytes = std::size_t(256) << 10;

/// Used again by one block after the other.
boost::context::pooled_fixedsize_stack& stacks() {
  static thread_local boost::context::pooled_fixedsize_stack all(stack_bytes);
  return all;
}

}  // namespace

void Block::start(int i, FunctionRef<void()> body) {
  thread(i).fiber = boost::context::fiber(
      std::allocator_arg, stacks(), [this, i, body](boost::context::fiber&& scheduler) {
        thread(i).scheduler = std::move(scheduler);
        try {
          body();
        } catch (const boost::context::detail::forced_unwind&) {  // an error ended the block
          throw;
        } catch (...) {
          error_ = std::current_exception();
        }
        thread(i).done = true;
        return std::move(thread(i).scheduler);
      });
}

/// Lets `count` threads go on if all of them wait for the same.
bool Block::release(int first, int count, std::string_view what) {
  for (int i = first; i < first + count; ++i)
    if (thread(i).done || thread(i).waits_for != what) return false;
  const At& at = thread(first).at;
  for (int i = first; i < first + count; ++i)
    if (thread(i).at.line() != at.line() || thread(i).at.column() != at.column())
      throw SimulationError("divergent " + std::string(what) + ": " + where(first) + ", " +
                            where(i));
  for (int i = first; i < first + count; ++i) thread(i).waits_for = {};
  return true;
}

void Block::run(FunctionRef<void()> body, std::mt19937& order_of_threads) {
  std::vector<int> order(threads_.size());
  std::iota(order.begin(), order.end(), 0);
  for (const int i : order) start(i, body);
  while (!std::all_of(threads_.begin(), threads_.end(), [](const Thread& t) { return t.done; })) {
    std::shuffle(order.begin(), order.end(), order_of_threads);
    bool moved = false;
    for (const int i : order) {
      if (thread(i).done || !thread(i).waits_for.empty()) continue;
      current = i;
      moved = true;
      thread(i).fiber = std::move(thread(i).fiber).resume();
      if (error_) std::rethrow_exception(error_);
    }
    for (int first = 0; first < size(); first += warp)
      moved |= release(first, std::min(warp, size() - first), "exchange");
    for (int first = 0; first < size(); first += warpgroup)
      moved |= release(first, std::min(warpgroup, size() - first), "product");
    if (release(0, size(), "barrier")) {
      ++epoch;
      moved = true;
    }
    if (moved) continue;
    const auto stuck =
        std::find_if(threads_.begin(), threads_.end(), [](const Thread& t) { return !t.done; });
    throw SimulationError(std::string(stuck->waits_for) +
                          " that not all threads reach: " + where(int(stuck - threads_.begin())));
  }
}

}  // namespace mct::cuda
