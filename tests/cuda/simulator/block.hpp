// A thread block on one processor: every thread a fiber (Boost.Context), run in an order that a
// seed chooses.
#pragma once

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <exception>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "mctensor/base/functions.hpp"
#include "tests/cuda/simulator/call_site.hpp"
#include "tests/cuda/simulator/faults.hpp"
#include "tests/cuda/simulator/products_under_way.hpp"

namespace mct::cuda {

/// What a GPU would hide, with threads and lines.
class SimulationError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How a matrix instruction sums.
enum class TensorCore {
  rounded,  // in double, rounded once to the nearest: of no device, what one would want
  ampere,   // A100: tensor_core.hpp
  hopper    // H100
};

/// What the threads of a block share, and which of them runs.
class Block {
 public:
  using At = CallSite;
  static constexpr int warp = 32, warpgroup = 128;

  /// One thread: where it waits, what it shows to its warp, which copies it has under way.
  struct Thread {
    boost::context::fiber fiber, scheduler;
    std::string_view waits_for;  // empty while it runs
    At at;
    bool done = false;
    alignas(16) unsigned char shown[64];
    std::vector<std::vector<OwnedFunction<void()>>> copies;  // groups; the last one is open
    int published = 0;  // how often what it had written was made readable by products
    ProductsUnderWay products;
  };
  /// The factors of the product that a warpgroup starts, read once for all of its threads.
  struct Factors {
    std::vector<float> left, right;  // 64 x 16 if in shared memory; columns x 16
    std::shared_ptr<FactorReading> reading;
    int users = 0;
  };

  int x = 0, y = 0, z = 0, blocks_x = 1, blocks_y = 1, blocks_z = 1;
  int number = 0;   // among the blocks of the grid
  int epoch = 0;    // barriers so far
  int current = 0;  // the thread that runs
  TensorCore tensor_core = TensorCore::rounded;
  Faults* faults = nullptr;  // never null while it runs

  explicit Block(int count)
      : threads_(std::size_t(count)), factors_(std::size_t((count + warpgroup - 1) / warpgroup)) {}

  int size() const { return int(threads_.size()); }
  Thread& thread(int i) { return threads_[std::size_t(i)]; }
  const Thread& thread(int i) const { return threads_[std::size_t(i)]; }
  Thread& self() { return thread(current); }
  /// Of the calling thread's warpgroup.
  Factors& factors() { return factors_[std::size_t(current / warpgroup)]; }

  /// The calling thread waits until all whom it concerns call the same.
  void park(std::string_view what, const At& at) {
    Thread& t = self();
    t.waits_for = what;
    t.at = at;
    t.scheduler = std::move(t.scheduler).resume();
  }

  /// Runs all threads to their ends, `body` in each. Throws what a thread throws, and
  /// SimulationError for a barrier or an exchange that some never reach.
  void run(FunctionRef<void()> body, std::mt19937& order_of_threads);

  std::string where(int i) {
    return "thread " + std::to_string(i) + " of block " + std::to_string(number) + " at line " +
           std::to_string(thread(i).at.line());
  }

 private:
  void start(int i, FunctionRef<void()> body);
  bool release(int first, int count, std::string_view what);

  std::vector<Thread> threads_;
  std::vector<Factors> factors_;
  std::exception_ptr error_;
};

}  // namespace mct::cuda
