#include "src/tensor/thread_pool.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>
#if defined(__linux__)
#include <sched.h>
#endif

#include "mctensor/base/environment.hpp"

namespace mct::tensor_detail {
namespace {

/// A thread that waits for no longer than this stays awake: to wake it takes about as long.
constexpr std::chrono::microseconds awake{20};
constexpr int looks_between_clocks = 32;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// Waits awake until ready(); false if that takes too long.
template <class Ready>
bool awaited(const Ready& ready) {
  const auto end = std::chrono::steady_clock::now() + awake;
  do {
    for (int i = 0; i < looks_between_clocks; ++i) {
      if (ready()) return true;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

/// The processors that the threads of a job run on. Linux may let two of them share a processor
/// while another program has a processor for itself. So the later one of the two goes elsewhere.
class Processors {
 public:
  Processors() {
    for (auto& processor : of_thread_) processor.store(nowhere, std::memory_order_relaxed);
  }

  void leave(int thread) {
    if (known(thread)) of(thread).store(nowhere, std::memory_order_relaxed);
  }

#if defined(__linux__)
  /// Notes where this thread is. It moves away if a thread of a smaller number is here, too.
  /// Thread 0 is the user's, and stays.
  void settle(int thread) {
    if (!known(thread)) return;
    const int here = ::sched_getcpu();
    of(thread).store(here, std::memory_order_relaxed);
    for (int other = 0; other < thread; ++other)
      if (of(other).load(std::memory_order_relaxed) == here) return move_away();
  }

 private:
  void move_away() const {
    cpu_set_t allowed;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    cpu_set_t unused = allowed;
    for (const auto& processor : of_thread_) {
      const int at = processor.load(std::memory_order_relaxed);
      if (at >= 0 && at < CPU_SETSIZE) CPU_CLR(std::size_t(at), &unused);
    }
    if (CPU_COUNT(&unused) == 0 || ::sched_setaffinity(0, sizeof unused, &unused) != 0) return;
    ::sched_setaffinity(0, sizeof allowed, &allowed);  // it is elsewhere now, and free again
  }
#else
  void settle(int) {}

 private:
#endif
  static constexpr int nowhere = -1;
  static constexpr int most_threads = 64;
  static bool known(int thread) { return thread < most_threads; }
  std::atomic<int>& of(int thread) { return of_thread_[std::size_t(thread)]; }

  std::array<std::atomic<int>, most_threads> of_thread_;
};

/// Within a piece.
thread_local bool at_work = false;

/// One call of run_pieces.
class Job {
 public:
  Job(std::int64_t pieces, int threads, FunctionRef<void(std::int64_t, int)> work)
      : pieces_(pieces), threads_(threads), work_(work), failed_(pieces) {}
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Takes pieces until none is left.
  void work_as(int thread) {
    const ExactEnvironment exact;  // a thread has its own
    const bool before = at_work;
    at_work = true;
    for (std::int64_t piece = next_++; piece < pieces_; piece = next_++) {
      if (threads_ > 1) processors_.settle(thread);
      try {
        work_(piece, thread);
      } catch (...) {
        const std::lock_guard lock(failure_access_);
        if (piece >= failed_) continue;
        failed_ = piece;
        failure_ = std::current_exception();
      }
    }
    at_work = before;
    processors_.leave(thread);
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  bool wants_a_thread() const {
    return joined_ < threads_ && next_.load(std::memory_order_relaxed) < pieces_;
  }
  /// The number of a thread that helps from now on. Like leave(), under the pool's lock.
  int join() {
    inside_.fetch_add(1, std::memory_order_relaxed);
    return joined_++;
  }
  /// True if it was the last one. The job may be gone as soon as the lock is.
  bool leave() { return inside_.fetch_sub(1, std::memory_order_release) == 1; }
  bool is_left() const { return inside_.load(std::memory_order_acquire) == 0; }

 private:
  const std::int64_t pieces_;
  const int threads_;
  const FunctionRef<void(std::int64_t, int)> work_;
  std::atomic<std::int64_t> next_{0};
  int joined_ = 1;              // the caller
  std::atomic<int> inside_{0};  // helpers
  Processors processors_;
  std::mutex failure_access_;
  std::int64_t failed_;  // the first piece that has failed
  std::exception_ptr failure_;
};

/// The process's threads, and the jobs that they may help with.
class Pool {
 public:
  void work_together(Job& job, int threads) {
    int to_wake = 0;
    {
      const std::lock_guard lock(access_);
      grow(threads - 1);
      open_.push_back(&job);
      ++jobs_;
      to_wake = std::min(asleep_, threads - 1);
    }
    for (int i = 0; i < to_wake; ++i) begun_.notify_one();
    job.work_as(0);
    {
      const std::lock_guard lock(access_);
      open_.erase(std::find(open_.begin(), open_.end(), &job));
      --jobs_;
    }
    if (awaited([&] { return job.is_left(); })) return;
    std::unique_lock lock(access_);
    left_.wait(lock, [&] { return job.is_left(); });
  }

 private:
  /// As many threads as the system gives, up to `wanted`. They take no signals.
  void grow(int wanted) {
    if (threads_ >= wanted || refused_) return;
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      for (; threads_ < wanted; ++threads_) std::thread([this] { help(); }).detach();
    } catch (const std::system_error&) {
      refused_ = true;
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  [[noreturn]] void help() {
    for (;;) {
      Job* job = nullptr;
      int number = 0;
      const auto find = [&] {
        for (Job* each : open_)
          if (each->wants_a_thread()) job = each;
        return job != nullptr;
      };
      const auto find_awake = [&] {
        if (jobs_.load(std::memory_order_relaxed) == 0) return false;
        const std::lock_guard lock(access_);
        if (!find()) return false;
        number = job->join();
        return true;
      };
      if (!awaited(find_awake)) {
        std::unique_lock lock(access_);
        ++asleep_;
        begun_.wait(lock, find);
        --asleep_;
        number = job->join();
      }
      job->work_as(number);
      std::unique_lock lock(access_);
      const bool last = job->leave();
      lock.unlock();
      if (last) left_.notify_all();
    }
  }

  std::mutex access_;
  std::condition_variable begun_, left_;
  std::vector<Job*> open_;
  std::atomic<int> jobs_{0};  // as many; what threads look at while they are awake
  int threads_ = 0;
  int asleep_ = 0;
  bool refused_ = false;
};

std::atomic<Pool*> current{nullptr};

/// It is never destroyed, as its threads use it until the process ends. A child process made by
/// fork() has none of these threads, and perhaps a lock that one of them holds: it gets a new pool.
Pool& pool() {
  [[maybe_unused]] static const int watched = [] {
    const auto renew = [] { current.store(new Pool); };
    renew();
    return ::pthread_atfork(nullptr, nullptr, renew);
  }();
  return *current.load();
}

}  // namespace

void run_pieces(std::int64_t pieces, int threads, FunctionRef<void(std::int64_t, int)> work) {
  threads = at_work ? 1 : int(std::clamp<std::int64_t>(pieces, 1, std::max(threads, 1)));
  Job job(pieces, threads, work);
  if (threads == 1)
    job.work_as(0);
  else
    pool().work_together(job, threads);
  job.rethrow();
}

}  // namespace mct::tensor_detail
