// How many threads there may be, and what a child process does without them.
#include "mctensor/tensor/threads.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/tensor/parallel_for.hpp"
#include "mctensor/tensor/reduce.hpp"
#include "tests/message_of.hpp"

namespace mct {
namespace {

/// Restores the number of threads.
class ThreadsTest : public ::testing::Test {
 protected:
  ~ThreadsTest() override { set_num_threads(before_); }

 private:
  int before_ = num_threads();
};

TEST_F(ThreadsTest, NumbersOutsideTheRangeAreRefused) {
  EXPECT_GE(max_num_threads(), 64);
  EXPECT_GE(num_threads(), 1);
  EXPECT_LE(num_threads(), max_num_threads());
  const int before = num_threads();
  for (const int count : {0, -1, std::numeric_limits<int>::min(), max_num_threads() + 1, 1000000,
                          std::numeric_limits<int>::max()})
    EXPECT_NE(testing::message_of<DomainError>([&] {
                set_num_threads(count);
              }).find(std::to_string(max_num_threads())),
              std::string::npos)
        << count;
  EXPECT_EQ(num_threads(), before);
  set_num_threads(max_num_threads());
  EXPECT_EQ(sum(Tensor<double>({1000000})).item(), 0);
}

TEST_F(ThreadsTest, WhatTheEnvironmentAsksForIsWithinBounds) {
  // as it was set before the process began: see CMakeLists.txt
  const char* const wanted = std::getenv("OMP_NUM_THREADS");
  if (wanted != nullptr && std::atoi(wanted) > max_num_threads()) {
    EXPECT_EQ(num_threads(), max_num_threads());
  } else if (wanted != nullptr && std::atoi(wanted) > 0) {
    EXPECT_EQ(num_threads(), std::atoi(wanted));
  }
  EXPECT_EQ(sum(Tensor<double>({1000000})).item(), 0);
}

TEST_F(ThreadsTest, RangesOfHugeCountsAreRanges) {
  for (const int threads : {1, 2, 3, 7}) {
    set_num_threads(threads);
    for (const std::int64_t count : {(std::int64_t(1) << 62) + 8, std::int64_t(1) << 62,
                                     std::numeric_limits<std::int64_t>::max()}) {
      std::mutex mutex;
      std::int64_t covered = 0;
      parallel_for(count, 1e9, [&](std::int64_t begin, std::int64_t end) {
        const std::lock_guard lock(mutex);
        EXPECT_GE(begin, 0);
        EXPECT_LE(begin, end);
        EXPECT_LE(end, count);
        covered += end - begin;
      });
      EXPECT_EQ(covered, count);
    }
  }
}

TEST_F(ThreadsTest, AChildProcessWorksAlone) {
  set_num_threads(4);
  const auto work = [] {
    std::vector<int> visits(1000, 0);
    parallel_for(1000, 1e9, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) ++visits[std::size_t(i)];
    });
    return visits == std::vector<int>(1000, 1);
  };
  ASSERT_TRUE(work());  // the threads of the pool exist from here on
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(20);
    bool right = work() && num_threads() == 1;
    set_num_threads(3);
    right = right && work();
    ::_exit(right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(num_threads(), 4);
  EXPECT_TRUE(work());
}

}  // namespace
}  // namespace mct
