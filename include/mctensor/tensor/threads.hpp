// The number of threads that tensor operations use.
#pragma once

namespace mct {

/// The number of threads that an operation on large tensors uses. At first it is the number in the
/// environment variable OMP_NUM_THREADS, else the number of processors that the process may run on,
/// but at most max_num_threads(); a variable that has another value gives a warning on stderr. In a
/// child process made by fork() it is always 1. Results do not depend on the number of threads.
///
/// An operation ends as soon as its work is done. It does not wait for threads that have not begun
/// because other programs have their processors.
int num_threads();

/// Four for each processor, and at least 64. More threads would only wait for each other.
int max_num_threads();

/// Sets the number for the whole process. Throws DomainError unless 1 <= count <=
/// max_num_threads().
void set_num_threads(int count);

}  // namespace mct
