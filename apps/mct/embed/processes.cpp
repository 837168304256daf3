#include "apps/mct/embed/processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>

#include "mctensor/error.hpp"
#include "mctensor/tensor/threads.hpp"
#if MCT_WITH_MPI
#include "mctensor/distributed/mpi.hpp"
#endif

namespace mct::cli {
namespace {

/// The number of processes that were started, from the variables of Open MPI, MPICH (and Intel
/// MPI), MVAPICH2 and Slurm; 0 without them.
int processes_started() {
  for (const char* name :
       {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (const char* text = std::getenv(name)) return std::atoi(text);
  return 0;
}

#if MCT_WITH_MPI
/// The processes of one machine wait for each other, so they must not have more threads than the
/// machine has processors: otherwise a batch would take as long as the scheduler's time slices.
void share_processors(int processes) {
  const int processors = int(std::thread::hardware_concurrency());
  set_num_threads(std::clamp(processors / processes, 1, num_threads()));
}
#endif

}  // namespace

void run_together(
    const char* command,
    const std::function<void(const std::shared_ptr<distributed::Communicator>&)>& run) {
  const auto ranks = started_processes();
  try {
    run(ranks);
  } catch (const std::exception& error) {
    if (!ranks) throw;
    fmt::print(stderr, "{}: rank {}: {}\n", command, ranks->rank(), error.what());
    std::fflush(nullptr);
    ranks->abort(2);
  }
}

bool is_started_by_mpirun() { return processes_started() > 0; }

std::shared_ptr<distributed::Communicator> started_processes() {
  const int processes = processes_started();
  if (processes <= 1) return nullptr;
#if MCT_WITH_MPI
  auto ranks = std::make_shared<distributed::MpiCommunicator>();
  if (ranks->size() != processes)
    throw DomainError(std::to_string(processes) + " processes were started, but MPI knows of " +
                      std::to_string(ranks->size()) +
                      ": the mpirun is of another MPI than this program was built with");
  if (ranks->rank() > 0 && std::freopen("/dev/null", "w", stdout) == nullptr)
    throw IoError("/dev/null cannot be opened");
  share_processors(ranks->size_here());
  return ranks;
#else
  throw DomainError(std::to_string(processes) +
                    " processes were started, but this program was built without MPI "
                    "(MCT_WITH_MPI; Debian: libopenmpi-dev)");
#endif
}

}  // namespace mct::cli
