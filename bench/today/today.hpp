// The peers of bench/today, each in a file of its own.
#pragma once

#include "bench/arithmetic.hpp"

namespace mct::bench {

void add_multifloats_networks(std::vector<Case>& cases);
void add_multifloats_library(std::vector<Case>& cases);
void add_boost_double_fp(std::vector<Case>& cases);
void add_flint(std::vector<Case>& cases);

}  // namespace mct::bench
