// The distributed layer: several processes that work together.
#pragma once

#include "mctensor/distributed/agreement.hpp"
#include "mctensor/distributed/collectives.hpp"
#include "mctensor/distributed/communicator.hpp"
#include "mctensor/distributed/device_sums.hpp"
#include "mctensor/distributed/exact_sum.hpp"
#include "mctensor/distributed/exact_sums.hpp"
#include "mctensor/distributed/mpi.hpp"
#include "mctensor/distributed/shards.hpp"
