// The number of threads that tensor operations use.
#pragma once

namespace mct {

/// The number of threads that an operation on large tensors uses. At first it is OpenMP's number
/// (OMP_NUM_THREADS, else the number of processors), but at most max_num_threads(), with a warning
/// on stderr. It is always 1 in a build without OpenMP, and in a child process made by fork():
/// OpenMP's threads do not exist there, and waiting for them would never end. Results do not depend
/// on the number of threads.
///
/// On a busy machine an operation on two threads may take a hundred times as long as on one,
/// because it ends when both threads have had a turn. If an operation took longer than one thread
/// would have taken, shorter operations use one thread for a while: ten times as long as the time
/// that was lost. Longer operations keep their threads.
int num_threads();

/// Four for each processor, and at least 64. More threads would only wait for each other.
int max_num_threads();

/// Sets the number for the whole process, and tries several threads again if they were too slow
/// before. Throws DomainError unless 1 <= count <= max_num_threads().
void set_num_threads(int count);

}  // namespace mct
