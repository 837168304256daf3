// The number of threads that tensor operations use.
#pragma once

namespace mct {

/// The number of threads that an operation on large tensors uses. At first it is the number in the
/// environment variable OMP_NUM_THREADS, else the number of processors on which the process may
/// run, but at most max_num_threads(). A variable that is not from 1 to max_num_threads() gives a
/// warning on stderr. In a child process made by fork() the number is always 1. Results do not
/// depend on the number of threads.
///
/// An operation ends as soon as its work is done. It does not wait for threads that have not
/// started because other programs use their processors.
int num_threads();

/// The largest number of threads: four for each processor, but at least 64. More threads would only
/// wait for each other.
int max_num_threads();

/// Sets the number for the whole process. Throws DomainError unless 1 <= count <=
/// max_num_threads().
void set_num_threads(int count);

}  // namespace mct
