// Work that threads share: every piece once, whoever works on it; what fails is told.
#include "src/tensor/thread_pool.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "mctensor/base/environment.hpp"
#include "tests/message_of.hpp"

namespace mct::tensor_detail {
namespace {

TEST(ThreadPool, EveryPieceIsWorkedOnOnce) {
  for (const int threads : {1, 2, 5, 100})  // more threads than the pool keeps track of, too
    for (int round = 0; round < 2000; ++round) {
      const int pieces = threads == 100 ? 130 : round % 7;
      std::vector<int> visits(std::size_t(pieces), 0);
      std::vector<int> by(std::size_t(pieces), -1);
      std::vector<char> exact(std::size_t(pieces), 0);
      run_pieces(pieces, threads, [&](std::int64_t piece, int thread) {
        ++visits[std::size_t(piece)];
        by[std::size_t(piece)] = thread;
        exact[std::size_t(piece)] = environment_is_exact();
      });
      ASSERT_EQ(visits, std::vector<int>(std::size_t(pieces), 1)) << threads << ", " << round;
      ASSERT_EQ(exact, std::vector<char>(std::size_t(pieces), 1)) << threads << ", " << round;
      for (const int thread : by) ASSERT_TRUE(thread >= 0 && thread < threads) << thread;
    }
}

// The caller needs no other thread: if the others get no processor, it does all.
TEST(ThreadPool, NoThreadIsWaitedForThatHasNotBegun) {
  std::vector<int> by(64, -1);
  run_pieces(64, 3, [&](std::int64_t piece, int thread) {
    by[std::size_t(piece)] = thread;
    if (thread != 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  });
  int of_others = 0;
  for (const int thread : by) of_others += thread != 0;
  EXPECT_LT(of_others, 32);  // even if the caller is kept from working for a while
}

// The call ends after the last piece has, also if its thread sleeps longer than the caller is
// awake.
TEST(ThreadPool, EveryPieceHasEnded) {
  for (int i = 0; i < 20; ++i) {
    std::atomic<int> ended{0};
    run_pieces(4, 4, [&](std::int64_t piece, int) {
      std::this_thread::sleep_for(std::chrono::milliseconds(piece));
      ++ended;
    });
    ASSERT_EQ(ended, 4);
  }
}

TEST(ThreadPool, OtherThreadsHelp) {
  std::atomic<int> of_others{0};
  for (int i = 0; i < 100 && of_others == 0; ++i)
    run_pieces(8, 2, [&](std::int64_t, int thread) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      of_others += thread != 0;
    });
  EXPECT_GT(of_others, 0);
}

TEST(ThreadPool, AThrownExceptionReachesTheCaller) {
  for (const int threads : {1, 3}) {
    std::atomic<int> worked{0};
    const auto failing = [&](std::int64_t piece, int) {
      ++worked;
      if (piece == 4 || piece == 7) throw std::runtime_error(std::to_string(piece));
    };
    EXPECT_EQ(testing::message_of<std::runtime_error>([&] { run_pieces(9, threads, failing); }),
              "4");
    EXPECT_EQ(worked, 9);
    run_pieces(1, threads, [&](std::int64_t, int) { ++worked; });
    EXPECT_EQ(worked, 10);
  }
}

// A call within a piece works on the piece's thread, and the next pieces still do so.
TEST(ThreadPool, CallsMayBeNested) {
  std::atomic<int> inner{0};
  for (int round = 0; round < 100; ++round)
    run_pieces(6, 3, [&](std::int64_t, int) {
      const auto here = std::this_thread::get_id();
      for (int call = 0; call < 2; ++call)
        run_pieces(5, 3, [&](std::int64_t, int thread) {
          inner += thread == 0 && std::this_thread::get_id() == here;
        });
    });
  EXPECT_EQ(inner, 100 * 6 * 2 * 5);
}

TEST(ThreadPool, SeveralThreadsMayCallAtOnce) {
  std::atomic<std::int64_t> sum{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int i = 0; i < 500; ++i)
        run_pieces(10, 3, [&](std::int64_t piece, int) { sum += piece; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 4 * 500 * 45);
}

// A forked child has none of the threads, and makes its own.
TEST(ThreadPool, AChildProcessHasItsOwnThreads) {
  run_pieces(8, 3, [](std::int64_t, int) {});
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::atomic<int> worked{0};
    run_pieces(8, 3, [&](std::int64_t, int) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++worked;
    });
    ::_exit(worked == 8 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// If the system gives no more threads, those that are there do the work.
TEST(ThreadPool, TheSystemMayRefuseThreads) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::ifstream sizes("/proc/self/statm");
    rlim_t pages = 0;
    sizes >> pages;
    const rlim_t most = pages * rlim_t(::sysconf(_SC_PAGESIZE)) + (rlim_t(40) << 20);
    const rlimit limit{most, most};
    std::atomic<int> worked{0};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(2);
    run_pieces(500, 60, [&](std::int64_t, int) { ++worked; });  // of 8 MiB each
    ::_exit(worked == 500 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}
#endif

}  // namespace
}  // namespace mct::tensor_detail
