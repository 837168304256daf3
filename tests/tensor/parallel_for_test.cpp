// Loops on several threads: every index once, exceptions reach the caller.
#include "mctensor/tensor/parallel_for.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "mctensor/base/environment.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/threads.hpp"
#include "src/tensor/parallel.hpp"
#include "tests/modes.hpp"

namespace mct {
namespace {

TEST(ParallelFor, VisitsEveryIndexOnce) {
  const int before = num_threads();
  for (const int threads : {1, 2, 5}) {
    set_num_threads(threads);
    for (const std::int64_t count : {0, 1, 3, 1000})
      for (const double cost : {0.0, 1e9}) {
        std::vector<int> visits(std::size_t(count), 0);
        parallel_for(count, cost, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) ++visits[std::size_t(i)];
        });
        EXPECT_EQ(visits, std::vector<int>(std::size_t(count), 1)) << threads << ", " << cost;
      }
  }
  set_num_threads(before);
}

// A new thread begins with the modes of the one that starts it, and so do the threads that work for
// it.
TEST(ParallelFor, WorksInTheExactEnvironmentOnEveryThread) {
  const int before = num_threads();
  for (const testing::Mode mode : testing::all_modes) {
    for (const int threads : {1, 3}) {
      set_num_threads(threads);
      std::atomic<int> exact{0};
      bool restored = false;
      std::thread([&] {
        const testing::Modes modes(mode);
        parallel_for(3, 1e9, [&](std::int64_t begin, std::int64_t end) {
          if (environment_is_exact()) exact += int(end - begin);
        });
        restored = !environment_is_exact();
      }).join();
      EXPECT_EQ(exact, 3) << testing::name(mode) << ", threads: " << threads;
      EXPECT_TRUE(restored) << testing::name(mode) << ", threads: " << threads;
    }
  }
  set_num_threads(before);
}

TEST(ParallelFor, ThrowsOn) {
  const int before = num_threads();
  set_num_threads(2);
  for (const double cost : {0.0, 1e9}) {
    EXPECT_THROW(parallel_for(10, cost,
                              [](std::int64_t begin, std::int64_t) {
                                if (begin == 0) throw std::runtime_error("first");
                              }),
                 std::runtime_error);
    // the first range's, whoever is faster
    std::string message;
    try {
      parallel_for(10, cost, [](std::int64_t begin, std::int64_t) {
        throw std::runtime_error(std::to_string(begin));
      });
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    EXPECT_EQ(message, "0");
    EXPECT_THROW(parallel_for(-1, cost, [](std::int64_t, std::int64_t) {}), DomainError);
    EXPECT_NO_THROW(parallel_for(0, cost, [](std::int64_t, std::int64_t) { FAIL(); }));
  }
  set_num_threads(before);
}

TEST(ParallelFor, EachThreadHasEnoughToDo) {
  using tensor_detail::threads_for;
  const int before = num_threads();
  set_num_threads(8);
  if (num_threads() == 1) GTEST_SKIP() << "a build without threads";
  EXPECT_EQ(threads_for(0), 1);
  EXPECT_EQ(threads_for(9e4), 1);
  EXPECT_EQ(threads_for(1e5), 2);
  EXPECT_EQ(threads_for(2e5), 4);
  EXPECT_EQ(threads_for(1e300), 8);
  set_num_threads(before);
}

}  // namespace
}  // namespace mct
