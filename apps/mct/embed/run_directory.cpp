// The directory of a run that can be stopped and go on.
#include "apps/mct/embed/run_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/mct/train/outputs.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/error.hpp"
#include "validation/files/parse_json.hpp"

namespace mct::cli {

void RunDirectory::open(const nlohmann::ordered_json& description, bool resume) const {
  constexpr const char* description_name = "run.json";
  train::prepare_directory(path);
  const std::filesystem::path file = path / description_name;
  remove_abandoned_files(file);
  for (const std::string& name : files) remove_abandoned_files(path / name);
  if (!std::filesystem::exists(file)) {
    if (std::filesystem::exists(path / state))
      throw DomainError(
          fmt::format("'{}' holds '{}' without '{}'", path.string(), state, description_name));
    write_file_atomically(file, description.dump(2) + "\n");
    return;
  }
  if (!resume)
    throw DomainError(fmt::format("'{}' holds a run: --resume continues it, another -o starts one",
                                  path.string()));
  const auto found = validation::parse_json(InputFile(file).content(), file.string());
  for (const auto& [key, value] : description.items()) {
    if (std::find(may_differ.begin(), may_differ.end(), key) != may_differ.end()) continue;
    const bool is_there = found.is_object() && found.contains(key);
    if (!is_there || found[key] != value)
      throw DomainError(fmt::format("'{}' is another run: its {} is {}, not {}", path.string(), key,
                                    is_there ? found[key].dump() : "missing", value.dump()));
  }
}

}  // namespace mct::cli
