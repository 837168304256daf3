#include "apps/mct/train/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "apps/mct/train/outputs.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/error.hpp"
#include "output/parse_json.hpp"

namespace mct::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* description_name = "run.json";

}  // namespace

DirectoryLock::DirectoryLock(const fs::path& directory) {
  // The file stays: if it were removed, two processes could each lock a file of this name.
  const fs::path file = directory / ".lock";
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return;
  ::close(descriptor_);
  throw DomainError(
      fmt::format("another process is at work in '{}': wait for its end, or give another -o",
                  directory.string()));
}
DirectoryLock::~DirectoryLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

DirectoryLock RunDirectory::open(const nlohmann::ordered_json& description, bool resume) const {
  train::prepare_directory(path);
  DirectoryLock lock(path);
  const fs::path file = path / description_name;
  remove_abandoned_files(file);
  for (const std::string& name : files) remove_abandoned_files(path / name);
  const nlohmann::ordered_json found = this->description();
  if (found.is_null()) {
    for (const std::string& name : files)
      if (fs::exists(path / name))
        throw DomainError(
            fmt::format("'{}' holds '{}' without '{}': a run would replace it; give another {}",
                        path.string(), name, description_name, option));
    describe(description);
    return lock;
  }
  if (!resume)
    throw DomainError(fmt::format(
        "'{}' holds a run already: give --resume to continue it, or another {} to start a new one",
        path.string(), option));
  if (!found.is_object()) throw IoError(fmt::format("'{}' does not describe a run", file.string()));
  const auto compare = [&](const std::string& key) {
    if (std::find(may_differ.begin(), may_differ.end(), key) != may_differ.end()) return;
    const bool is_there = found.contains(key);
    const bool is_wanted = description.contains(key);
    if (is_there && is_wanted && found[key] == description[key]) return;
    throw DomainError(fmt::format("'{}' holds another run: its {} is {}, expected {}",
                                  path.string(), key, is_there ? found[key].dump() : "missing",
                                  is_wanted ? description[key].dump() : "none"));
  };
  for (const auto& [key, value] : description.items()) compare(key);
  for (const auto& [key, value] : found.items()) compare(key);
  return lock;
}

nlohmann::ordered_json RunDirectory::description() const {
  const fs::path file = path / description_name;
  if (!fs::exists(file)) return {};
  nlohmann::ordered_json found = output::parse_json(InputFile(file).content(), file.string());
  if (bring_up_to_date != nullptr) bring_up_to_date(found);
  return found;
}

void RunDirectory::describe(const nlohmann::ordered_json& description) const {
  if (this->description() != description)
    write_file_atomically(path / description_name, description.dump(2) + "\n");
}

}  // namespace mct::cli
