// How and where the suite was built and run, for the report.
#include "output/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "mctensor/config.hpp"

namespace mct::output {

std::string compiler_text(bool has_fma) {
#if defined(__clang__)
  const std::string name = fmt::format("clang {}", __clang_version__);
#elif defined(__GNUC__)
  const std::string name =
      fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  const std::string name = "unknown compiler";
#endif
  return name + (has_fma ? ", two_prod by fma" : ", two_prod by splitting (no fma)");
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const auto colon = line.find(':');
    if (colon != std::string::npos && colon + 2 <= line.size()) return line.substr(colon + 2);
  }
#if defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "arm64";
#else
  return "unknown processor";
#endif
}

int hardware_threads() { return std::max(1, int(std::thread::hardware_concurrency())); }

}  // namespace mct::output
