// The directory of a run that can be stopped and go on.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace mct::cli {

/// Keeps other processes out of a directory, until it or its process ends, however that ends.
class DirectoryLock {
 public:
  DirectoryLock() = default;
  /// Throws DomainError if another one has it. Where the file system has no locks, it keeps nobody
  /// out.
  explicit DirectoryLock(const std::filesystem::path& directory);
  DirectoryLock(DirectoryLock&& other) noexcept { *this = std::move(other); }
  DirectoryLock& operator=(DirectoryLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~DirectoryLock();

 private:
  int descriptor_ = -1;
};

struct RunDirectory {
  std::filesystem::path path;
  std::vector<std::string> files;       ///< what a run leaves there, beside run.json
  std::vector<std::string> may_differ;  ///< settings that a run may be resumed with others of
  std::string option = "-o";            ///< that names the directory

  /// Makes the directory, removes what processes that were killed left of files, and writes the
  /// description to run.json, or compares it with the one that is there. The run has the directory
  /// for itself as long as the lock lives. Throws DomainError naming what differs, if another
  /// process is at work there, if there is a run that is not to be resumed, and for one of `files`
  /// that is no run's and would be replaced; IoError for what cannot be read or written.
  [[nodiscard]] DirectoryLock open(const nlohmann::ordered_json& description, bool resume) const;
  /// The description that is there; null if there is none. Throws IoError.
  nlohmann::ordered_json description() const;
  /// Writes it anew, if it is another now.
  void describe(const nlohmann::ordered_json& description) const;
};

}  // namespace mct::cli
