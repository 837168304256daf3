#include "mctensor/tensor/parallel_for.hpp"

#include <time.h>

#include <string>

#include "mctensor/error.hpp"
#include "src/tensor/parallel.hpp"

namespace mct {
namespace tensor_detail {
namespace {

using Clock = std::chrono::steady_clock;

/// Until when threads do not pay, in ticks of Clock.
std::atomic<std::int64_t> alone_until{0};

/// What this thread has worked, without the time in which others had its processor.
std::int64_t worked_nanoseconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

RegionTime::Work::Work(RegionTime& region) : region_(region), begin_(worked_nanoseconds()) {}

RegionTime::Work::~Work() {
  region_.work_.fetch_add(worked_nanoseconds() - begin_, std::memory_order_relaxed);
}

RegionTime::~RegionTime() {
  constexpr int penance = 10;
  // a program that was stopped in a region has lost hours, which say nothing of the machine
  constexpr Clock::duration most = std::chrono::seconds(10);
  const auto now = Clock::now();
  const Clock::duration lost =
      now - begin_ - std::chrono::nanoseconds(work_.load(std::memory_order_relaxed));
  if (lost.count() <= 0) return;
  const auto until = now + std::min(penance * lost, most);
  alone_until.store(until.time_since_epoch().count(), std::memory_order_relaxed);
}

bool threads_pay(double cost) {
  constexpr double nanoseconds_of_an_operation = 0.5;
  const std::int64_t until = alone_until.load(std::memory_order_relaxed);
  if (until == 0) return true;
  const Clock::duration left = Clock::duration(until) - Clock::now().time_since_epoch();
  return cost * nanoseconds_of_an_operation >=
         double(std::chrono::duration_cast<std::chrono::nanoseconds>(left).count());
}

void try_threads_again() { alone_until.store(0, std::memory_order_relaxed); }

}  // namespace tensor_detail

void parallel_for(std::int64_t count, double cost,
                  FunctionRef<void(std::int64_t, std::int64_t)> work) {
  if (count < 0) throw DomainError("parallel_for: a count of " + std::to_string(count));
  if (count == 0) return;
  tensor_detail::parallel_ranges(count, tensor_detail::threads_for(cost), work);
}

}  // namespace mct
