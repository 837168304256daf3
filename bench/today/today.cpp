// Today's peers, as far as their clones are below MCT_PEERS: what mct_bench calls.
#include "bench/today/today.hpp"

namespace mct::bench {

__attribute__((visibility("default"))) void add_today(std::vector<Case>& cases) {
#if MCT_TODAY_MULTIFLOATS_NETWORKS
  add_multifloats_networks(cases);
#endif
#if MCT_TODAY_MULTIFLOATS_LIBRARY
  add_multifloats_library(cases);
#endif
#if MCT_TODAY_BOOST
  add_boost_double_fp(cases);
#endif
#if MCT_TODAY_FLINT
  add_flint(cases);
#endif
  static_cast<void>(cases);
}

__attribute__((visibility("default"))) std::string today_versions() { return MCT_TODAY_VERSIONS; }

}  // namespace mct::bench
