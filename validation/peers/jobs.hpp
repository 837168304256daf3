// The measurements as independent jobs, so that they can run side by side.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "validation/results.hpp"

namespace mct::validation {

/// The seed of all inputs, and how many cases each job takes.
struct PeerEffort {
  std::uint64_t seed = 0;
  int cases = 0;
};

/// One row of the table of peers, or one point of a figure.
template <class Result>
struct Job {
  std::string name;  // what the filter is searched in: "f64x2 add"
  std::function<Result()> measure;
};
using PeerJobs = std::vector<Job<PeerResult>>;
using PointJobs = std::vector<Job<ComponentPoint>>;

/// Ours, MPFR, QD, __float128, Boost and plain double.
void add_number_jobs(const PeerEffort& effort, PeerJobs& jobs);

/// The published algorithms.
void add_published_jobs(const PeerEffort& effort, PeerJobs& jobs);

/// Elementary functions of ours, QD, __float128 and Boost, on a twentieth of the cases.
void add_function_jobs(const PeerEffort& effort, PeerJobs& jobs);

/// Error against the number of components.
void add_point_jobs(const PeerEffort& effort, PointJobs& jobs);

}  // namespace mct::validation
