// The clock that a GPU runs at, from NVIDIA's management library where it is installed.
#pragma once

namespace mct::bench {

/// Megahertz of the multiprocessors now; 0 if nobody says.
double clock_now();

}  // namespace mct::bench
