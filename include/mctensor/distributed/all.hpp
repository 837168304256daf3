// Several processes that work on one thing.
#pragma once

#include "mctensor/distributed/communicator.hpp"
#include "mctensor/distributed/mpi.hpp"
