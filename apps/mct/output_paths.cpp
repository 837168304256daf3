// Checks of the files that commands are given.
#include "apps/mct/output_paths.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "mctensor/error.hpp"

namespace mct::cli {
namespace {

namespace fs = std::filesystem;

bool same_file(const fs::path& x, const fs::path& y) {
  std::error_code ignored;
  return fs::weakly_canonical(fs::absolute(x), ignored) ==
             fs::weakly_canonical(fs::absolute(y), ignored) ||
         fs::equivalent(x, y, ignored);
}

}  // namespace

void check_different(const std::vector<std::string>& paths) {
  for (std::size_t i = 0; i < paths.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (!paths[i].empty() && !paths[k].empty() && same_file(paths[i], paths[k]))
        throw DomainError(
            fmt::format("'{}' and '{}' are one file; give different files", paths[k], paths[i]));
}

}  // namespace mct::cli
