// Threads that help with work, and that nobody waits for before they have begun.
#pragma once

#include <cstdint>

#include "mctensor/base/functions.hpp"

namespace mct::tensor_detail {

/// Calls work(piece, thread) once for each 0 <= piece < pieces. The calling thread is number 0; the
/// others are threads of the process's pool, numbered below `threads`. Each takes the next piece,
/// so that a thread whose processor does other work takes fewer of them. The call ends as soon as
/// all pieces have ended: it never waits for a thread that has not begun. So it may be made
/// thousands of times a second on a busy machine.
///
/// Every piece is worked on in the floating-point environment that the arithmetic needs, whatever
/// the caller's. If pieces throw, all others are still worked on; then the exception of the first
/// of them is thrown on. A call within a piece has one thread. If the system gives the process no
/// more threads, those that are there do the work.
void run_pieces(std::int64_t pieces, int threads, FunctionRef<void(std::int64_t, int)> work);

}  // namespace mct::tensor_detail
