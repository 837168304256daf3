// Measures other implementations beside ours, on the same inputs.
#include "validation/peers/peers.hpp"

#include <mpfr.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <regex>
#include <thread>

#include "validation/core/environment.hpp"
#include "validation/peers/jobs.hpp"

namespace mct::validation {
namespace {

/// Runs every job whose name the filter finds; results in the order of the jobs.
template <class Result, class Job>
std::vector<Result> run_jobs(std::vector<Job> jobs, const Options& options) {
  if (!options.filter.empty()) {
    const std::regex pattern(options.filter, std::regex::ECMAScript | std::regex::icase);
    std::erase_if(jobs, [&](const Job& job) { return !std::regex_search(job.name, pattern); });
  }
  std::vector<Result> results(jobs.size());
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < jobs.size(); i = next++) results[i] = jobs[i].measure();
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
      next = jobs.size();
    }
    mpfr_free_cache();
  };
  std::vector<std::thread> pool;
  const int threads = options.threads > 0 ? options.threads : hardware_threads();
  for (int i = 1; i < threads; ++i) pool.emplace_back(work);
  work();
  for (auto& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
  return results;
}

}  // namespace

void measure_peers(const Options& options, bool quick, Results& results) {
  const PeerEffort effort{options.seed, quick ? 10'000 : 100'000};
  std::vector<PeerJob> jobs;
  add_number_jobs(effort, jobs);
  add_seed_jobs(effort, jobs);
  results.peers = run_jobs<PeerResult>(std::move(jobs), options);
  std::vector<PointJob> points;
  add_point_jobs(effort, points);
  results.components = run_jobs<ComponentPoint>(std::move(points), options);
}

}  // namespace mct::validation
