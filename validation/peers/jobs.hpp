// The measurements as independent jobs, so that they can run side by side.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "validation/results.hpp"

namespace mct::validation {

/// How many cases each job takes, and the seed of them all.
struct PeerEffort {
  std::uint64_t seed = 0;
  int cases = 0;
};

/// One row of the table of peers: its name for the filter, and how to measure it.
struct PeerJob {
  std::string name;  // "f64x2 add"
  std::function<PeerResult()> measure;
};

/// One point of the figures about the number of components.
struct PointJob {
  std::string name;
  std::function<ComponentPoint()> measure;
};

/// MPFR, QD, __float128, Boost and plain double beside our types.
void add_number_jobs(const PeerEffort& effort, std::vector<PeerJob>& jobs);
/// The seed's algorithms.
void add_seed_jobs(const PeerEffort& effort, std::vector<PeerJob>& jobs);
/// Error against the number of components.
void add_point_jobs(const PeerEffort& effort, std::vector<PointJob>& jobs);

}  // namespace mct::validation
