// The processes of `mpirun -n K mct ...`.
#pragma once

#include <functional>
#include <memory>

#include "mctensor/distributed/communicator.hpp"

namespace mct::cli {

/// The processes that mpirun or a similar program started together, as the environment says; null
/// for a process that was started alone. Only rank 0 prints anything, and processes on the same
/// machine share its processors. If there are several processes and the program was built without
/// MPI, it throws DomainError.
std::shared_ptr<distributed::Communicator> started_processes();

/// Calls run(started_processes()). An error of one of several processes is printed with its rank,
/// and ends all processes with exit code 2, because the others would wait for ever.
void run_together(
    const char* command,
    const std::function<void(const std::shared_ptr<distributed::Communicator>&)>& run);

/// True for one process alone, and for rank 0 of several.
inline bool is_first(const distributed::Communicator* ranks) {
  return ranks == nullptr || ranks->rank() == 0;
}

/// True if mpirun or a similar program has started this process, alone or with others.
bool is_started_by_mpirun();

}  // namespace mct::cli
