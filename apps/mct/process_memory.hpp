// The memory of this process.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace mct::cli {

/// A line of /proc/self/status in bytes, such as VmRSS or VmHWM (the most so far); 0 if there is no
/// such line, as on systems other than Linux.
inline std::int64_t process_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::int64_t kibibytes = 0;
  while (status >> word)
    if (word == name + ':' && status >> kibibytes) return kibibytes * 1024;
  return 0;
}

}  // namespace mct::cli
