// How many threads tensor operations use.
#pragma once

namespace mct {

/// Threads that an operation on large tensors uses: at first what OpenMP says (OMP_NUM_THREADS,
/// else the number of processors), but at most max_num_threads(), with a warning on stderr. Always
/// 1 in a build without OpenMP, and in a child process made by fork(), where the threads of OpenMP
/// do not exist and waiting for them would never end. Results do not depend on it.
///
/// On a machine that others use, too, an operation on two threads may take a hundred times as long
/// as on one, for it lasts until both have had their turn. So after one that took longer than its
/// work would take one thread, operations use one for ten times as long as was lost, but those that
/// take longer than that.
int num_threads();

/// Four for each processor, and at least 64: more would only wait for each other.
int max_num_threads();

/// Sets it for the whole process, and tries threads again where they were too slow. Throws
/// DomainError unless 1 <= count <= max_num_threads().
void set_num_threads(int count);

}  // namespace mct
