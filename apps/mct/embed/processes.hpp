// The processes of `mpirun -n K mct ...`.
#pragma once

#include <functional>
#include <memory>

#include "mctensor/distributed/communicator.hpp"

namespace mct::cli {

/// The processes that were started together by mpirun or the like, as the environment tells; null
/// for one that was started alone. What all but rank 0 print goes nowhere, and processes on the
/// same machine share its processors. Throws DomainError for several if the program was built
/// without MPI.
std::shared_ptr<distributed::Communicator> started_processes();

/// Calls run(started_processes()). An error on one of several processes is told with its rank, and
/// ends all of them with exit code 2: the others would wait for ever.
void run_together(
    const char* command,
    const std::function<void(const std::shared_ptr<distributed::Communicator>&)>& run);

/// True for one process alone, and for rank 0 of several.
inline bool is_first(const distributed::Communicator* ranks) {
  return ranks == nullptr || ranks->rank() == 0;
}

/// True where mpirun or the like has started this process, alone or with others.
bool is_started_by_mpirun();

}  // namespace mct::cli
