// The table at the end of a run: ours, each peer, and how many times longer the peer takes.
#pragma once

#include <string>
#include <vector>

namespace mct::bench {

struct Timing {
  std::string work;
  std::string type;
  std::string implementation;
  double nanoseconds = 0;  // per multiply-add
};

/// As text for a terminal, or as a Markdown table. Each row is compared with "ours" of its work and
/// type; without it the ratio is left out.
std::string format_ratios(const std::vector<Timing>& timings, bool markdown);

}  // namespace mct::bench
