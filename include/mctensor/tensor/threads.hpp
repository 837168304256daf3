// How many threads tensor operations use.
#pragma once

namespace mct {

/// Threads that an operation on large tensors uses: at first what OpenMP says (OMP_NUM_THREADS,
/// else the number of processors), always 1 in a build without OpenMP. Results do not depend on it.
int num_threads();

/// Sets it for the whole process. Throws DomainError unless count >= 1.
void set_num_threads(int count);

}  // namespace mct
