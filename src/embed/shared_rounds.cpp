#include "src/embed/shared_rounds.hpp"

#include <chrono>
#include <utility>

#include "mctensor/base/environment.hpp"
#if defined(_OPENMP)
#include <omp.h>
#endif

namespace mct::embed {
namespace {

constexpr int over = -1;

/// A wait of this length does without sleeping, which takes about as long to end.
constexpr std::chrono::microseconds awake{20};
constexpr int looks_between_clocks = 32;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// Until x is no longer `old`; first awake, then asleep, so that others have the processor.
void wait_while(const std::atomic<int>& x, int old) {
  const auto end = std::chrono::steady_clock::now() + awake;
  do {
    for (int i = 0; i < looks_between_clocks; ++i) {
      if (x.load(std::memory_order_acquire) != old) return;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  x.wait(old, std::memory_order_acquire);
}

}  // namespace

void SharedRounds::run(int threads, const std::function<void()>& leader) {
  helpers_ = 0;
  round_ = 0;
  open_ = 0;
#if defined(_OPENMP)
  if (threads > 1) {
    std::exception_ptr failure;
#pragma omp parallel num_threads(threads)
    if (const int thread = omp_get_thread_num(); thread != 0) {
      help(thread);
    } else {
      helpers_ = omp_get_num_threads() - 1;
      try {
        leader();
      } catch (...) {
        failure = std::current_exception();
      }
      round_.store(over, std::memory_order_release);
      round_.notify_all();
    }
    if (failure) std::rethrow_exception(failure);
    return;
  }
#endif
  leader();
}

void SharedRounds::help(int thread) {
  const ExactEnvironment exact;  // a thread has its own
  for (int seen = 0;;) {
    wait_while(round_, seen);
    seen = round_.load(std::memory_order_acquire);
    if (seen == over) return;
    while (work_on_one(thread)) {
    }
  }
}

/// False if all pieces are taken.
bool SharedRounds::work_on_one(int thread) {
  std::uint64_t open = open_.load(std::memory_order_acquire);
  do {
    if (std::uint32_t(open) == 0) return false;
  } while (!open_.compare_exchange_weak(open, open - 1, std::memory_order_acq_rel,
                                        std::memory_order_acquire));
  try {
    (*work_)(int(std::uint32_t(open)) - 1, thread);
  } catch (...) {
    if (!failed_.exchange(true)) failure_ = std::current_exception();
  }
  // nothing of this round may be touched behind this but the address
  done_.fetch_add(1, std::memory_order_acq_rel);
  if (thread != 0) done_.notify_all();
  return true;
}

void SharedRounds::begin_round(int pieces) {
  done_.store(0, std::memory_order_relaxed);
  const std::uint64_t number = (open_.load(std::memory_order_relaxed) >> 32) + 1;
  open_.store(number << 32 | std::uint32_t(pieces), std::memory_order_release);
  if (pieces < 2 || helpers_ == 0) return;
  round_.store(int(number & 0x7fffffffu), std::memory_order_release);
  round_.notify_all();
}

void SharedRounds::round(int pieces, const Work& work) {
  work_ = &work;
  begin_round(pieces);
  while (work_on_one(0)) {
  }
  for (int done = done_.load(std::memory_order_acquire); done != pieces;
       done = done_.load(std::memory_order_acquire))
    wait_while(done_, done);
  if (!failed_) return;
  failed_ = false;
  std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace mct::embed
