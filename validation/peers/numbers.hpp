// The number types of all peers, for the suite and the benchmarks.
#pragma once

#include "validation/peers/boost_peer.hpp"
#include "validation/peers/double_peer.hpp"
#include "validation/peers/mpfr_peer.hpp"
#include "validation/peers/qd_peer.hpp"
#include "validation/peers/quad.hpp"
