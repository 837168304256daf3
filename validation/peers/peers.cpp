#include "validation/peers/peers.hpp"

#include "output/machine.hpp"
#include "validation/core/name_filter.hpp"
#include "validation/core/parallel.hpp"
#include "validation/peers/jobs.hpp"

namespace mct::validation {
namespace {

template <class Result>
void keep_matching(const std::string& filter, std::vector<Job<Result>>& jobs) {
  const NameFilter pattern(filter);
  std::erase_if(jobs, [&](const auto& job) { return !pattern.passes(job.name); });
}

/// Runs all jobs, and gives their results in the order of the jobs.
template <class Result>
std::vector<Result> run_jobs(const std::vector<Job<Result>>& jobs, int threads) {
  std::vector<Result> results(jobs.size());
  for_each_index(jobs.size(), threads, [&](std::size_t i) { results[i] = jobs[i].measure(); });
  return results;
}

template <class Result>
void append(const std::vector<Result>& from, std::vector<Result>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void measure_peers(const Options& options, bool quick, Results& results) {
  const PeerEffort effort{options.seed, quick ? quick_peer_cases : peer_cases};
  const int threads = options.threads > 0 ? options.threads : output::hardware_threads();
  PeerJobs peers;
  add_number_jobs(effort, peers);
  add_published_jobs(effort, peers);
  add_function_jobs(effort, peers);
  keep_matching(options.filter, peers);
  append(run_jobs(peers, threads), results.peers);

  PointJobs points;
  add_point_jobs(effort, points);
  keep_matching(options.filter, points);
  append(run_jobs(points, threads), results.components);
}

}  // namespace mct::validation
